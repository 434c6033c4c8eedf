// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

#include "engine/npu/twin/core.h"

// Words that Huawei's compiler adds to C++. `half` is a macro since it is a word of the language there, so that no
// kernel can take it for a name.
#define __gm__
#define __aicore__
#define half _Float16

using GM_ADDR = __gm__ std::uint8_t*;

/// The upper half of a float.
struct bfloat16_t {
  std::uint16_t bits;
};

namespace AscendC {

using slipstream::twin::Core;
using slipstream::twin::Operand;
using slipstream::twin::Where;

/// Memory of the device, as far as SetGlobalBuffer declares it.
template <class T>
class GlobalTensor {
 public:
  void SetGlobalBuffer(__gm__ T* buffer, std::uint64_t bufferSize) {
    begin_ = buffer;
    size_ = bufferSize;
  }
  GlobalTensor operator[](std::uint64_t offset) const {
    GlobalTensor rest;
    rest.SetGlobalBuffer(begin_ + offset, offset <= size_ ? size_ - offset : 0);
    return rest;
  }
  T GetValue(std::uint64_t offset, Where where = Where::current()) const {
    Core& core = Core::current(where);
    core.require(offset < size_, "GetValue outside the declared global memory", where);
    core.readsGlobal(begin_ + offset, sizeof(T), where);
    return begin_[offset];
  }
  std::uint64_t GetSize() const { return size_; }
  __gm__ const T* GetPhyAddr() const { return begin_; }

  /// Of the twin: the address, for a copy.
  __gm__ T* address() const { return begin_; }

 private:
  __gm__ T* begin_ = nullptr;
  std::uint64_t size_ = 0;
};

/// Part of a buffer of the unified buffer.
template <class T>
class LocalTensor {
 public:
  LocalTensor() = default;
  explicit LocalTensor(const Operand& memory) : memory_(memory) {}

  LocalTensor operator[](std::uint32_t offset) const {
    Operand rest = memory_;
    const std::size_t bytes = offset * sizeof(T);
    rest.begin += bytes;
    rest.bytes = bytes <= rest.bytes ? rest.bytes - bytes : 0;
    return LocalTensor(rest);
  }
  T GetValue(std::uint32_t index, Where where = Where::current()) const {
    Core::current(where).scalarRead(element(index, where), where);
    return data()[index];
  }
  void SetValue(std::uint32_t index, T value, Where where = Where::current()) const {
    Core::current(where).scalarWrite(element(index, where), where);
    data()[index] = value;
  }
  template <class Other>
  LocalTensor<Other> ReinterpretCast() const {
    return LocalTensor<Other>(memory_);
  }
  std::uint32_t GetSize() const { return static_cast<std::uint32_t>(memory_.bytes / sizeof(T)); }

  /// Of the twin: the first elements, as an instruction's operand; ends the program where there are fewer.
  Operand first(std::size_t count, const Where& where) const {
    Core::current(where).require(count * sizeof(T) <= memory_.bytes, "an operand reaches beyond its tensor", where);
    Operand part = memory_;
    part.bytes = count * sizeof(T);
    return part;
  }
  T* data() const { return reinterpret_cast<T*>(memory_.begin); }
  const Operand& memory() const { return memory_; }

 private:
  Operand element(std::uint32_t index, const Where& where) const {
    Core::current(where).require((index + 1) * sizeof(T) <= memory_.bytes, "an element beyond its tensor", where);
    Operand one = memory_;
    one.begin += index * sizeof(T);
    one.bytes = sizeof(T);
    return one;
  }

  Operand memory_{0, 0, nullptr, 0};
};

inline std::int64_t GetBlockIdx(Where where = Where::current()) {
  return Core::current(where).block();
}
inline std::int64_t GetBlockNum(Where where = Where::current()) {
  return Core::current(where).blocks();
}

}  // namespace AscendC
