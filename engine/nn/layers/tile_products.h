// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace slipstream {

/// Rows of A, or columns of B, which a product walks along its inner dimension.
struct ProductOperand {
  const float* values;
  std::int64_t stride;   ///< between rows as they are stored
  bool linesContiguous;  ///< neighbouring rows of A (columns of B) lie side by side, else inner neighbours do
};

struct ProductShape {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t inner;
};

/// Whether the products of this shape outweigh the splitting of both operands. Depends on nothing but the shape, and so
/// not on the number of threads.
bool gainsFromTiles(std::int64_t rows, std::int64_t columns, std::int64_t inner);

/// Row-major C [rows, columns] = A B, or C += A B, of fp32 on the processor's matrix unit (Intel AMX), which multiplies
/// bf16. Every operand is the sum of three bf16 values, each the rounded rest of those before; of their nine products
/// the six largest are summed in fp32. What is left out is below 2^-24 of the product of two values, so that the result
/// is as close to the exact one as a sum in fp32 (Henry, Tang, Heinecke, "Leveraging the bfloat16 Artificial
/// Intelligence Datatype For Higher-Precision Computations", ARITH 2019, section III). The unit takes
/// subnormal numbers for zero, so that operands below 2^-108 keep fewer bits. Infinite and invalid operands give
/// invalid results; finite ones above 3.38e38, which bf16 cannot hold, do so too. The same bits for any number of
/// threads. Only where multipliesTiles().
void multiplyTiles(const ProductOperand& a, const ProductOperand& b, const ProductShape& shape, bool accumulate,
                   float* c);

}  // namespace slipstream
