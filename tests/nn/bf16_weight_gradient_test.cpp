// SPDX-License-Identifier: GPL-3.0-or-later
// Weight gradients as products of pixel pairs, beside the sum that defines them. Values are small whole numbers: every
// sum is exact in whatever order.
#include "engine/nn/layers/bf16_weight_gradient.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <new>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <omp.h>

#include "engine/base/random.h"

namespace slipstream::test {
namespace {

struct PixelCase {
  const char* name;
  JoinedPixels joined;
};

std::vector<PixelCase> pixelCases() {
  const auto square = [](std::int64_t size, std::int64_t channels) { return SampleShape{size, size, channels}; };
  return {
      {"OnePixel", {1, square(1, 64), square(1, 32), 1, 1, 0, 0}},
      {"EveryPixel", {3, square(11, 64), square(11, 64), 1, 1, 0, 0}},
      {"OddNumberOfPixels", {1, {17, 19, 64}, {17, 19, 96}, 1, 1, 0, 0}},
      {"SeveralTilesThatAreNotFull", {2, square(5, 320), square(5, 288), 1, 1, 0, 0}},
      {"EverySecondPixel", {3, square(10, 128), square(5, 64), 1, 2, 0, 0}},
      {"LastPixelLeftOut", {2, {8, 9, 64}, {3, 3, 64}, 1, 3, 0, 0}},
      {"Padded", {3, square(7, 64), square(7, 64), 3, 1, 1, 1}},
      {"PaddedBehindOnly", {2, square(8, 64), square(4, 64), 3, 2, 0, 0}},
      {"PaddedInFrontOnly", {2, square(8, 64), square(4, 64), 3, 2, 1, 1}},
      {"PlacesOutsideThePicture", {2, {1, 2, 64}, {1, 2, 64}, 5, 1, 2, 2}},
      {"ManyBlocks", {2, {40, 23, 64}, {40, 23, 64}, 3, 1, 1, 1}},
  };
}

std::vector<Bfloat16> wholeNumbers(std::int64_t count, std::uint64_t number) {
  Random random(7, RandomStream::test, number);
  std::vector<Bfloat16> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(fromFloat<Bfloat16>(static_cast<float>(random.below(9)) - 4.0F));
  }
  return values;
}

std::vector<float> definition(const JoinedPixels& joined, const std::vector<Bfloat16>& input,
                              const std::vector<Bfloat16>& outputGradient) {
  const auto& [batch, in, out, kernel, stride, rowsBefore, columnsBefore] = joined;
  std::vector<float> gradient(static_cast<std::size_t>(out.channels * kernel * kernel * in.channels));
  for (std::int64_t pixel = 0; pixel < batch * out.height * out.width; ++pixel) {
    const auto sample = pixel / (out.height * out.width);
    for (std::int64_t place = 0; place < kernel * kernel; ++place) {
      const auto y = pixel / out.width % out.height * stride + place / kernel - rowsBefore;
      const auto x = pixel % out.width * stride + place % kernel - columnsBefore;
      if (y < 0 || y >= in.height || x < 0 || x >= in.width) continue;
      const auto* values = input.data() + ((sample * in.height + y) * in.width + x) * in.channels;
      for (std::int64_t o = 0; o < out.channels; ++o) {
        const float g = toFloat(outputGradient[static_cast<std::size_t>(pixel * out.channels + o)]);
        float* sums = gradient.data() + (o * kernel * kernel + place) * in.channels;
        for (std::int64_t c = 0; c < in.channels; ++c) sums[c] += g * toFloat(values[c]);
      }
    }
  }
  return gradient;
}

/// Whatever scratch and gradient held before.
std::vector<float> sumWith(const JoinedPixels& joined, const std::vector<Bfloat16>& input,
                           const std::vector<Bfloat16>& outputGradient, int threads) {
  constexpr float anything = std::numeric_limits<float>::quiet_NaN();
  struct alignas(64) Line {
    float values[16];
  };
  const auto bytes = pixelProductBytes(joined, threads);
  std::vector<Line> scratch(bytes / sizeof(Line) + 2);
  for (Line& line : scratch) std::ranges::fill(line.values, anything);
  const auto values = joined.output.channels * joined.kernel * joined.kernel * joined.input.channels;
  std::vector<float> gradient(static_cast<std::size_t>(values) + 2, anything);
  // One value further than a cache line begins, as tensors stand in a flat store.
  sumOfPixelProducts(joined, input.data(), outputGradient.data(), {reinterpret_cast<std::byte*>(scratch.data()), bytes},
                     threads, gradient.data() + 1);
  EXPECT_TRUE(std::isnan(gradient.front()) && std::isnan(gradient.back())) << "written beside the gradient";
  EXPECT_TRUE(std::isnan(scratch.back().values[0])) << "written behind the scratch";
  return {gradient.begin() + 1, gradient.end() - 1};
}

class Bf16WeightGradient : public testing::TestWithParam<PixelCase> {
 protected:
  void SetUp() override {
    if (!multipliesPixelPairs()) GTEST_SKIP() << "a processor without pairs of bf16, or with AMX";
  }
};

TEST_P(Bf16WeightGradient, AreTheirDefinitionWithAnyNumberOfThreads) {
  const JoinedPixels& joined = GetParam().joined;
  ASSERT_TRUE(fitsPixelTiles(joined));
  const auto input = wholeNumbers(joined.batch * joined.input.elements(), 1);
  const auto outputGradient = wholeNumbers(joined.batch * joined.output.elements(), 2);
  const auto expected = definition(joined, input, outputGradient);
  for (const int threads : {1, 2, 3, 7}) {
    EXPECT_EQ(sumWith(joined, input, outputGradient, threads), expected) << threads << " threads";
  }
}

INSTANTIATE_TEST_SUITE_P(Pictures, Bf16WeightGradient, testing::ValuesIn(pixelCases()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(PixelProductsOfAny, FitOnlyChannelsThatFillTiles) {
  const auto fits = [](std::int64_t inputs, std::int64_t outputs) {
    return fitsPixelTiles({1, {4, 4, inputs}, {4, 4, outputs}, 1, 1, 0, 0});
  };
  EXPECT_TRUE(fits(64, 32));
  EXPECT_FALSE(fits(32, 64));
  EXPECT_FALSE(fits(96, 64));
  EXPECT_FALSE(fits(64, 48));
  EXPECT_FALSE(fits(3, 64));
}

}  // namespace
}  // namespace slipstream::test
