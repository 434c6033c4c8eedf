// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/matrix_product.h"

#include <dnnl.h>

#include "engine/base/error.h"
#include "engine/nn/layers/tile_products.h"
#include "engine/probe/processor.h"

namespace slipstream {

void multiply(char transposeA, char transposeB, std::int64_t rows, std::int64_t columns, std::int64_t inner,
              const float* a, const float* b, float beta, float* c) {
  const auto strideA = transposeA == 'T' ? rows : inner;
  const auto strideB = transposeB == 'T' ? inner : columns;
  if (multipliesTiles() && gainsFromTiles(rows, columns, inner)) {
    return multiplyTiles({a, strideA, transposeA == 'T'}, {b, strideB, transposeB == 'N'}, {rows, columns, inner},
                         beta != 0, c);
  }
  const auto status =
      dnnl_sgemm(transposeA, transposeB, rows, columns, inner, 1.0F, a, strideA, b, strideB, beta, c, columns);
  if (status != dnnl_success) throw Error("oneDNN refused a matrix product");
}

}  // namespace slipstream
