// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "engine/base/error.h"
#include "engine/base/number_type.h"

namespace slipstream {

/// A view of values that pass between layers, stored as the network's memory plan says. `Byte` is const where they are
/// only read.
template <class Byte>
class BasicActivation {
 public:
  BasicActivation() = default;
  BasicActivation(NumberType type, Byte* values, std::size_t count) : type_(type), values_(values), count_(count) {}
  /// From what may be written to what is only read.
  template <class Other>
  requires std::is_convertible_v<Other*, Byte*> BasicActivation(const BasicActivation<Other>& other)
      : BasicActivation(other.type(), other.bytes(), other.size()) {}

  NumberType type() const { return type_; }
  std::size_t size() const { return count_; }
  bool empty() const { return count_ == 0; }
  Byte* bytes() const { return values_; }

  /// Throws Error where the values are of another type.
  template <class Value>
  auto* as() const {
    using Stored = std::conditional_t<std::is_const_v<Byte>, const Value, Value>;
    if (type_ != numberTypeOf<Value>) throw Error("values between layers were asked for as another type");
    return reinterpret_cast<Stored*>(values_);
  }

 private:
  NumberType type_ = NumberType::float32;
  Byte* values_ = nullptr;
  std::size_t count_ = 0;
};

using Activation = BasicActivation<std::byte>;
using ConstActivation = BasicActivation<const std::byte>;

inline ConstActivation activationOf(std::span<const float> values) {
  return {NumberType::float32, reinterpret_cast<const std::byte*>(values.data()), values.size()};
}

}  // namespace slipstream
