// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/metric_block.h"

#include <bit>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/store/series_chunk.h"
#include "tests/support/sample_run.h"

namespace slipstream {
namespace {

MetricBlock sample() {
  return test::block(5, 3, {"loss", "accuracy"}, [](std::int64_t step, std::size_t column) {
    return static_cast<double>(step) + 0.25 * static_cast<double>(column);
  });
}

TEST(MetricBlock, IsReadBackAsItWas) {
  const auto decoded = decodeMetricBlock(encode(sample()));
  ASSERT_TRUE(decoded);
  EXPECT_EQ(*decoded, sample());
  EXPECT_EQ(*decodeMetricBlock(encode(MetricBlock{})), MetricBlock{});
}

TEST(MetricBlock, KeepsNanAndInfinities) {
  MetricBlock block = sample();
  block.values[0] = std::nan("");
  block.values[1] = std::numeric_limits<double>::infinity();
  block.values[2] = -std::numeric_limits<double>::infinity();
  const auto decoded = decodeMetricBlock(encode(block));
  ASSERT_TRUE(decoded);
  for (std::size_t i = 0; i < block.values.size(); ++i) {
    EXPECT_EQ(std::bit_cast<std::uint64_t>(decoded->values[i]), std::bit_cast<std::uint64_t>(block.values[i]));
  }
}

TEST(MetricBlock, RefusesEveryCutAndAnyTail) {
  const std::string bytes = encode(sample());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    EXPECT_FALSE(decodeMetricBlock(std::string_view(bytes).substr(0, length))) << length;
  }
  EXPECT_FALSE(decodeMetricBlock(bytes + "x"));
}

TEST(MetricBlock, RefusesOtherVersionsAndCountsBeyondItsEnd) {
  std::string bytes = encode(sample());
  bytes[0] = 2;
  EXPECT_FALSE(decodeMetricBlock(bytes));
  bytes = encode(sample());
  bytes[1] = bytes[2] = bytes[3] = bytes[4] = '\xff';  // number of names
  EXPECT_FALSE(decodeMetricBlock(bytes));
}

TEST(MetricBlock, MustBeRectangular) {
  MetricBlock block = sample();
  block.values.pop_back();
  EXPECT_THROW(encode(block), Error);
}

Series randomSeries(std::size_t count, bool single) {
  Random random(3, RandomStream::test);
  Series series;
  std::int64_t step = -5;
  for (std::size_t i = 0; i < count; ++i) {
    step += static_cast<std::int64_t>(random.below(1'000'000'000'000));
    series.steps.push_back(step);
    series.wallNanoseconds.push_back(static_cast<std::int64_t>(random.bits()));
    const double value = random.normal() * 1e10;
    series.values.push_back(single ? static_cast<double>(static_cast<float>(value)) : value);
  }
  return series;
}

TEST(SeriesChunk, IsReadBackBitForBit) {
  for (const bool single : {false, true}) {
    const Series series = randomSeries(1024, single);
    const std::string bytes = encodeChunk(series, 0, 1024);
    Series back;
    decodeChunk(bytes, back);
    EXPECT_EQ(back.steps, series.steps);
    EXPECT_EQ(back.wallNanoseconds, series.wallNanoseconds);
    EXPECT_EQ(back.values, series.values);
  }
}

TEST(SeriesChunk, KeepsExtremesAndEveryWidthOfDifference) {
  constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
  for (const std::vector<std::int64_t>& steps : std::vector<std::vector<std::int64_t>>{{5},
                                                                                       {0, 1, 2, 3},
                                                                                       {0, 10, 20, 30},
                                                                                       {0, 70'000, 70'001},
                                                                                       {1, 2, 9'000},
                                                                                       {9, 8, 3},
                                                                                       {lowest, highest, 0, lowest}}) {
    Series series{steps, steps, std::vector<double>(steps.size(), 0.1)};
    Series back;
    decodeChunk(encodeChunk(series, 0, steps.size()), back);
    EXPECT_EQ(back.steps, steps);
    EXPECT_EQ(back.wallNanoseconds, steps);
  }
}

TEST(SeriesChunk, StoresSinglePrecisionInHalfTheRoom) {
  Series wide = randomSeries(1024, false);
  Series narrow = wide;
  for (double& value : narrow.values) value = static_cast<double>(static_cast<float>(value));
  EXPECT_EQ(encodeChunk(wide, 0, 1024).size() - encodeChunk(narrow, 0, 1024).size(), 1024 * sizeof(float));
}

TEST(SeriesChunk, NoticesEveryFlippedByte) {
  const std::string bytes = encodeChunk(randomSeries(8, false), 0, 8);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string damaged = bytes;
    damaged[i] = static_cast<char>(damaged[i] ^ 0x10);
    Series back;
    EXPECT_THROW(decodeChunk(damaged, back), Error) << i;
  }
}

}  // namespace
}  // namespace slipstream
