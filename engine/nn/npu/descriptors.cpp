// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/npu/descriptors.h"

#include <algorithm>
#include <memory>

#include "engine/base/error.h"
#include "engine/npu/copy_alignment.h"

namespace slipstream {
namespace {

template <class Handle>
Described<Handle> made(Handle* handle, aclnnStatus (*destroy)(const Handle*)) {
  if (handle == nullptr) throw Error("aclnn: a descriptor cannot be made");
  return {handle, destroy};
}

std::size_t bytesOfAclnn(int type) {
  if (type == aclnn::uint8) return 1;
  return type == aclnn::float16 || type == aclnn::bfloat16 ? 2 : 4;
}

/// Elements from the first of a view to behind its last.
std::int64_t reachOf(const ValuesView& view) {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < view.sizes.size(); ++i) last += (view.sizes[i] - 1) * view.strides[i];
  return last + 1;
}

}  // namespace

int aclnnType(NumberType type) {
  switch (type) {
    case NumberType::float32:
      return aclnn::float32;
    case NumberType::bfloat16:
      return aclnn::bfloat16;
    default:
      return aclnn::float16;
  }
}

/// The library takes storage that begins as the runtime allocates, and where in it the values begin.
TensorOfNpu describe(const ValuesView& view) {
  const std::size_t before = beforeAligned(view.data);
  auto* begin = static_cast<std::byte*>(const_cast<void*>(view.data)) - before;
  const auto offset = static_cast<std::int64_t>(before / bytesOfAclnn(view.type));
  const std::int64_t storage = offset + reachOf(view);
  return made(aclnnLibrary().createTensor(view.sizes.data(), view.sizes.size(), view.type, view.strides.data(), offset,
                                          view.format, &storage, 1, begin),
              aclnnLibrary().destroyTensor);
}

ScalarOfNpu scalar(float value) {
  return made(aclnnLibrary().createScalar(&value, aclnn::float32), aclnnLibrary().destroyScalar);
}

NumbersOfNpu numbers(const std::vector<std::int64_t>& values) {
  return made(aclnnLibrary().createIntArray(values.data(), values.size()), aclnnLibrary().destroyIntArray);
}

FlagsOfNpu flags(const std::vector<bool>& values) {
  const auto plain = std::make_unique<bool[]>(values.size());
  std::ranges::copy(values, plain.get());
  return made(aclnnLibrary().createBoolArray(plain.get(), values.size()), aclnnLibrary().destroyBoolArray);
}

ValuesView rowsOf(int type, const void* data, std::int64_t rows, std::int64_t columns) {
  return {type, data, {rows, columns}, {columns, 1}};
}

ValuesView transposed(ValuesView matrix) {
  std::swap(matrix.sizes[0], matrix.sizes[1]);
  std::swap(matrix.strides[0], matrix.strides[1]);
  return matrix;
}

ValuesView vectorOf(int type, const void* data, std::int64_t count) {
  return {type, data, {count}, {1}};
}

ValuesView imagesOf(int type, const void* data, std::int64_t batch, SampleShape shape) {
  return {type,
          data,
          {batch, shape.channels, shape.height, shape.width},
          {shape.elements(), 1, shape.width * shape.channels, shape.channels},
          aclnn::formatNchw};
}

ValuesView kernelsOf(int type, const void* data, std::int64_t outputs, std::int64_t kernel, std::int64_t inputs) {
  return {type,
          data,
          {outputs, inputs, kernel, kernel},
          {kernel * kernel * inputs, 1, kernel * inputs, inputs},
          aclnn::formatNchw};
}

}  // namespace slipstream
