// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>

/// IEEE 754's binary16.
struct __half {
  std::uint16_t bits;
};

/// To the nearest, of two equally near ones the even.
inline __half __float2half_rn(float value) {
  return {std::bit_cast<std::uint16_t>(static_cast<_Float16>(value))};
}
inline float __half2float(__half value) {
  return static_cast<float>(std::bit_cast<_Float16>(value.bits));
}
inline unsigned short __half_as_ushort(__half value) {
  return value.bits;
}
