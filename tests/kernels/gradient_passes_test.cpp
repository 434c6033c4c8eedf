// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/loss_scale/kernels.h"
#include "tests/kernels/kernels_fixture.h"

namespace slipstream {
namespace {

using namespace test;

class GradientPassesOn : public Kernels {
 protected:
  const LossScaleKernels& lossScale() const {
    return tableOf(cpuLossScaleKernels, cudaLossScaleKernels, npuLossScaleKernels);
  }
  const GradCentralizationKernels& centralization() const {
    return tableOf(cpuGradCentralizationKernels, cudaGradCentralizationKernels, npuGradCentralizationKernels);
  }
  /// Whether all stayed within the limit.
  bool unscale(DeviceVector<float>& gradient, std::size_t size, double scale, float limit) {
    DeviceVector<float> overflowed(device(), {0});
    lossScale().unscale(queue(), gradient.data(), size, scale, limit, overflowed.data());
    return overflowed.read().front() == 0;
  }
};
SLIPSTREAM_ON_ALL_DEVICES(GradientPassesOn);

constexpr float largest = std::numeric_limits<float>::max();

TEST_P(GradientPassesOn, UnscalesToTheLastBit) {
  for (const std::size_t size : oddSizes) {
    for (const std::size_t offset : {0U, 3U}) {
      const auto values = randomValues(size, 1, -1000, 1000);
      DeviceVector<float> gradient(device(), values, offset);
      EXPECT_TRUE(unscale(gradient, size, 3.0, largest));
      auto expected = values;
      for (float& value : expected) value *= static_cast<float>(1.0 / 3.0);
      expectSameBits(gradient.read(), expected, std::to_string(size) + " at " + std::to_string(offset));
    }
  }
}

TEST_P(GradientPassesOn, SeesAnOverflowWhereverItStands) {
  using Limits = std::numeric_limits<float>;
  for (const std::size_t size : {1UL, 5UL, 4099UL, 100'003UL}) {
    for (const std::size_t at : {std::size_t{0}, size / 2, size - 1}) {
      for (const float bad : {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), 2.5F, -2.5F}) {
        auto values = randomValues(size, 2);
        values[at] = bad;
        DeviceVector<float> gradient(device(), values, at % 4);
        EXPECT_FALSE(unscale(gradient, size, 2.0, 1.0F)) << bad << " at " << at << " of " << size;
      }
    }
  }
}

TEST_P(GradientPassesOn, TheLimitItselfIsNoOverflow) {
  DeviceVector<float> gradient(device(), {0, -2, 2});
  EXPECT_TRUE(unscale(gradient, 3, 2.0, 1.0F));
  EXPECT_FALSE(unscale(gradient, 3, 1.0, std::nextafter(1.0F, 0.0F)));
  EXPECT_TRUE(unscale(gradient, 0, 1.0, 0.0F));
}

TEST_P(GradientPassesOn, WhatOverflowedBeforeStaysSo) {
  DeviceVector<float> gradient(device(), {1, 2});
  DeviceVector<float> overflowed(device(), {1});
  lossScale().unscale(queue(), gradient.data(), 2, 2.0, largest, overflowed.data());
  EXPECT_EQ(overflowed.read(), std::vector<float>{1});
}

TEST_P(GradientPassesOn, AScaleMayBeBeyondAnyFloat) {
  DeviceVector<float> gradient(device(), {0x1p120F, -0x1p100F});
  EXPECT_TRUE(unscale(gradient, 2, 0x1p200, largest));
  EXPECT_EQ(gradient.read(), (std::vector<float>{0x1p-80F, -0x1p-100F}));
}

/// The part may begin and end inside a row; the mean is that of its elements over whole rows' lengths.
TEST_P(GradientPassesOn, SubtractsTheMeanOfEachRow) {
  for (const auto& [rows, columns] : {std::pair{1UL, 1UL}, {3UL, 5UL}, {64UL, 147UL}, {7UL, 4608UL}, {2UL, 50'001UL}}) {
    for (const std::size_t cut : {std::size_t{0}, columns / 3}) {
      for (const double decay : {0.0, 0.25}) {
        const RowsSegment part{cut, rows * columns - 2 * cut, columns};
        const auto values = randomValues(part.count, 1, 5, 6);
        const auto weights = randomValues(part.count, 2, -3, 9);
        DeviceVector<float> gradient(device(), values, rows % 4);
        DeviceVector<float> of(device(), weights, 1);
        DeviceVector<double> sums(device(), std::vector<double>(part.rows(), 7.0));
        centralization().sumRows(queue(), gradient.data(), decay == 0 ? nullptr : of.data(), decay, part, sums.data());
        centralization().subtractMeans(queue(), gradient.data(), part, sums.data());
        const auto found = gradient.read();
        std::vector<double> expected(part.rows());
        for (std::size_t i = 0; i < part.count; ++i)
          expected[(cut + i) / columns] += static_cast<double>(values[i]) + decay * static_cast<double>(weights[i]);
        for (std::size_t i = 0; i < part.count; ++i) {
          const double mean = expected[(cut + i) / columns] / static_cast<double>(columns);
          ASSERT_NEAR(found[i], values[i] - mean, 1e-6) << i << " of " << rows << " x " << columns << " cut " << cut;
        }
        expectSameBits(of.read(), weights, "what was only read");
      }
    }
  }
}

}  // namespace
}  // namespace slipstream
