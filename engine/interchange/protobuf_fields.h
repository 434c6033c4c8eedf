// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/interchange/protobuf_walk.h"

namespace slipstream {

// Appends fields of a message in protobuf's wire format (protobuf.dev, "Encoding").

inline void addVarint(std::string& bytes, std::uint64_t value) {
  while (value >= 0x80U) {
    bytes += static_cast<char>((value & 0x7FU) | 0x80U);
    value >>= 7;
  }
  bytes += static_cast<char>(value);
}

inline void addKey(std::string& bytes, int number, int type) {
  addVarint(bytes, static_cast<std::uint64_t>(number) << 3 | static_cast<std::uint64_t>(type));
}

/// A negative number takes ten bytes, as protobuf's int64 does.
inline void addInteger(std::string& bytes, int number, std::int64_t value) {
  addKey(bytes, number, wireVarint);
  addVarint(bytes, static_cast<std::uint64_t>(value));
}

/// Key and length of the field; its bytes follow.
inline void addLength(std::string& bytes, int number, std::uint64_t length) {
  addKey(bytes, number, wireBytes);
  addVarint(bytes, length);
}

/// A text, bytes or an inner message.
inline void addText(std::string& bytes, int number, std::string_view text) {
  addLength(bytes, number, text.size());
  bytes += text;
}

/// A double or a float.
template <class T>
void addFixed(std::string& bytes, int number, T value) {
  static_assert(sizeof(T) == 4 || sizeof(T) == 8);
  addKey(bytes, number, sizeof(T) == 8 ? wire64Bits : wire32Bits);
  const auto raw = std::bit_cast<std::array<char, sizeof(T)>>(value);
  bytes.append(raw.data(), raw.size());
}

}  // namespace slipstream
