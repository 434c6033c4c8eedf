// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "tests/npu/fake_cann/descriptors.h"
#include "tests/npu/fake_cann/fake_runtime.h"

namespace slipstream::fake {

using Sizes = std::vector<std::int64_t>;
/// Of a tensor, as its dimensions are named: the last one runs fastest, whatever the strides are.
using Values = std::vector<double>;

std::int64_t countOf(const Sizes& sizes);

/// What an executor remembers of a tensor, whose descriptor may go before the work runs.
class Operand {
 public:
  Operand() = default;
  Operand(std::string call, const aclTensor& tensor);

  explicit operator bool() const { return data_ != nullptr; }
  const Sizes& sizes() const { return sizes_; }
  std::int64_t size(std::size_t dimension) const { return sizes_[dimension]; }
  int type() const { return type_; }
  int format() const { return format_; }
  Touched touched() const;

  Values read() const;
  /// Each value is rounded to the type once.
  void write(const Values& values) const;

 private:
  template <class Each>
  void forEach(const Each& each) const;

  std::string call_;
  int type_ = 0;
  Sizes sizes_;
  Sizes strides_;
  int format_ = 0;
  void* data_ = nullptr;
};

/// The first phase of an operator: collects what it is given, and makes the executor.
class OperatorCall {
 public:
  explicit OperatorCall(std::string name) : name_(std::move(name)) {}

  Operand tensor(const aclTensor* tensor);
  /// Which may be null.
  Operand tensorOrNone(const aclTensor* tensor);
  double scalar(const aclScalar* scalar);
  Sizes numbers(const aclIntArray* array, std::size_t count);
  Sizes numbers(const aclIntArray* array);
  std::vector<bool> flags(const aclBoolArray* array, std::size_t count);

  /// A violation where it does not hold.
  void require(bool holds, const std::string& otherwise) const;
  /// `work` reads and writes the operands.
  aclnnStatus prepared(std::uint64_t* bytes, aclOpExecutor** executor, std::function<void()> work);

 private:
  std::string name_;
  std::vector<const void*> descriptors_;
  std::vector<Touched> uses_;
};

/// The second phase of every operator.
aclnnStatus runOperator(const std::string& name, void* workspace, std::uint64_t bytes, aclOpExecutor* executor,
                        aclrtStream stream);

}  // namespace slipstream::fake

extern "C" {
/// Executors that were prepared and not used.
std::size_t fakeCannUnusedExecutors();
}
