// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/schedule.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

ScheduleSpec specOf(ScheduleMode mode, double maximum) {
  ScheduleSpec spec;
  spec.mode = mode;
  spec.maximum = maximum;
  return spec;
}

TEST(Schedule, LinearWithATenthOfWarmupIsTheTriangleOfProgress) {
  constexpr std::int64_t total = 468;
  auto spec = specOf(ScheduleMode::linear, 0.02);
  spec.warmupEpochs = 0.1 * 2;  // a tenth of two epochs
  for (std::int64_t step = 0; step < total; ++step) {
    const double progress = static_cast<double>(step) / static_cast<double>(total);
    const double expected = 0.02 * std::min(1.0, progress / 0.1) * std::min(1.0, (1.0 - progress) / 0.9);
    EXPECT_NEAR(learningRate(spec, step, 234.0, total), expected, 1e-15) << step;
  }
}

TEST(Schedule, ConstantIsConstantAfterItsWarmup) {
  auto spec = specOf(ScheduleMode::constant, 0.5);
  for (const std::int64_t step : {0, 7, 99, 1000}) EXPECT_EQ(learningRate(spec, step, 10.0, 100), 0.5);
  spec.warmupEpochs = 1.0;
  EXPECT_EQ(learningRate(spec, 0, 10.0, 100), 0.0);
  EXPECT_EQ(learningRate(spec, 5, 10.0, 100), 0.25);
  EXPECT_EQ(learningRate(spec, 10, 10.0, 100), 0.5);
}

TEST(Schedule, TheLastRateHoldsAfterTheEnd) {
  for (const auto mode : {ScheduleMode::linear, ScheduleMode::poly, ScheduleMode::cosine, ScheduleMode::steps,
                          ScheduleMode::step, ScheduleMode::warmupCosine}) {
    const auto spec = specOf(mode, 0.5);
    EXPECT_EQ(learningRate(spec, 1000, 10.0, 100), learningRate(spec, 99, 10.0, 100));
    EXPECT_GT(learningRate(spec, 99, 10.0, 100), 0.0);
  }
}

TEST(Schedule, ItsOwnLengthReplacesTheTrainings) {
  auto spec = specOf(ScheduleMode::linear, 1.0);
  EXPECT_EQ(learningRate(spec, 50, 10.0, 100), 0.5);
  spec.totalEpochs = 20;
  EXPECT_EQ(learningRate(spec, 50, 10.0, 100), 0.75);
}

TEST(Schedule, StartEpochSkipsWhatHasBeen) {
  auto late = specOf(ScheduleMode::linear, 1.0);
  const auto early = late;
  late.startEpoch = 3;
  EXPECT_EQ(learningRate(late, 4, 10.0, 100), learningRate(early, 34, 10.0, 100));
}

}  // namespace
}  // namespace slipstream
