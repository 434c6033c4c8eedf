// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "engine/base/failure.h"
#include "engine/base/number_type.h"
#include "engine/device/device.h"

namespace slipstream {

/// One operand as cuBLASLt sees it, which counts columns first: a matrix of `rows` x `columns` whose columns begin
/// `stride` values apart.
struct ColumnMajor {
  std::int64_t rows;
  std::int64_t columns;
  std::int64_t stride;
  bool transposed;
};

/// Row-major C = op(A) op(B) is column-major C' = op(B)' op(A)': the same memory, the operands in the other order.
struct ColumnMajorProduct {
  ColumnMajor first;   ///< B
  ColumnMajor second;  ///< A
  ColumnMajor result;
};
ColumnMajorProduct columnMajorProduct(char transposeA, char transposeB, std::int64_t rows, std::int64_t columns,
                                      std::int64_t inner);

/// Both operands of a product, on the device.
struct Operands {
  NumberType type;
  const void* a;
  const void* b;
};
inline Operands operands(const float* a, const float* b) {
  return {NumberType::float32, a, b};
}

/// The largest power of two, up to 256, that divides the address.
std::uint32_t alignmentOf(const void* address);

/// Matrix products by cuBLASLt in the device's queue, added up in fp32 whatever the operands' type; fp32 is never taken
/// as TF32.
class MatrixProducts {
 public:
  /// Throws Error where libcublasLt cannot be loaded.
  explicit MatrixProducts(Device& device);
  ~MatrixProducts();
  MatrixProducts(const MatrixProducts&) = delete;
  MatrixProducts& operator=(const MatrixProducts&) = delete;

  /// As engine/nn/layers/matrix_product.h, with pointers to the device; the result is fp32.
  void multiply(char transposeA, char transposeB, std::int64_t rows, std::int64_t columns, std::int64_t inner,
                const Operands& of, float beta, float* c);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Loads libcublasLt; a failure where it cannot be. Throws Error where it is too old.
Status cublasLtIsThere();

}  // namespace slipstream
