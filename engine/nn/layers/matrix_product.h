// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace slipstream {

/// Row-major C [rows, columns] = op(A) op(B) + beta C, op(A) [rows, inner]; 'T' where A or B is stored transposed, else
/// 'N'. `beta` is 0 or 1. Large products are taken on the matrix unit where the processor has one (tile_products.h),
/// all others by oneDNN.
void multiply(char transposeA, char transposeB, std::int64_t rows, std::int64_t columns, std::int64_t inner,
              const float* a, const float* b, float beta, float* c);

}  // namespace slipstream
