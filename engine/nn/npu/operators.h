// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/nn/npu/descriptors.h"
#include "engine/npu/npu_device.h"

namespace slipstream {

/// Gives Ascend's operators to the working stream of one NPU, in order, with workspace that they share. Outlives the
/// layers of a network. Of the thread that opened the NPU.
class NpuOperators {
 public:
  explicit NpuOperators(Device& device) : device_(device), queue_(aclQueueOf(device)) {}
  NpuOperators(const NpuOperators&) = delete;
  NpuOperators& operator=(const NpuOperators&) = delete;

  /// Both phases of an operator. Arguments are numbers, views, which are described for the length of the call, and
  /// descriptors. Throws Error that names the operator where one of the phases fails.
  template <class Prepare, class... Arguments>
  void give(const AclnnOperator<Prepare>& what, const Arguments&... arguments) {
    giveDescribed(what, descriptorOf(arguments)...);
  }

  /// to = from, of another type or order of elements, or repeated along dimensions of size 1.
  void copy(const ValuesView& to, const ValuesView& from) { give(aclnnLibrary().copy, to, from); }
  /// result = a + b, of which one may be repeated along dimensions of size 1; `result` may be one of them.
  void add(const ValuesView& a, const ValuesView& b, const ValuesView& result) {
    give(aclnnLibrary().add, a, b, scalar(1), result);
  }
  void multiply(const ValuesView& a, const ValuesView& b, const ValuesView& result) {
    give(aclnnLibrary().multiply, a, b, result);
  }
  void matrixProduct(const ValuesView& a, const ValuesView& b, const ValuesView& result) {
    give(aclnnLibrary().matmul, a, b, result, aclnn::keepsType);
  }
  /// Sums over the dimensions, which the result has not, or with size 1 where it `keeps` them.
  void sum(const ValuesView& a, const std::vector<std::int64_t>& over, bool keeps, const ValuesView& result) {
    give(aclnnLibrary().sum, a, numbers(over), keeps, aclnn::float32, result);
  }
  /// result = a where it is above zero, else zero; `result` may be a.
  void relu(const ValuesView& a, const ValuesView& result) { give(aclnnLibrary().relu, a, result); }
  /// result = gradient where `a` is above the threshold, else zero; `result` may be the gradient.
  void passWhereAbove(float threshold, const ValuesView& gradient, const ValuesView& a, const ValuesView& result) {
    give(aclnnLibrary().thresholdBackward, gradient, a, scalar(threshold), result);
  }
  /// Puts fp32 `made` in the place of a gradient of weights, or adds it.
  void deliver(const ValuesView& made, const ValuesView& gradient, bool accumulate) {
    if (accumulate) return add(gradient, made, gradient);
    copy(gradient, made);
  }

 private:
  static TensorOfNpu descriptorOf(const ValuesView& view) { return describe(view); }
  template <class Other>
  static const Other& descriptorOf(const Other& other) {
    return other;
  }
  template <class Handle>
  static Handle* plain(const Described<Handle>& descriptor) {
    return descriptor.handle();
  }
  template <class Number>
  static Number plain(Number number) {
    return number;
  }

  /// The descriptors live until the second phase was given.
  template <class Prepare, class... Descriptors>
  void giveDescribed(const AclnnOperator<Prepare>& what, const Descriptors&... descriptors) {
    queue_.select();
    std::uint64_t bytes = 0;
    aclOpExecutor* executor = nullptr;
    check(what.prepare(plain(descriptors)..., &bytes, &executor), what.name, "cannot be prepared");
    check(what.run(workspace(bytes), bytes, executor, queue_.stream()), what.name, "cannot be started");
  }

  static void check(aclnnStatus status, const char* name, const char* problem);
  void* workspace(std::uint64_t bytes);

  Device& device_;
  AclQueue& queue_;
  std::unique_ptr<Buffer> workspace_;
};

}  // namespace slipstream
