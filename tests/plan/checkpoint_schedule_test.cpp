// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/checkpoint_schedule.h"

#include <vector>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

std::vector<std::int64_t> stepsKept(const CheckpointSpec& spec, std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> steps;
  for (std::int64_t done = from + 1; done <= to; ++done) {
    if (checkpointDueBySteps(spec, done)) steps.push_back(done);
  }
  return steps;
}

TEST(CheckpointSchedule, KeepsEveryMultipleOfTheSteps) {
  CheckpointSpec spec;
  spec.everySteps = 4;
  EXPECT_EQ(stepsKept(spec, 0, 13), (std::vector<std::int64_t>{4, 8, 12}));
  EXPECT_FALSE(checkpointDueBySteps(spec, 0));
}

TEST(CheckpointSchedule, AResumedRunKeepsTheSameSteps) {
  CheckpointSpec spec;
  spec.everySteps = 4;
  EXPECT_EQ(stepsKept(spec, 6, 13), (std::vector<std::int64_t>{8, 12}));
}

TEST(CheckpointSchedule, TheClockCountsWhereNoStepsAreGiven) {
  CheckpointSpec spec;
  spec.everySeconds = 1.5;
  EXPECT_FALSE(checkpointDueByClock(spec, 1.4));
  EXPECT_TRUE(checkpointDueByClock(spec, 1.5));
  EXPECT_FALSE(checkpointDueBySteps(spec, 4));
  spec.everySteps = 4;
  EXPECT_FALSE(checkpointDueByClock(spec, 100));
}

TEST(CheckpointSchedule, NothingIsDueWhereNeitherIsGiven) {
  CheckpointSpec spec;
  EXPECT_FALSE(checkpointsAreScheduled(spec));
  EXPECT_FALSE(checkpointDueBySteps(spec, 4));
  EXPECT_FALSE(checkpointDueByClock(spec, 100));
  spec.everySeconds = 1;
  EXPECT_TRUE(checkpointsAreScheduled(spec));
}

}  // namespace
}  // namespace slipstream
