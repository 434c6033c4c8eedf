// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>

#include "engine/npu/twin/tensors.h"

namespace AscendC {

/// Rows of a copy with padding. Lengths and strides of global memory are bytes, strides of local memory are blocks of
/// 32 bytes; a stride counts from the end of one row to the beginning of the next.
struct DataCopyExtParams {
  std::uint16_t blockCount = 1;
  std::uint32_t blockLen = 0;
  std::int64_t srcStride = 0;
  std::int64_t dstStride = 0;
  std::uint32_t rsv = 0;
};

/// What is beside every row in local memory: elements of `paddingValue`.
template <class T>
struct DataCopyPadExtParams {
  bool isPad = false;
  std::uint8_t leftPadding = 0;
  std::uint8_t rightPadding = 0;
  T paddingValue = 0;
};

/// What a copy may not be; nothing where it is allowed.
const char* brokenPlainCopy(const void* global, const std::byte* local, std::size_t bytes);
const char* brokenPaddedCopy(const DataCopyExtParams& params, const std::byte* local);

inline void requireCopy(const char* broken, const Where& where) {
  if (broken != nullptr) Core::current(where).broken(broken, where);
}

template <class T>
void DataCopy(const LocalTensor<T>& to, const GlobalTensor<T>& from, std::uint32_t count,
              Where where = Where::current()) {
  Core& core = Core::current(where);
  const std::size_t bytes = count * sizeof(T);
  requireCopy(brokenPlainCopy(from.address(), to.memory().begin, bytes), where);
  core.require(count <= from.GetSize(), "a copy reads outside the declared global memory", where);
  core.readsGlobal(from.address(), bytes, where);
  core.copyIn(
      to.first(count, where),
      [source = from.address(), target = to.data(), bytes] { std::memcpy(target, source, bytes); }, where);
}

template <class T>
void DataCopy(const GlobalTensor<T>& to, const LocalTensor<T>& from, std::uint32_t count,
              Where where = Where::current()) {
  Core& core = Core::current(where);
  const std::size_t bytes = count * sizeof(T);
  requireCopy(brokenPlainCopy(to.address(), from.memory().begin, bytes), where);
  core.require(count <= to.GetSize(), "a copy writes outside the declared global memory", where);
  core.writesGlobal(to.address(), bytes, where);
  core.copyOut(
      from.first(count, where),
      [source = from.data(), target = to.address(), bytes] { std::memcpy(target, source, bytes); }, where);
}

/// One row at a time; the rest of the row's last block keeps what it held.
template <class T>
void DataCopyPad(const LocalTensor<T>& to, const GlobalTensor<T>& from, const DataCopyExtParams& params,
                 const DataCopyPadExtParams<T>& pad, Where where = Where::current()) {
  Core& core = Core::current(where);
  requireCopy(brokenPaddedCopy(params, to.memory().begin), where);
  const std::size_t left = pad.isPad ? pad.leftPadding : 0;
  const std::size_t right = pad.isPad ? pad.rightPadding : 0;
  core.require(left * sizeof(T) <= 32 && right * sizeof(T) <= 32, "padding of more than 32 bytes", where);
  const std::size_t filled = (left + right) * sizeof(T) + params.blockLen;
  const std::size_t row = (filled + 31) / 32 * 32 + static_cast<std::size_t>(params.dstStride) * 32;
  const std::size_t step = params.blockLen + static_cast<std::size_t>(params.srcStride);
  const std::size_t rows = params.blockCount;
  core.require((rows - 1) * step + params.blockLen <= from.GetSize() * sizeof(T),
               "a copy reads outside the declared global memory", where);
  const auto* source = reinterpret_cast<const std::byte*>(from.address());
  for (std::size_t r = 0; r < rows; ++r) core.readsGlobal(source + r * step, params.blockLen, where);
  const auto copy = [=, target = to.data(), length = params.blockLen, value = pad.paddingValue] {
    for (std::size_t r = 0; r < rows; ++r) {
      T* at = reinterpret_cast<T*>(reinterpret_cast<std::byte*>(target) + r * row);
      for (std::size_t k = 0; k < left; ++k) at[k] = value;
      std::memcpy(at + left, source + r * step, length);
      for (std::size_t k = 0; k < right; ++k) at[left + length / sizeof(T) + k] = value;
    }
  };
  core.copyIn(to.first(((rows - 1) * row + filled) / sizeof(T), where), copy, where);
}

template <class T>
void DataCopyPad(const GlobalTensor<T>& to, const LocalTensor<T>& from, const DataCopyExtParams& params,
                 Where where = Where::current()) {
  Core& core = Core::current(where);
  requireCopy(brokenPaddedCopy(params, from.memory().begin), where);
  const std::size_t length = params.blockLen;
  const std::size_t row = (length + 31) / 32 * 32 + static_cast<std::size_t>(params.srcStride) * 32;
  const std::size_t step = length + static_cast<std::size_t>(params.dstStride);
  const std::size_t rows = params.blockCount;
  core.require((rows - 1) * step + length <= to.GetSize() * sizeof(T),
               "a copy writes outside the declared global memory", where);
  auto* target = reinterpret_cast<std::byte*>(to.address());
  for (std::size_t r = 0; r < rows; ++r) core.writesGlobal(target + r * step, length, where);
  const auto copy = [=, source = from.memory().begin] {
    for (std::size_t r = 0; r < rows; ++r) std::memcpy(target + r * step, source + r * row, length);
  };
  core.copyOut(from.first(((rows - 1) * row + length) / sizeof(T), where), copy, where);
}

}  // namespace AscendC
