// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <tl/expected.hpp>

namespace slipstream {

/// Pixels [top, bottom) x [left, right).
struct PixelBox {
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t bottom = 0;
  std::int64_t right = 0;
  bool operator==(const PixelBox&) const = default;
};

/// A part of an image: RGB, one byte a value, row by row.
struct ImagePart {
  PixelBox box;                      ///< that is held: at least what was asked for
  std::int64_t stride = 0;           ///< bytes from row to row
  std::vector<std::uint8_t> values;  ///< at least those rows and `padding` bytes

  /// Bytes that may be read behind the last row.
  static constexpr std::size_t padding = 64;

  const std::uint8_t* row(std::int64_t y) const { return values.data() + (y - box.top) * stride; }
};

/// What is wrong with an image, without full stop.
template <class T>
using Decoded = tl::expected<T, std::string>;

/// Bytes at the end of a file that say whether it was cut short.
inline constexpr std::size_t tailBytes = 64;

}  // namespace slipstream
