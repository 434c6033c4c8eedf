// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace slipstream {

/// The instruction sets that the CPU kernels are compiled for; avx512Amx is AVX-512 with the matrix unit.
enum class InstructionSet { baseline, avx2, avx512, avx512Amx };

/// "avx512_amx", as plans record it.
std::string nameOf(InstructionSet set);
/// Nothing for a name that another version of the program has recorded.
std::optional<InstructionSet> findInstructionSet(const std::string& name);

/// The largest of them that this processor has and this process may use.
InstructionSet instructionSet();

/// Whether this processor has instructions for products of bf16 (AVX-512 BF16 or AMX).
bool multipliesBfloat16();

/// Whether this processor has a matrix unit for bf16 (AMX), with AVX-512 BF16, and neither the operating system nor
/// SLIPSTREAM_MATRIX_UNIT keeps this process from using it.
bool multipliesTiles();

/// Whether a run that recorded this instruction set keeps its bits on a processor with a matrix unit only without that.
bool excludesMatrixUnit(const std::string& recorded);

/// Whether this machine computes with the same bits as one with the recorded instruction set. With a matrix unit it
/// does without that where the record did.
bool computesAs(const std::string& recorded);

}  // namespace slipstream
