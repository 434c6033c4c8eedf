// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>

#include "engine/npu/twin/vector_instructions.h"

namespace AscendC {

inline constexpr std::int32_t mostRepeats = 255;

/// The sum of up to one repeat's elements: neighbours in pairs, and then the pairs' sums likewise.
template <class T>
T sumOfRepeat(const T* values, std::size_t count) {
  constexpr std::size_t most = 256 / sizeof(T);
  T sums[most] = {};
  for (std::size_t i = 0; i < count; ++i) sums[i] = values[i];
  for (std::size_t width = most / 2; width > 0; width /= 2) {
    for (std::size_t i = 0; i < width; ++i) sums[i] = static_cast<T>(sums[2 * i] + sums[2 * i + 1]);
  }
  return sums[0];
}

/// dst[0] = the sum: in a tree inside each repeat of 256 bytes, the repeats one after the other.
template <class T>
void ReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
               const std::int32_t count, Where where = Where::current()) {
  static_assert(computes<T>);
  constexpr std::size_t repeat = 256 / sizeof(T);
  const auto size = static_cast<std::size_t>(count);
  Core& core = Core::current(where);
  core.vectorInstruction(sharedTmpBuffer.first(1, where), {}, where);
  core.vectorInstruction(dst.first(1, where), {src.first(size, where)}, where);
  T sum = sumOfRepeat(src.data(), size < repeat ? size : repeat);
  for (std::size_t i = repeat; i < size; i += repeat) {
    sum = static_cast<T>(sum + sumOfRepeat(src.data() + i, size - i < repeat ? size - i : repeat));
  }
  dst.data()[0] = sum;
}

/// dst[0] = the largest; of NaN the documentation promises nothing. What the temporary memory holds is lost.
template <class T>
void ReduceMax(const LocalTensor<T>& dst, const LocalTensor<T>& src, const LocalTensor<T>& sharedTmpBuffer,
               const std::int32_t count, bool calIndex = false, Where where = Where::current()) {
  static_assert(computes<T>);
  constexpr std::size_t repeat = 256 / sizeof(T);
  const auto size = static_cast<std::size_t>(count);
  Core& core = Core::current(where);
  core.require(!calIndex, "ReduceMax: no kernel of the product asks for the index", where);
  const std::size_t needed = 2 * ((size + repeat - 1) / repeat);
  const Operand work = sharedTmpBuffer.first(needed, where);
  core.vectorInstruction(work, {src.first(size, where)}, where);
  core.vectorInstruction(dst.first(1, where), {src.first(size, where)}, where);
  T largest = src.data()[0];
  for (std::size_t i = 1; i < size; ++i) largest = src.data()[i] > largest ? src.data()[i] : largest;
  std::memset(work.begin, 0xff, work.bytes);
  dst.data()[0] = largest;
}

/// dst[r * dstRepStride] = the sum of the first `mask` elements of repeat r, in a tree.
template <class T>
void WholeReduceSum(const LocalTensor<T>& dst, const LocalTensor<T>& src, const std::int32_t mask,
                    const std::int32_t repeatTime, const std::int32_t dstRepStride, const std::int32_t srcBlkStride,
                    const std::int32_t srcRepStride, Where where = Where::current()) {
  static_assert(computes<T>);
  Core& core = Core::current(where);
  core.require(repeatTime >= 0 && repeatTime <= mostRepeats, "more than 255 repeats", where);
  core.require(mask > 0 && static_cast<std::size_t>(mask) * sizeof(T) <= 256, "a mask of more than a repeat", where);
  core.require(srcBlkStride == 1, "WholeReduceSum: blocks of a repeat lie side by side in the twin", where);
  if (repeatTime == 0) return;
  const auto repeats = static_cast<std::size_t>(repeatTime);
  const std::size_t step = static_cast<std::size_t>(srcRepStride) * 32 / sizeof(T);
  const auto apart = static_cast<std::size_t>(dstRepStride);
  core.vectorInstruction(dst.first((repeats - 1) * apart + 1, where),
                         {src.first((repeats - 1) * step + static_cast<std::size_t>(mask), where)}, where);
  for (std::size_t r = 0; r < repeats; ++r) {
    dst.data()[r * apart] = sumOfRepeat(src.data() + r * step, static_cast<std::size_t>(mask));
  }
}

}  // namespace AscendC
