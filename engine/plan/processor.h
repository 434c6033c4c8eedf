// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace slipstream {

/// What the CPU kernels are compiled for that this processor has: avx512_amx, avx512, avx2 or baseline.
std::string instructionSet();

/// Whether this processor has instructions for products of bf16 (AVX-512 BF16 or AMX).
bool multipliesBfloat16();

/// Whether this processor has a matrix unit for bf16 (AMX), with AVX-512 BF16, and the operating system lets this
/// process use it.
bool multipliesTiles();

}  // namespace slipstream
