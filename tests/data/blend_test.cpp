#include "engine/data/blend.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/base/random.h"

namespace slipstream {
namespace {

Normalization normalization() {
  DatasetSpec spec;
  spec.mean = {0.1, 0.2, 0.3};
  spec.deviation = {0.5, 1, 2};
  return {spec, 3};
}

/// `count` pixels spread over `width` of them from `begin` on, as pictures have them.
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

std::vector<float> blended(ColumnBlend& blend, const std::vector<std::uint8_t>& row, std::size_t count) {
  const std::size_t values = 3 * count;
  std::vector<float> output(values + ColumnBlend::padding);
  std::vector<float> other(output.size());
  // The other row is the same one pixel on, so that taking one for the other shows.
  const std::size_t pixels = (row.size() - ColumnBlend::padding) / 3;
  std::vector<std::uint8_t> next(row.begin() + 3, row.end());
  next.resize(row.size());
  blend.run({row.data(), next.data()}, pixels, {output.data(), other.data()});
  output.resize(values);
  output.insert(output.end(), other.begin(), other.begin() + static_cast<std::ptrdiff_t>(values));
  return output;
}

TEST(ColumnBlend, TakesTheShareOfTheSecondAndNormalizes) {
  DatasetSpec spec;
  spec.mean = {0, 0, 1};
  spec.deviation = {1.0 / 255, 0.5 / 255, 1.0 / 255};
  const Normalization scaled(spec, 3);
  for (const bool wide : {false, blendsWide()}) {
    ColumnBlend blend(scaled, wide);
    blend.prepare({{0, 1, 0}, {1, 1, 1}, {0.25F, 0.5F, 0}});
    std::vector<std::uint8_t> row{1, 2, 3, 5, 10, 15};
    row.resize(row.size() + ColumnBlend::padding);
    const std::vector<float> expected{2,    8,  6 - 255,      5, 20, 15 - 255, 1, 4,  3 - 255,  //
                                      3.75, 15, 11.25F - 255, 0, 0,  -255,     5, 20, 15 - 255};
    EXPECT_EQ(blended(blend, row, 3), expected);
  }
}

TEST(ColumnBlend, BothWaysGiveTheSameBits) {
  if (!blendsWide()) GTEST_SKIP() << "this processor has one way only";
  const Normalization channels = normalization();
  int wide = 0;
  int plain = 0;
  ColumnBlend one(channels, false);
  ColumnBlend sixteen(channels, true);
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
  const Normalization channels = normalization();
  ColumnBlend blend(channels);
  for (const bool mirrored : {false, true}) {
    for (const double length : {60.0, 196.0, 224.0, 350.0, 448.0, 597.0}) {
      blend.prepare(pairsOver(2, length, 700, 224, mirrored));
      EXPECT_TRUE(blend.isWide()) << length;
    }
  }
}

TEST(BlendRows, BothWaysGiveTheSameBitsForAnyCount) {
  if (!blendsWide()) GTEST_SKIP() << "this processor has one way only";
  Random random(4, RandomStream::test);
  std::vector<float> upper(300);
  for (float& value : upper) value = static_cast<float>(random.uniform(-3, 3));
  const std::vector<float> lower(upper.rbegin(), upper.rend());
  for (const std::size_t count : {1U, 15U, 16U, 17U, 48U, 144U, 250U, 256U}) {
    for (const std::size_t shift : {0U, 1U}) {  // at a cache line, and beside one
      CacheLineFloats plain(count + 2, 7);
      CacheLineFloats wide(count + 2, 7);
      blendRows(upper.data(), lower.data(), 0.3F, count, plain.data() + shift, false);
      blendRows(upper.data(), lower.data(), 0.3F, count, wide.data() + shift, true);
      finishBlending();
      EXPECT_EQ(plain, wide) << count;
      EXPECT_EQ(plain[shift + count - 1], upper[count - 1] + (lower[count - 1] - upper[count - 1]) * 0.3F);
      EXPECT_EQ(wide[shift + count], 7) << "written behind the end";
    }
  }
}

}  // namespace
}  // namespace slipstream
