#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/base/cache_lines.h"
#include "engine/data/normalization.h"

namespace slipstream {

/// Whether this processor has the instructions of the wide ways (AVX-512 with VBMI). Wide or not, the bits are the
/// same.
bool blendsWide();

/// For each pixel of a line of the square, the two of the picture's line that it lies between and the share of the
/// second.
struct PixelPairs {
  std::vector<std::int32_t> first;
  std::vector<std::int32_t> second;
  std::vector<float> share;
};

/// Makes normalised rows of the square of rows of a picture, three channels a pixel: first * (1 - share) + second *
/// share, times the channel's factor, plus its offset. Shares are rounded to 1 / 16384: the sums are whole numbers, the
/// same in any arithmetic, and less than a hundredth of a byte's step from what they would be. The wide way takes
/// sixteen values at once, where those that they are made of lie near each other. One thread's own.
class ColumnBlend {
 public:
  /// Bytes that may be read behind a row, and values that may be written behind what is made of it.
  static constexpr std::size_t padding = 64;
  static constexpr std::size_t lanes = 16;

  using TwoRows = std::array<const std::uint8_t*, 2>;
  using TwoOutputs = std::array<float*, 2>;

  explicit ColumnBlend(const Normalization& normalization, bool wide = blendsWide())
      : normalization_(normalization), wide_(wide) {}

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
    /// Two a value: of the first and of the second, in 1 / 16384.
    alignas(64) std::array<std::int16_t, 2 * lanes> shares;
    std::int32_t base;
  };

 private:
  void repeatChannels();
  void runPlainly(const std::uint8_t* row, std::size_t pixels, float* output);

  const Normalization& normalization_;
  bool wide_;
  PixelPairs pairs_;         ///< shares in 1 / 16384
  std::vector<Step> steps_;  ///< empty: one pixel after the other
  CacheLineFloats factors_;  ///< of the channels in 1 / 16384, as often as there are pairs
  CacheLineFloats offsets_;
  CacheLineFloats row_;  ///< the picture's as floats
};

/// output = upper + (lower - upper) * share. Wide, where the output fills whole cache lines, it goes past the caches:
/// nobody reads it soon, and what lies there is wanted by those who compute. Others see it after finishBlending().
void blendRows(const float* upper, const float* lower, float share, std::size_t count, float* output,
               bool wide = blendsWide());
void finishBlending();

}  // namespace slipstream
