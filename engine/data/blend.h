// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/cache_lines.h"

namespace slipstream {

/// Whether this processor has the instructions of the wide way (AVX-512 with VBMI). Wide or not, the bits are the same.
bool blendsWide();

/// For each pixel of a line of the square, the two of the image's line that it lies between and the share of the
/// second.
struct PixelPairs {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> second;
  std::vector<float> share;
};

/// Makes rows as wide as the square of rows of an image, three channels a pixel: first * (1 - share) + second * share,
/// in 1/128 of a byte's step. Shares are rounded to 1/16384: the sums are whole numbers, the same in any arithmetic.
/// The wide way takes sixteen values at once, where those that they are made of lie near each other. One thread's own.
class ColumnBlend {
 public:
  /// Bytes that may be read behind a row, and values that may be written behind what is made of it.
  static constexpr std::size_t padding = 64;
  static constexpr std::size_t lanes = 16;

  using TwoRows = std::array<const std::uint8_t*, 2>;
  using TwoOutputs = std::array<std::int16_t*, 2>;

  explicit ColumnBlend(bool wide = blendsWide()) : wide_(wide) {}

  /// What run() makes from now on. Pixels count from the beginning of the row.
  void prepare(PixelPairs pairs);
  /// Two rows at a time, as what is known of a row's values is read once for both. Each row holds `pixels` pixels and
  /// padding, each output has room for the pairs' values and padding.
  void run(TwoRows rows, std::size_t pixels, TwoOutputs outputs);
  /// Whether the pairs are taken the wide way.
  bool isWide() const { return !steps_.empty(); }

  /// What sixteen values of the result are made of: bytes of the row, counted from `base`.
  struct Step {
    /// Four a value: first, nothing, second, nothing.
    alignas(64) std::array<std::uint8_t, 4 * lanes> bytes;
    /// Two a value: of the first and of the second, in 1/16384.
    alignas(64) std::array<std::int16_t, 2 * lanes> shares;
    std::int32_t base;
  };

 private:
  void runPlainly(const std::uint8_t* row, std::size_t pixels, std::int16_t* output);

  bool wide_;
  PixelPairs pairs_;         ///< shares in 1/16384
  std::vector<Step> steps_;  ///< empty: one pixel after the other
  CacheLineFloats row_;      ///< the image's as floats
  CacheLineFloats sums_;     ///< of the output, in 1/16384
};

/// Bytes of two rows in 1/128: upper + (lower - upper) * share, to the nearest. With the rounding of the rows
/// themselves no byte is further than 0.53 from the value that exact arithmetic has.
void blendRows(const std::int16_t* upper, const std::int16_t* lower, float share, std::size_t count,
               std::uint8_t* output, bool wide = blendsWide());

}  // namespace slipstream
