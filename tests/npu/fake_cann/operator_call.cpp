// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/npu/fake_cann/operator_call.h"

#include <cstring>
#include <memory>
#include <mutex>
#include <set>

#include "engine/base/number_type.h"

struct aclOpExecutor {
  std::string name;
  std::uint64_t workspace;
  std::vector<const void*> descriptors;
  std::vector<slipstream::fake::Touched> uses;
  std::function<void()> work;
};

namespace slipstream::fake {
namespace {

std::mutex executorsMutex;
std::set<aclOpExecutor*>& executors() {
  static auto* const all = new std::set<aclOpExecutor*>;
  return *all;
}

/// Of some operators none, of the others something odd.
std::uint64_t workspaceOf(const std::string& name) {
  const std::size_t letters = name.size();
  return letters % 3 == 0 ? 0 : 512 + 32 * (letters % 7) + 1;
}

template <class Stored>
double loaded(const std::byte* at) {
  Stored value;
  std::memcpy(&value, at, sizeof(value));
  return static_cast<double>(value);
}
template <class Half>
double loadedHalf(const std::byte* at) {
  Half value;
  std::memcpy(&value, at, sizeof(value));
  return static_cast<double>(toFloat(value));
}

double load(const std::byte* at, int type) {
  switch (type) {
    case aclnn::float32:
      return loaded<float>(at);
    case aclnn::int32:
      return loaded<std::int32_t>(at);
    case aclnn::uint8:
      return loaded<std::uint8_t>(at);
    case aclnn::float16:
      return loadedHalf<Float16>(at);
    default:
      return loadedHalf<Bfloat16>(at);
  }
}

template <class Stored>
void put(std::byte* at, Stored value) {
  std::memcpy(at, &value, sizeof(value));
}

void store(std::byte* at, int type, double value) {
  switch (type) {
    case aclnn::float32:
      return put(at, static_cast<float>(value));
    case aclnn::int32:
      return put(at, static_cast<std::int32_t>(value));
    case aclnn::uint8:
      return put(at, static_cast<std::uint8_t>(value));
    case aclnn::float16:
      return put(at, fromFloat<Float16>(static_cast<float>(value)));
    default:
      return put(at, fromFloat<Bfloat16>(static_cast<float>(value)));
  }
}

}  // namespace

std::int64_t countOf(const Sizes& sizes) {
  std::int64_t count = 1;
  for (const std::int64_t size : sizes) count *= size;
  return count;
}

Operand::Operand(std::string call, const aclTensor& tensor)
    : call_(std::move(call)),
      type_(tensor.type),
      sizes_(tensor.sizes),
      strides_(tensor.strides),
      format_(tensor.format),
      data_(tensor.data) {}

Touched Operand::touched() const {
  std::int64_t last = 0;
  for (std::size_t i = 0; i < sizes_.size(); ++i) last += (sizes_[i] - 1) * strides_[i];
  return {data_, static_cast<std::size_t>(last + 1) * bytesOfElement(call_, type_)};
}

/// Calls `each(bytes from the start)` in the order of the values.
template <class Each>
void Operand::forEach(const Each& each) const {
  const auto bytes = static_cast<std::int64_t>(bytesOfElement(call_, type_));
  Sizes at(sizes_.size(), 0);
  std::int64_t offset = 0;
  for (std::int64_t left = countOf(sizes_); left > 0; --left) {
    each(offset * bytes);
    for (std::size_t i = sizes_.size(); i-- > 0;) {
      offset += strides_[i];
      if (++at[i] < sizes_[i]) break;
      offset -= sizes_[i] * strides_[i];
      at[i] = 0;
    }
  }
}

Values Operand::read() const {
  Values values;
  values.reserve(static_cast<std::size_t>(countOf(sizes_)));
  const std::byte* memory = reach(call_, data_, touched().bytes);
  forEach([&](std::int64_t offset) { values.push_back(load(memory + offset, type_)); });
  return values;
}

void Operand::write(const Values& values) const {
  std::byte* memory = reach(call_, data_, touched().bytes);
  auto next = values.begin();
  forEach([&](std::int64_t offset) { store(memory + offset, type_, *next++); });
}

Operand OperatorCall::tensor(const aclTensor* tensor) {
  require(tensor != nullptr, "a tensor is missing");
  return tensorOrNone(tensor);
}

Operand OperatorCall::tensorOrNone(const aclTensor* tensor) {
  if (tensor == nullptr) return {};
  requireDescriptor(name_, tensor);
  descriptors_.push_back(tensor);
  const Operand operand(name_, *tensor);
  uses_.push_back(operand.touched());
  return operand;
}

double OperatorCall::scalar(const aclScalar* scalar) {
  requireDescriptor(name_, scalar);
  descriptors_.push_back(scalar);
  return scalar->value;
}

Sizes OperatorCall::numbers(const aclIntArray* array) {
  requireDescriptor(name_, array);
  descriptors_.push_back(array);
  return array->values;
}

Sizes OperatorCall::numbers(const aclIntArray* array, std::size_t count) {
  const Sizes values = numbers(array);
  require(values.size() == count, "a list of another length");
  return values;
}

std::vector<bool> OperatorCall::flags(const aclBoolArray* array, std::size_t count) {
  requireDescriptor(name_, array);
  descriptors_.push_back(array);
  require(array->values.size() == count, "a list of another length");
  return array->values;
}

void OperatorCall::require(bool holds, const std::string& otherwise) const {
  if (!holds) violation(name_ + "GetWorkspaceSize", otherwise);
}

aclnnStatus OperatorCall::prepared(std::uint64_t* bytes, aclOpExecutor** executor, std::function<void()> work) {
  currentDevice(name_ + "GetWorkspaceSize");
  *bytes = workspaceOf(name_);
  *executor = new aclOpExecutor{name_, *bytes, std::move(descriptors_), std::move(uses_), std::move(work)};
  const std::scoped_lock lock(executorsMutex);
  executors().insert(*executor);
  return 0;
}

aclnnStatus runOperator(const std::string& name, void* workspace, std::uint64_t bytes, aclOpExecutor* executor,
                        aclrtStream stream) {
  std::unique_ptr<aclOpExecutor> used;
  {
    const std::scoped_lock lock(executorsMutex);
    if (executors().erase(executor) == 0) violation(name, "there is no such executor, or it was used before");
    used.reset(executor);
  }
  if (used->name != name) violation(name, "the executor is one of " + used->name);
  if (bytes != used->workspace) violation(name, "is given another size of workspace than it asked for");
  if (bytes > 0) {
    reach(name, workspace, bytes);
    used->uses.push_back({workspace, bytes});
  }
  for (const void* descriptor : used->descriptors) requireDescriptor(name, descriptor);
  give(name, stream, used->uses, [name, workspace, bytes, work = used->work] {
    if (bytes > 0) std::memset(reach(name, workspace, bytes), 0xFF, bytes);  // it is the operator's
    work();
  });
  return 0;
}

}  // namespace slipstream::fake

extern "C" std::size_t fakeCannUnusedExecutors() {
  const std::scoped_lock lock(slipstream::fake::executorsMutex);
  return slipstream::fake::executors().size();
}
