// SPDX-License-Identifier: GPL-3.0-or-later
// The fake libnnopbase.
#include "tests/npu/fake_cann/descriptors.h"

#include <cstring>
#include <mutex>
#include <set>

#include "tests/npu/fake_cann/fake_runtime.h"

namespace slipstream::fake {
namespace {

std::mutex descriptorsMutex;
std::set<const void*>& descriptors() {
  static auto* const all = new std::set<const void*>;
  return *all;
}

template <class Descriptor>
Descriptor* kept(Descriptor* descriptor) {
  const std::scoped_lock lock(descriptorsMutex);
  descriptors().insert(descriptor);
  return descriptor;
}

template <class Descriptor>
aclnnStatus destroyed(const std::string& call, const Descriptor* descriptor) {
  const std::scoped_lock lock(descriptorsMutex);
  if (descriptors().erase(descriptor) == 0) violation(call, "there is no such descriptor, or it was destroyed before");
  delete descriptor;
  return 0;
}

}  // namespace

void requireDescriptor(const std::string& call, const void* descriptor) {
  const std::scoped_lock lock(descriptorsMutex);
  if (!descriptors().contains(descriptor)) violation(call, "uses a descriptor that is not there, or not any more");
}

std::size_t bytesOfElement(const std::string& call, int type) {
  switch (type) {
    case aclnn::float32:
    case aclnn::int32:
      return 4;
    case aclnn::float16:
    case aclnn::bfloat16:
      return 2;
    case aclnn::uint8:
      return 1;
    default:
      violation(call, "an unknown type of values");
  }
}

}  // namespace slipstream::fake

using namespace slipstream::fake;  // NOLINT: the functions below have C's names

extern "C" {

aclTensor* aclCreateTensor(const std::int64_t* sizes, std::uint64_t dimensions, int type, const std::int64_t* strides,
                           std::int64_t offset, int format, const std::int64_t* storage,
                           std::uint64_t storageDimensions, void* data) {
  const std::string call = "aclCreateTensor";
  std::int64_t stored = 1;
  for (std::uint64_t i = 0; i < storageDimensions; ++i) stored *= storage[i];
  std::int64_t last = offset;
  for (std::uint64_t i = 0; i < dimensions; ++i) {
    if (sizes[i] < 1 || strides[i] < 0) violation(call, "a size below 1, or a stride below 0");
    last += (sizes[i] - 1) * strides[i];
  }
  if (offset < 0 || last >= stored) violation(call, "the view reaches beyond what is stored");
  if (format == slipstream::aclnn::formatNchw && dimensions != 4) violation(call, "NCHW has four dimensions");
  const std::size_t bytes = bytesOfElement(call, type);
  requireAligned(call, data);
  reach(call, data, static_cast<std::size_t>(stored) * bytes);
  return kept(new aclTensor{type,
                            {sizes, sizes + dimensions},
                            {strides, strides + dimensions},
                            format,
                            static_cast<std::byte*>(data) + static_cast<std::size_t>(offset) * bytes});
}
aclnnStatus aclDestroyTensor(const aclTensor* tensor) {
  return destroyed("aclDestroyTensor", tensor);
}

aclScalar* aclCreateScalar(void* value, int type) {
  if (type != slipstream::aclnn::float32) violation("aclCreateScalar", "an unknown type");
  float number = 0;
  std::memcpy(&number, value, sizeof(number));
  return kept(new aclScalar{static_cast<double>(number)});
}
aclnnStatus aclDestroyScalar(const aclScalar* scalar) {
  return destroyed("aclDestroyScalar", scalar);
}

aclIntArray* aclCreateIntArray(const std::int64_t* values, std::uint64_t count) {
  return kept(new aclIntArray{{values, values + count}});
}
aclnnStatus aclDestroyIntArray(const aclIntArray* array) {
  return destroyed("aclDestroyIntArray", array);
}

aclBoolArray* aclCreateBoolArray(const bool* values, std::uint64_t count) {
  return kept(new aclBoolArray{std::vector<bool>(values, values + count)});
}
aclnnStatus aclDestroyBoolArray(const aclBoolArray* array) {
  return destroyed("aclDestroyBoolArray", array);
}

std::size_t fakeCannLiveDescriptors() {
  const std::scoped_lock lock(descriptorsMutex);
  return descriptors().size();
}

}  // extern "C"
