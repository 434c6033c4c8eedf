// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <type_traits>

#include "engine/npu/twin/tensors.h"

namespace AscendC {

enum class RoundMode : std::uint8_t { CAST_NONE, CAST_RINT };
enum class CMPMODE : std::uint8_t { LT, GT, EQ, LE, GE, NE };
enum class SELMODE : std::uint8_t { VSEL_CMPMASK_SPR, VSEL_TENSOR_SCALAR_MODE, VSEL_TENSOR_TENSOR_MODE };

/// What the vector unit of an Atlas A2 computes with: no doubles, and bfloat16 only through a Cast.
template <class T>
inline constexpr bool computes = std::is_same_v<T, half> || std::is_same_v<T, float>;
template <class T>
inline constexpr bool addsIntegers = computes<T> || std::is_same_v<T, std::int16_t> || std::is_same_v<T, std::int32_t>;
template <class T>
inline constexpr bool duplicates = addsIntegers<T> || std::is_same_v<T, bfloat16_t> ||
                                   std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::uint32_t>;

/// Checks the laws and then computes to[i] = operation(a[i], b[i]). Operands are apart, or the same.
template <class T, class Operation>
void binaryInstruction(const LocalTensor<T>& to, const LocalTensor<T>& a, const LocalTensor<T>& b, std::int32_t count,
                       const Where& where, const Operation& operation) {
  const auto size = static_cast<std::size_t>(count);
  Core::current(where).vectorInstruction(to.first(size, where), {a.first(size, where), b.first(size, where)}, where);
  T* result = to.data();
  const T* left = a.data();
  const T* right = b.data();
#pragma GCC ivdep
  for (std::size_t i = 0; i < size; ++i) result[i] = operation(left[i], right[i]);
}

/// to[i] = operation(from[i]).
template <class To, class From, class Operation>
void unaryInstruction(const LocalTensor<To>& to, const LocalTensor<From>& from, std::int32_t count, const Where& where,
                      const Operation& operation) {
  const auto size = static_cast<std::size_t>(count);
  Core::current(where).vectorInstruction(to.first(size, where), {from.first(size, where)}, where);
  To* result = to.data();
  const From* values = from.data();
#pragma GCC ivdep
  for (std::size_t i = 0; i < size; ++i) result[i] = operation(values[i]);
}

template <class T>
void Add(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const std::int32_t& count,
         Where where = Where::current()) {
  static_assert(addsIntegers<T>);
  binaryInstruction(dst, src0, src1, count, where, [](T a, T b) { return static_cast<T>(a + b); });
}

template <class T>
void Sub(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const std::int32_t& count,
         Where where = Where::current()) {
  static_assert(addsIntegers<T>);
  binaryInstruction(dst, src0, src1, count, where, [](T a, T b) { return static_cast<T>(a - b); });
}

template <class T>
void Mul(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const std::int32_t& count,
         Where where = Where::current()) {
  static_assert(addsIntegers<T>);
  binaryInstruction(dst, src0, src1, count, where, [](T a, T b) { return static_cast<T>(a * b); });
}

template <class T>
void Div(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const std::int32_t& count,
         Where where = Where::current()) {
  static_assert(computes<T>);
  binaryInstruction(dst, src0, src1, count, where, [](T a, T b) { return static_cast<T>(a / b); });
}

/// Of NaN the documentation promises nothing.
template <class T>
void Max(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const std::int32_t& count,
         Where where = Where::current()) {
  static_assert(addsIntegers<T>);
  binaryInstruction(dst, src0, src1, count, where, [](T a, T b) { return a > b ? a : b; });
}

/// Bit by bit, of numbers of 16 bits.
template <class T>
void And(const LocalTensor<T>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, const std::int32_t& count,
         Where where = Where::current()) {
  static_assert(std::is_same_v<T, std::uint16_t> || std::is_same_v<T, std::int16_t>);
  binaryInstruction(dst, src0, src1, count, where, [](T a, T b) { return static_cast<T>(a & b); });
}

template <class T>
void Adds(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const std::int32_t& count,
          Where where = Where::current()) {
  static_assert(addsIntegers<T>);
  unaryInstruction(dst, src, count, where, [scalarValue](T a) { return static_cast<T>(a + scalarValue); });
}

template <class T>
void Muls(const LocalTensor<T>& dst, const LocalTensor<T>& src, const T& scalarValue, const std::int32_t& count,
          Where where = Where::current()) {
  static_assert(addsIntegers<T>);
  unaryInstruction(dst, src, count, where, [scalarValue](T a) { return static_cast<T>(a * scalarValue); });
}

template <class T>
void Abs(const LocalTensor<T>& dst, const LocalTensor<T>& src, const std::int32_t& count,
         Where where = Where::current()) {
  static_assert(computes<T>);
  unaryInstruction(dst, src, count, where, [](T a) { return static_cast<T>(std::fabs(static_cast<float>(a))); });
}

/// Rounded to the nearest here; the documentation promises a unit of the last place.
template <class T>
void Sqrt(const LocalTensor<T>& dst, const LocalTensor<T>& src, const std::int32_t& count,
          Where where = Where::current()) {
  static_assert(computes<T>);
  unaryInstruction(dst, src, count, where, [](T a) { return static_cast<T>(std::sqrt(static_cast<float>(a))); });
}

template <class T>
void Duplicate(const LocalTensor<T>& dst, const T& scalarValue, const std::int32_t& count,
               Where where = Where::current()) {
  static_assert(duplicates<T>);
  const auto size = static_cast<std::size_t>(count);
  Core::current(where).vectorInstruction(dst.first(size, where), {}, where);
  for (std::size_t i = 0; i < size; ++i) dst.data()[i] = scalarValue;
}

/// To the nearest number, of two equally near ones the even.
inline bfloat16_t nearestBfloat16(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  if (value != value) return {static_cast<std::uint16_t>((bits >> 16U) | 0x40U)};
  return {static_cast<std::uint16_t>((bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U)};
}

/// From float to what is smaller, rounded to the nearest.
template <class To, class From>
void Cast(const LocalTensor<To>& dst, const LocalTensor<From>& src, const RoundMode& roundMode,
          const std::uint32_t& count, Where where = Where::current()) {
  static_assert(std::is_same_v<From, float> && (std::is_same_v<To, half> || std::is_same_v<To, bfloat16_t>));
  Core::current(where).require(roundMode == RoundMode::CAST_RINT, "Cast: the kernels round to the nearest", where);
  unaryInstruction(dst, src, static_cast<std::int32_t>(count), where, [](float value) {
    if constexpr (std::is_same_v<To, half>) {
      return static_cast<half>(value);
    } else {
      return nearestBfloat16(value);
    }
  });
}

template <class T>
bool compared(T a, T b, CMPMODE mode) {
  switch (mode) {
    case CMPMODE::LT:
      return a < b;
    case CMPMODE::GT:
      return a > b;
    case CMPMODE::EQ:
      return a == b;
    case CMPMODE::LE:
      return a <= b;
    case CMPMODE::GE:
      return a >= b;
    case CMPMODE::NE:
      return a != b;
  }
  return false;
}

/// One bit an element, the first one lowest. Works on whole repeats of 256 bytes.
template <class T, class U>
void Compare(const LocalTensor<U>& dst, const LocalTensor<T>& src0, const LocalTensor<T>& src1, CMPMODE cmpMode,
             std::uint32_t count, Where where = Where::current()) {
  static_assert(computes<T> && std::is_same_v<U, std::uint8_t>);
  Core& core = Core::current(where);
  core.require(count * sizeof(T) % 256 == 0, "Compare: the elements are no multiple of 256 bytes", where);
  core.vectorInstruction(dst.first(count / 8, where), {src0.first(count, where), src1.first(count, where)}, where);
  for (std::size_t byte = 0; byte < count / 8; ++byte) {
    unsigned bits = 0;
    for (std::size_t k = 0; k < 8; ++k) {
      const std::size_t i = 8 * byte + k;
      bits |= static_cast<unsigned>(compared(src0.data()[i], src1.data()[i], cmpMode)) << k;
    }
    dst.data()[byte] = static_cast<std::uint8_t>(bits);
  }
}

/// to[i] = a[i] where the bit is set, else other(i).
template <class T, class U, class Other>
void selectInstruction(const LocalTensor<T>& dst, const LocalTensor<U>& mask, const LocalTensor<T>& a,
                       std::uint32_t count, const Other& other) {
  for (std::size_t i = 0; i < count; ++i) {
    const bool set = (static_cast<unsigned>(mask.data()[i / 8]) >> (i % 8) & 1U) != 0;
    dst.data()[i] = set ? a.data()[i] : other(i);
  }
}

template <class T, class U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0,
            const LocalTensor<T>& src1, SELMODE selMode, std::uint32_t count, Where where = Where::current()) {
  static_assert(computes<T> && std::is_same_v<U, std::uint8_t>);
  Core& core = Core::current(where);
  core.require(selMode == SELMODE::VSEL_TENSOR_TENSOR_MODE, "Select of two tensors has another mode", where);
  core.reserveForSelect(where);
  core.vectorInstruction(dst.first(count, where),
                         {src0.first(count, where), src1.first(count, where), selMask.first((count + 7) / 8, where)},
                         where);
  selectInstruction(dst, selMask, src0, count, [&](std::size_t i) { return src1.data()[i]; });
}

template <class T, class U>
void Select(const LocalTensor<T>& dst, const LocalTensor<U>& selMask, const LocalTensor<T>& src0, T src1,
            SELMODE selMode, std::uint32_t count, Where where = Where::current()) {
  static_assert(computes<T> && std::is_same_v<U, std::uint8_t>);
  Core& core = Core::current(where);
  core.require(selMode == SELMODE::VSEL_TENSOR_SCALAR_MODE, "Select of a tensor and a scalar has another mode", where);
  core.reserveForSelect(where);
  core.vectorInstruction(dst.first(count, where), {src0.first(count, where), selMask.first((count + 7) / 8, where)},
                         where);
  selectInstruction(dst, selMask, src0, count, [src1](std::size_t) { return src1; });
}

}  // namespace AscendC
