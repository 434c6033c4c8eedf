// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/kernels/channel_sums.h"
#include "engine/nn/cuda/kernels/elements.h"
#include "engine/nn/cuda/kernels/rows.h"
#include "engine/nn/cuda/layers/elementwise.h"
#include "engine/nn/cuda/layers/layer_ops.h"

namespace slipstream {

struct SumAndCut {
  bool cuts;
  SLIPSTREAM_HOST_DEVICE float operator()(float value, float bias) const {
    return cuts ? CutBelowZero()(value + bias) : value + bias;
  }
};

/// gradient = the sums of the columns of `values` [rows, gradient's size], or adds them to it. `memory`: enough for
/// channelSumBytes().
template <class Ops, class Value>
void columnSums(const Ops& ops, const Value* values, std::int64_t rows, std::span<float> gradient, bool accumulate,
                double* memory) {
  const std::int64_t columns = std::ssize(gradient);
  double* sums = nullptr;
  withLanes(
      columns, [&](auto lanes) { sums = channelSums<lanes()>(ops, ColumnTerms<Value>{values}, rows, columns, memory); },
      values);
  ops.each(columns, DeliverSums{sums, gradient.data(), accumulate});
}

/// x W' + b of a flat input [batch, inputs], W [outputs, inputs], all fp32. In a network whose images are of half a
/// type, products take their operands rounded to that, and add up in fp32: so do tensor cores, ten times as fast.
template <class Ops>
class DenseOn final : public Layer {
 public:
  DenseOn(const LayerConfig& parts, const Ops& ops)
      : inputs_(parts.input.elements()),
        outputs_(parts.output.elements()),
        fusedRelu_(parts.fused.relu),
        type_(parts.pictures),
        scratch_(parts.scratch),
        ops_(ops) {
    scratch_.reserve<GpuParts>([&](GpuParts& counted) { list(counted, parts.maximumBatch); });
  }

  void forward(const ForwardPass& pass) override {
    const Work work = prepare(pass.batch);
    float* output = pass.output.template as<float>();
    ops_.multiply('N', 'T', pass.batch, outputs_, inputs_,
                  taken(pass.input, work.input, activationOf(pass.weights.weight), work.weights), 0.0F, output);
    if (!pass.weights.bias.empty()) {
      ops_.each(std::ssize(pass.output),
                MapChannels<SumAndCut, float>{
                    {fusedRelu_}, output, pass.weights.bias.data(), static_cast<std::uint32_t>(outputs_)});
    } else if (fusedRelu_) {
      mapElements(ops_, std::ssize(pass.output), CutBelowZero(), output, output);
    }
  }

  void backward(const BackwardPass& pass) override {
    const Work work = prepare(pass.batch);
    const Operands ofWeights = taken(pass.outputGradient, work.gradient, pass.input, work.input);
    ops_.multiply('T', 'N', outputs_, inputs_, pass.batch, ofWeights, pass.accumulate ? 1.0F : 0.0F,
                  pass.gradients.weight.data());
    if (!pass.gradients.bias.empty()) {
      columnSums(ops_, pass.outputGradient.template as<float>(), pass.batch, pass.gradients.bias, pass.accumulate,
                 work.sums);
    }
    if (pass.inputGradient.empty()) return;
    const Operands ofInput{type_, ofWeights.a, takenOne(activationOf(pass.weights.weight), work.weights)};
    ops_.multiply('N', 'N', pass.batch, inputs_, outputs_, ofInput, 0.0F, pass.inputGradient.template as<float>());
  }

 private:
  /// Memory of one call: sums of a bias, and operands of half a type, where that is what products take.
  struct Work {
    double* sums;
    std::byte* input;
    std::byte* weights;
    std::byte* gradient;
  };

  Work prepare(std::int64_t batch) {
    return scratch_.place<GpuParts>([&](GpuParts& parts) { return list(parts, batch); });
  }
  Work list(GpuParts& parts, std::int64_t batch) const {
    const std::int64_t each = type_ == NumberType::float32 ? 0 : bytesOf(type_);
    return {
        reinterpret_cast<double*>(parts.take<std::byte>(static_cast<std::int64_t>(channelSumBytes(batch, outputs_)))),
        parts.take<std::byte>(each * batch * inputs_), parts.take<std::byte>(each * outputs_ * inputs_),
        parts.take<std::byte>(each * batch * outputs_)};
  }

  /// As products take the values: themselves, or rounded into `memory`.
  const std::byte* takenOne(ConstActivation values, std::byte* memory) const {
    if (values.type() == type_) return values.bytes();
    convertOn(ops_, values, Activation(type_, memory, values.size()));
    return memory;
  }
  Operands taken(ConstActivation a, std::byte* memoryOfA, ConstActivation b, std::byte* memoryOfB) const {
    return {type_, takenOne(a, memoryOfA), takenOne(b, memoryOfB)};
  }

  std::int64_t inputs_;
  std::int64_t outputs_;
  bool fusedRelu_;
  NumberType type_;  ///< of the operands of products
  Scratch& scratch_;
  Ops ops_;
};

/// As the CPU's (engine/nn/layers/normalized_dense.h): lengths and their gradients in double.
template <class Ops>
class NormalizedDenseOn final : public Layer {
 public:
  NormalizedDenseOn(const LayerConfig& parts, const Ops& ops)
      : inputs_(parts.input.elements()), outputs_(parts.output.elements()), scratch_(parts.scratch), ops_(ops) {
    scratch_.reserve<GpuParts>([&](GpuParts& counted) { list(counted, parts.maximumBatch); });
  }

  void forward(const ForwardPass& pass) override {
    const Work work = prepare(pass.batch);
    scaleBoth(pass.input.template as<float>(), pass.batch, pass.weights.weight.data(), work);
    float* output = pass.output.template as<float>();
    ops_.multiply('N', 'T', pass.batch, outputs_, inputs_, operands(work.x.units, work.w.units), 0.0F, output);
    ops_.each(std::ssize(pass.output), TimesStored{pass.weights.bias.data(), output});
  }

  void backward(const BackwardPass& pass) override {
    const Work work = prepare(pass.batch);
    const float* input = pass.input.template as<float>();
    const float* gradient = pass.outputGradient.template as<float>();
    scaleBoth(input, pass.batch, pass.weights.weight.data(), work);
    ops_.multiply('T', 'N', outputs_, inputs_, pass.batch, operands(gradient, work.x.units), 0.0F, work.product);
    const float* multiplier = pass.weights.bias.data();
    throughLength(work, work.w, outputs_, multiplier, pass.accumulate, pass.gradients.weight.data());
    const double* sum = foldSums(ops_, planOf(outputs_), 1, work.along);
    ops_.each(1, DeliverSums{sum, pass.gradients.bias.data(), pass.accumulate});
    if (pass.inputGradient.empty()) return;
    ops_.multiply('N', 'N', pass.batch, inputs_, outputs_, operands(gradient, work.w.units), 0.0F, work.product);
    throughLength(work, work.x, pass.batch, multiplier, false, pass.inputGradient.template as<float>());
  }

 private:
  struct Rows {
    float* units;     ///< [rows, inputs], each of length 1
    double* squares;  ///< [rows]
  };
  /// Memory of one call.
  struct Work {
    Rows x;
    Rows w;
    float* product;  ///< [the larger of batch and outputs, inputs]
    double* parts;   ///< [the larger, rowLanes]
    double* along;   ///< [the larger], and the levels of their sum behind them
  };

  /// Sums all rows' values: every one is a part.
  static SumPlan planOf(std::int64_t rows) {
    SumPlan plan{1, {rows}};
    while (plan.parts.back() > 1) plan.parts.push_back((plan.parts.back() + SumPlan::fanIn - 1) / SumPlan::fanIn);
    return plan;
  }

  Work prepare(std::int64_t batch) {
    return scratch_.place<GpuParts>([&](GpuParts& parts) { return list(parts, batch); });
  }
  Work list(GpuParts& parts, std::int64_t batch) const {
    const std::int64_t most = std::max(batch, outputs_);
    return {{parts.take<float>(batch * inputs_), parts.take<double>(batch)},
            {parts.take<float>(outputs_ * inputs_), parts.take<double>(outputs_)},
            parts.take<float>(most * inputs_),
            parts.take<double>(most * rowLanes),
            parts.take<double>(planOf(most).sums(1))};
  }

  void dots(const float* a, const float* b, std::int64_t rows, double* parts, double* result) const {
    ops_.each(rows * rowLanes, DotParts{a, b, inputs_, parts});
    ops_.each(rows, AddParts{parts, result});
  }
  void scaleBoth(const float* input, std::int64_t batch, const float* weights, const Work& work) const {
    dots(input, input, batch, work.parts, work.x.squares);
    ops_.each(batch * inputs_, ScaleRows{input, work.x.squares, inputs_, work.x.units});
    dots(weights, weights, outputs_, work.parts, work.w.squares);
    ops_.each(outputs_ * inputs_, ScaleRows{weights, work.w.squares, inputs_, work.w.units});
  }
  /// Leaves the products of gradient and unit of each row at work.along.
  void throughLength(const Work& work, Rows rows, std::int64_t count, const float* multiplier, bool accumulate,
                     float* result) const {
    dots(work.product, rows.units, count, work.parts, work.along);
    ops_.each(count * inputs_, ThroughLength{work.product, rows.units, rows.squares, work.along, multiplier, inputs_,
                                             result, accumulate});
  }

  std::int64_t inputs_;
  std::int64_t outputs_;
  Scratch& scratch_;
  Ops ops_;
};

}  // namespace slipstream
