// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "engine/base/number_type.h"
#include "engine/nn/activation.h"
#include "engine/nn/npu/aclnn_library.h"
#include "engine/spec/network_spec.h"

namespace slipstream {

/// One of the library's descriptors, destroyed with it. `Handle` is null where an operator is given nothing.
template <class Handle>
class Described {
 public:
  using Destroy = aclnnStatus (*)(const Handle*);
  Described() = default;
  Described(Handle* handle, Destroy destroy) : handle_(handle), destroy_(destroy) {}
  ~Described() {
    if (handle_ != nullptr) destroy_(handle_);
  }
  Described(Described&& other) noexcept : handle_(std::exchange(other.handle_, nullptr)), destroy_(other.destroy_) {}
  Described(const Described&) = delete;
  Described& operator=(const Described&) = delete;

  Handle* handle() const { return handle_; }

 private:
  Handle* handle_ = nullptr;
  Destroy destroy_ = nullptr;
};

using TensorOfNpu = Described<aclTensor>;
using ScalarOfNpu = Described<aclScalar>;
using NumbersOfNpu = Described<aclIntArray>;
using FlagsOfNpu = Described<aclBoolArray>;

int aclnnType(NumberType type);

/// Values of one type in memory of an NPU: `sizes`, and how many elements each of them is from the next.
struct ValuesView {
  int type;
  const void* data;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  int format = aclnn::formatNd;
};

TensorOfNpu describe(const ValuesView& view);
ScalarOfNpu scalar(float value);
NumbersOfNpu numbers(const std::vector<std::int64_t>& values);
FlagsOfNpu flags(const std::vector<bool>& values);

/// Of a matrix, row by row.
ValuesView rowsOf(int type, const void* data, std::int64_t rows, std::int64_t columns);
/// The same matrix with rows and columns exchanged, where it lies.
ValuesView transposed(ValuesView matrix);
/// Of a vector.
ValuesView vectorOf(int type, const void* data, std::int64_t count);
inline ValuesView vectorOf(std::span<const float> values) {
  return vectorOf(aclnn::float32, values.data(), std::ssize(values));
}
inline ValuesView vectorOf(ConstActivation values) {
  return vectorOf(aclnnType(values.type()), values.bytes(), std::ssize(values));
}
/// Of images that are stored NHWC, as the library names dimensions: N, C, H, W.
ValuesView imagesOf(int type, const void* data, std::int64_t batch, SampleShape shape);
inline ValuesView imagesOf(ConstActivation values, std::int64_t batch, SampleShape shape) {
  return imagesOf(aclnnType(values.type()), values.bytes(), batch, shape);
}
/// Of a convolution's weights that are stored OHWI, as the library names dimensions: O, I, H, W.
ValuesView kernelsOf(int type, const void* data, std::int64_t outputs, std::int64_t kernel, std::int64_t inputs);

}  // namespace slipstream
