#pragma once

#include <bit>
#include <cstdint>

namespace slipstream {

/// How a value is stored. Arithmetic is done in fp32 or double whatever stands in memory.
enum class NumberType { float32, bfloat16 };

constexpr std::int64_t bytesOf(NumberType type) {
  return type == NumberType::float32 ? 4 : 2;
}

/// The upper half of a float: its exponent, and 7 bits of its mantissa.
struct Bfloat16 {
  std::uint16_t bits = 0;
};

constexpr float toFloat(float value) {
  return value;
}
constexpr float toFloat(Bfloat16 value) {
  return std::bit_cast<float>(std::uint32_t{value.bits} << 16U);
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

/// Calls `work` with a value of the type, which says nothing but its type.
template <class Work>
decltype(auto) withType(NumberType type, const Work& work) {
  return type == NumberType::float32 ? work(float{}) : work(Bfloat16{});
}

}  // namespace slipstream
