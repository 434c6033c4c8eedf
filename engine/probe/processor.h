// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace slipstream {

/// What the CPU kernels are compiled for that this processor has: avx512_amx (AVX-512 with the matrix unit), avx512,
/// avx2 or baseline.
std::string instructionSet();

/// Whether this processor has instructions for products of bf16 (AVX-512 BF16 or AMX).
bool multipliesBfloat16();

/// Whether this processor has a matrix unit for bf16 (AMX), with AVX-512 BF16, and neither the operating system nor
/// SLIPSTREAM_MATRIX_UNIT keeps this process from using it.
bool multipliesTiles();

/// Whether this machine computes with the same bits as one with the recorded instruction set. With a matrix unit it
/// does without that where the record did.
bool computesAs(const std::string& recorded);

}  // namespace slipstream
