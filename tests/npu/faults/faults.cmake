# SPDX-License-Identifier: GPL-3.0-or-later
# The planted faults: name, source, tests that must see it, file, right text, wrong text, and what the twin says.
set(adasum engine/boost/adasum/npu_kernels.cpp)
set(dim_reduce engine/boost/dim_reduce/npu_kernels.cpp)
set(centralization engine/boost/grad_centralization/npu_kernels.cpp)
set(loss_scale engine/boost/loss_scale/npu_kernels.cpp)
set(vectors engine/boost/vectors/npu_kernels.cpp)
set(optimizer engine/nn/optimizer_npu_kernels.cpp)
set(shared engine/npu/kernels)

# Copies: their ends, and what stands behind them.
slipstream_planted_fault(padding_of_ones ${adasum} *AdasumOn.Dots*/npu ${shared}/transfers.h "static_cast<uint8_t>(missing), 0.0f}" "static_cast<uint8_t>(missing), 1.0f}")
slipstream_planted_fault(no_padding ${optimizer} *OptimizerOn.Takes*/npu ${shared}/transfers.h "roundedUp(count, lanes) - count;" "0;")
slipstream_planted_fault(tail_too_long ${vectors} *VectorsOn.TheRest*/npu ${shared}/transfers.h "return {start, whole ? most : static_cast<int32_t>(left), 0};" "return {start, whole ? most : roundedUp(static_cast<int32_t>(left), lanes), 0};")
slipstream_planted_fault(freed_before_use ${vectors} *VectorsOn.TheRest*/npu ${vectors} "Vector b = load(right_" "left_.FreeTensor(a);\n      Vector b = load(right_"
                         SIGN "a vector instruction on a VECIN tensor that was not dequeued")
slipstream_planted_fault(never_freed ${adasum} *AdasumOn.Combinations*/npu ${shared}/weighted_sum.h "    in_.FreeTensor(values);\n" ""
                         SIGN "a queue's tensor was not freed before the kernel ended")
slipstream_planted_fault(same_tiles_in_every_block ${centralization} *GradientPasses*Subtracts*/npu ${centralization} "index += blockStep()) {\n    const Tile tile = tileAt(tiles, index);\n    rows." "++index) {\n    const Tile tile = tileAt(tiles, index);\n    rows."
                         SIGN "global memory is written that another block of the launch reads or writes")
slipstream_planted_fault(one_flag_for_all_blocks ${loss_scale} *GradientPasses*Sees*/npu ${loss_scale} "flags + lanes * firstOfBlock()" "flags"
                         SIGN "global memory is written that another block of the launch reads or writes")
slipstream_planted_fault(only_one_output ${adasum} *AdasumOn.Combinations*/npu ${shared}/weighted_sum.h "tables_.count + o)" "tables_.count)")
slipstream_planted_fault(not_enqueued ${vectors} *VectorsOn.TheRest*/npu ${shared}/transfers.h "  queue.EnQue(computed);\n  AscendC::LocalTensor<T> ready = queue.DeQue<T>();\n  store(to, ready, count);" "  store(to, computed, count);\n  AscendC::LocalTensor<T> ready = computed;"
                         SIGN "a copy out of a tensor that is not of VECOUT and dequeued")
slipstream_planted_fault(reads_what_it_wrote ${vectors} *VectorsOn.Sums*/npu ${vectors} "      write(sum, tile);\n" "      write(sum, tile);\n      Vector again = load(in_, addressAt(vectors_, parts_) + tile.start, tile.elements);\n      in_.FreeTensor(again);\n"
                         SIGN "global memory is read that a block of the launch writes")
slipstream_planted_fault(operands_swapped ${vectors} *VectorsOn.TheRest*/npu ${vectors} "AscendC::Sub(difference, a, b," "AscendC::Sub(difference, b, a,")
slipstream_planted_fault(coefficients_of_the_first_segment ${adasum} *AdasumOn.ACombination*/npu ${shared}/weighted_sum.h "factorAt(tile.of, vector, k)" "factorAt(0, vector, k)")

# Sums of more digits.
slipstream_planted_fault(low_parts_stay_behind ${centralization} *RandomSizesOn.Rows*/npu ${shared}/two_float.h "for (uint32_t k = 0; k < Parts; ++k) {\n      addTo(sums, k, sums.part[k][" "for (uint32_t k = 0; k < 1; ++k) {\n      addTo(sums, k, sums.part[k][")
slipstream_planted_fault(rest_is_lost ${adasum} *AdasumOn.Dots*/npu ${shared}/two_float.h "AscendC::Sub(other, other, spare.second, count);" "")
slipstream_planted_fault(halves_too_long ${adasum} *AdasumOn.Dots*/npu ${shared}/two_float.h upperHalfBits 0xfffffff0U)
slipstream_planted_fault(fold_not_aligned ${centralization} *GradientPasses*Subtracts*/npu ${shared}/two_float.h "roundedUp(count / 2, lanes)" "(count + 1) / 2"
                         SIGN "a vector instruction's operand is not aligned to 32 bytes")
slipstream_planted_fault(product_error_is_lost ${adasum} *AdasumOn.*Combination*/npu ${shared}/weighted_sum.h "addTo(all_, k + 1, error, spare, count)" "AscendC::Muls(error, error, 0.0f, count)")
slipstream_planted_fault(scalar_does_not_wait ${adasum} *AdasumOn.Dots*/npu ${adasum} "      letScalarSeeVectors(pipe_);\n" ""
                         SIGN "GetValue of a vector instruction's result, without V_S")
slipstream_planted_fault(scale_is_zero ${adasum} *AdasumOn.*Extreme*/npu ${adasum} "if (exponent > most) exponent = most;" "static_cast<void>(most);")
slipstream_planted_fault(infinity_is_a_number ${adasum} *AdasumOn.*Extreme*/npu ${adasum} "floatOf(scale.inverse) : 0.0f" "floatOf(scale.inverse) : floatOf(scale.inverse)")
slipstream_planted_fault(pairs_out_of_place ${adasum} *AdasumOn.Parts*/npu ${adasum} "static_cast<uint64_t>(count_ - i) * Parts * lanes" "static_cast<uint64_t>(count_) * Parts * lanes"
                         SIGN "global memory is written that another block of the launch reads or writes")
slipstream_planted_fault(centre_rounded ${dim_reduce} *DimReduceOn.Multiplies*/npu ${dim_reduce} "AscendC::Mul(memory(10), a.rest, b.values, count);" "AscendC::Duplicate(memory(10), 0.0f, count);")

# Steps of optimizers and the like.
slipstream_planted_fault(nesterov_is_momentum ${optimizer} *OptimizerOn.StepsEvery*/npu ${optimizer} "if (form_ == nesterovForm) {" "if (form_ == plainForm) {")
slipstream_planted_fault(seven_lanes_of_eight ${optimizer} *OptimizerOn.Takes*/npu ${optimizer} "k < lanes; ++k) {" "k + 1 < lanes; ++k) {")
slipstream_planted_fault(low_part_lost ${optimizer} *OptimizerOn.TakesTheMeanOfWhat*/npu ${optimizer} "? high + low : high;" "? high : high;")
slipstream_planted_fault(spare_is_in_use ${optimizer} *OptimizerOn.StepsEvery*/npu ${optimizer} "const Vector moved = memory_[1]" "const Vector moved = memory_[0]")
slipstream_planted_fault(velocity_of_the_first_tile ${optimizer} *OptimizerOn.TakesTheMeanOutOf*/npu ${optimizer} "from.velocity : from.velocity + done" "from.velocity : from.velocity"
                         SIGN "global memory is read that a block of the launch writes")
slipstream_planted_fault(velocity_not_shifted ${optimizer} *OptimizerOn.StepsParts*/npu ${optimizer} "shiftAt(shifts, segment, 1)" "shiftAt(shifts, segment, 0)")
slipstream_planted_fault(wrong_half ${optimizer} *OptimizerOn.Writes*/npu ${optimizer} "writeCopy<bfloat16_t>" "writeCopy<half>")
slipstream_planted_fault(limit_overflows ${loss_scale} *GradientPasses*Limit*/npu ${loss_scale} "CMPMODE::LE" "CMPMODE::LT")
slipstream_planted_fault(tail_is_judged ${loss_scale} *GradientPasses*Unscales*/npu ${loss_scale} "AscendC::Duplicate(sizes, 0.0f, whole);" "")
slipstream_planted_fault(a_nan_is_no_overflow ${loss_scale} *GradientPasses*Sees*/npu ${loss_scale} "AscendC::Abs(sizes, scaled, count);" "AscendC::Abs(sizes, scaled, count);\n    AscendC::Max(sizes, sizes, zeros_.Get<float>(), count);")
slipstream_planted_fault(means_are_added ${centralization} *GradientPasses*Subtracts*/npu ${centralization} "-floatOf(tile.of)" "floatOf(tile.of)")
