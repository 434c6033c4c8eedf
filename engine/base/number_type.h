// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <string_view>

#include "engine/base/error.h"

namespace slipstream {

/// How a value is stored. Arithmetic is done in fp32 or double whatever is in memory.
enum class NumberType { float32, bfloat16, float16 };

constexpr std::int64_t bytesOf(NumberType type) {
  return type == NumberType::float32 ? 4 : 2;
}
constexpr std::string_view nameOf(NumberType type) {
  return type == NumberType::float32 ? "fp32" : type == NumberType::bfloat16 ? "bf16" : "fp16";
}

/// The upper half of a float: its exponent, and 7 bits of its mantissa.
struct Bfloat16 {
  std::uint16_t bits = 0;
};

/// IEEE 754's binary16: 5 bits of exponent, 10 of mantissa.
struct Float16 {
  std::uint16_t bits = 0;
};

template <class Value>
inline constexpr NumberType numberTypeOf = NumberType::float32;
template <>
inline constexpr NumberType numberTypeOf<Bfloat16> = NumberType::bfloat16;
template <>
inline constexpr NumberType numberTypeOf<Float16> = NumberType::float16;

constexpr float toFloat(float value) {
  return value;
}
constexpr float toFloat(Bfloat16 value) {
  return std::bit_cast<float>(std::uint32_t{value.bits} << 16U);
}
constexpr float toFloat(Float16 value) {
  const std::uint32_t sign = (value.bits & 0x8000U) << 16U;
  const std::uint32_t size = value.bits & 0x7FFFU;
  if (size >= 0x7C00U) return std::bit_cast<float>(sign | 0x7F800000U | ((size & 0x3FFU) << 13U));
  if (size >= 0x400U) return std::bit_cast<float>(sign | ((size << 13U) + (112U << 23U)));
  constexpr float smallest = 0x1p-24F;
  return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(static_cast<float>(size) * smallest));
}

/// The nearest Value, of two equally near ones the even; a NaN stays one.
template <class Value>
constexpr Value fromFloat(float value);
template <>
constexpr float fromFloat<float>(float value) {
  return value;
}
template <>
constexpr Bfloat16 fromFloat<Bfloat16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t rounded = (bits + 0x7FFFU + ((bits >> 16U) & 1U)) >> 16U;
  const std::uint32_t quietNan = (bits >> 16U) | 0x40U;
  const bool isNan = (bits & 0x7FFFFFFFU) > 0x7F800000U;
  return {static_cast<std::uint16_t>(isNan ? quietNan : rounded)};
}
template <>
constexpr Float16 fromFloat<Float16>(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = (bits >> 16U) & 0x8000U;
  const std::uint32_t size = bits & 0x7FFFFFFFU;
  constexpr std::uint32_t smallestNormal = 0x38800000U, firstToInfinity = 0x477FF000U, infinity = 0x7F800000U;
  std::uint32_t rounded = ((size + 0xFFFU + ((size >> 13U) & 1U)) - (112U << 23U)) >> 13U;
  if (size >= firstToInfinity) rounded = size > infinity ? 0x7E00U : 0x7C00U;
  // Adding a half, whose last bit is the smallest binary16, rounds to a multiple of that.
  if (size < smallestNormal) rounded = std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5F) - 0x3F000000U;
  return {static_cast<std::uint16_t>(sign | rounded)};
}

/// Calls `work` with a value of the type, which says nothing but its type. The CPU computes with these two only: throws
/// Error for fp16.
template <class Work>
decltype(auto) withType(NumberType type, const Work& work) {
  if (type == NumberType::float16) throw Error("the CPU does not compute with fp16: use bf16 or fp32");
  return type == NumberType::float32 ? work(float{}) : work(Bfloat16{});
}

}  // namespace slipstream
