// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/data/blend.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/base/random.h"

namespace slipstream {
namespace {

/// `count` pixels spread over `width` of them from `begin` on, as images have them.
PixelPairs pairsOver(double begin, double length, std::int64_t width, std::size_t count, bool mirrored) {
  PixelPairs pairs;
  for (std::size_t i = 0; i < count; ++i) {
    const auto position = static_cast<double>(mirrored ? count - 1 - i : i);
    const double centre = begin + (position + 0.5) * length / static_cast<double>(count) - 0.5;
    const double inside = std::clamp(centre, 0.0, static_cast<double>(width - 1));
    pairs.first.push_back(static_cast<std::int32_t>(inside));
    pairs.second.push_back(std::min(pairs.first.back() + 1, static_cast<std::int32_t>(width - 1)));
    pairs.share.push_back(static_cast<float>(inside - pairs.first.back()));
  }
  return pairs;
}

std::vector<std::uint8_t> drawnBytes(std::int64_t width) {
  Random random(3, RandomStream::test);
  std::vector<std::uint8_t> row(static_cast<std::size_t>(3 * width) + ColumnBlend::padding);
  for (std::uint8_t& value : row) value = static_cast<std::uint8_t>(random.below(256));
  return row;
}

std::vector<std::int16_t> blended(ColumnBlend& blend, const std::vector<std::uint8_t>& row, std::size_t count) {
  const std::size_t values = 3 * count;
  std::vector<std::int16_t> output(values + ColumnBlend::padding);
  std::vector<std::int16_t> other(output.size());
  // The other row is the same one pixel on, so that taking one for the other shows.
  const std::size_t pixels = (row.size() - ColumnBlend::padding) / 3;
  std::vector<std::uint8_t> next(row.begin() + 3, row.end());
  next.resize(row.size());
  blend.run({row.data(), next.data()}, pixels, {output.data(), other.data()});
  output.resize(values);
  output.insert(output.end(), other.begin(), other.begin() + static_cast<std::ptrdiff_t>(values));
  return output;
}

TEST(ColumnBlend, TakesTheShareOfTheSecond) {
  for (const bool wide : {false, blendsWide()}) {
    ColumnBlend blend(wide);
    blend.prepare({{0, 1, 0}, {1, 1, 1}, {0.25F, 0.5F, 0}});
    std::vector<std::uint8_t> row{1, 2, 3, 5, 10, 15};
    row.resize(row.size() + ColumnBlend::padding);
    const std::vector<double> bytes{2, 4, 6, 5, 10, 15, 1, 2, 3, 3.75, 7.5, 11.25, 0, 0, 0, 5, 10, 15};
    std::vector<std::int16_t> expected;
    for (const double byte : bytes) expected.push_back(static_cast<std::int16_t>(128 * byte));
    EXPECT_EQ(blended(blend, row, 3), expected);
  }
}

TEST(ColumnBlend, BothWaysGiveTheSameBits) {
  if (!blendsWide()) GTEST_SKIP() << "this processor has one way only";
  int wide = 0;
  int plain = 0;
  ColumnBlend one(false);
  ColumnBlend sixteen(true);
  for (const std::int64_t width : {1, 2, 9, 31, 150, 480, 2000}) {
    const auto row = drawnBytes(width);
    for (const std::size_t count : {1U, 5U, 16U, 24U, 101U, 224U}) {
      for (const double part : {1.0, 0.61}) {
        for (const bool mirrored : {false, true}) {
          const double length = std::max(1.0, part * static_cast<double>(width));
          const auto pairs = pairsOver((static_cast<double>(width) - length) / 3, length, width, count, mirrored);
          one.prepare(pairs);
          sixteen.prepare(pairs);
          EXPECT_FALSE(one.isWide());
          ++(sixteen.isWide() ? wide : plain);
          EXPECT_EQ(blended(one, row, count), blended(sixteen, row, count))
              << width << " to " << count << (mirrored ? ", mirrored" : "");
        }
      }
    }
  }
  EXPECT_GT(wide, 50);
  EXPECT_GT(plain, 10) << "pixels too far apart for the wide way";
}

/// Decoding is scaled so that nothing but the longer side of a view has more than twice the square's pixels.
TEST(ColumnBlend, WhatPicturesNeedIsTakenTheWideWay) {
  if (!blendsWide()) GTEST_SKIP() << "this processor has one way only";
  ColumnBlend blend;
  for (const bool mirrored : {false, true}) {
    for (const double length : {60.0, 196.0, 224.0, 350.0, 448.0, 597.0}) {
      blend.prepare(pairsOver(2, length, 700, 224, mirrored));
      EXPECT_TRUE(blend.isWide()) << length;
    }
  }
}

TEST(BlendRows, GiveTheNearestByteAndWriteNothingElse) {
  Random random(4, RandomStream::test);
  std::vector<std::int16_t> upper(300);
  for (std::int16_t& value : upper) value = static_cast<std::int16_t>(random.below(255 * 128 + 1));
  upper[0] = 0;
  upper[299] = 255 * 128;
  const std::vector<std::int16_t> lower(upper.rbegin(), upper.rend());
  for (const std::size_t count : {1U, 15U, 16U, 17U, 48U, 144U, 250U, 300U}) {
    for (const float share : {0.0F, 1e-6F, 0.3F, 0.5F, 0.9999F, 1.0F}) {
      std::vector<std::uint8_t> bytes(count + 1, 7);
      blendRows(upper.data(), lower.data(), share, count, bytes.data(), false);
      std::vector<std::uint8_t> widely(count + 1, 7);
      blendRows(upper.data(), lower.data(), share, count, widely.data());
      EXPECT_EQ(bytes, widely) << "both ways give the same";
      for (std::size_t i = 0; i < count; ++i) {
        ASSERT_NEAR(bytes[i], (upper[i] + (lower[i] - upper[i]) * static_cast<double>(share)) / 128, 0.52)
            << i << " of " << count << ", share " << share;
      }
      EXPECT_EQ(bytes[count], 7) << "written behind the end";
    }
  }
}

TEST(BlendRows, WholeBytesStayWhatTheyAre) {
  std::vector<std::int16_t> row(256);
  for (std::size_t i = 0; i < row.size(); ++i) row[i] = static_cast<std::int16_t>(128 * i);
  std::vector<std::uint8_t> bytes(row.size());
  for (const float share : {0.0F, 0.4F, 1.0F}) {
    blendRows(row.data(), row.data(), share, row.size(), bytes.data());
    for (std::size_t i = 0; i < row.size(); ++i) EXPECT_EQ(bytes[i], i);
  }
}

}  // namespace
}  // namespace slipstream
