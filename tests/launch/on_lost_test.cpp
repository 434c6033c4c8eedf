// SPDX-License-Identifier: GPL-3.0-or-later
// train.on_lost on one machine: what is lost starts again by itself, what fails of its own accord does not.
#include <algorithm>
#include <csignal>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/launch/supervised_run.h"
#include "tests/support/small_plan.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;

RunPlan restartingPlan(std::int64_t steps) {
  RunPlan plan = smallPlan(3, steps);
  plan.experiment.train.checkpoint.everySteps = 20;
  plan.experiment.train.onLost = OnLost::restart;
  return plan;
}

TEST(OnLost, ALostProcessIsNoEnd) {
  SupervisedRun run(restartingPlan(2000));
  run.start({{"FAKE_WORKER_PAUSE_MS", "2"}});
  ASSERT_TRUE(run.waitForStep(60));
  run.signalWorker(SIGKILL);
  ASSERT_TRUE(run.waitUntil([&] { return run.record().attempt == 2; }));
  EXPECT_EQ(run.end().state, RunState::done) << run.record().why;
  run.expectNothingLeft();
}

/// Nothing runs until the next attempt begins.
TEST(OnLost, ARunThatStartsAgainDoesNotSayThatItRuns) {
  SupervisedRun run(restartingPlan(2000));
  run.start({{"FAKE_WORKER_PAUSE_MS", "2"}});
  ASSERT_TRUE(run.waitForStep(60));
  run.signalWorker(SIGKILL);
  const auto isRestarted = [](const Event& event) { return event.code == "run.restarted"; };
  int seen = 0;
  ASSERT_TRUE(run.waitUntil([&] {
    const bool isPausing = std::ranges::any_of(run.store().events(run.runId()), isRestarted);
    const RunRecord now = run.record();
    if (isPausing && now.attempt == 1) {
      ++seen;
      EXPECT_EQ(now.state, RunState::starting);
      EXPECT_EQ(now.why, "attempt 1 failed, and another one follows");
    }
    return now.attempt == 2;
  }));
  EXPECT_GT(seen, 0);
  ASSERT_TRUE(run.waitUntil([&] { return run.record().state == RunState::running; }));
  EXPECT_EQ(run.record().why, "");
  run.signalSupervisor(SIGTERM);
  EXPECT_EQ(run.end().state, RunState::stopped);
}

TEST(OnLost, WhatARankSaysOfItselfIsNoLoss) {
  SupervisedRun run(restartingPlan(100));
  run.start({{"FAKE_WORKER", "throw@50/2"}});
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::failed);
  EXPECT_EQ(record.attempt, 1);
}

TEST(OnLost, TheSameLossAtTheSamePlaceEndsIt) {
  SupervisedRun run(restartingPlan(100));
  run.start({{"FAKE_WORKER", "kill@50/2"}});
  const RunRecord record = run.end();
  EXPECT_LE(record.attempt, 4) << "a checkpoint more may have been kept the first times";
  EXPECT_THAT(record.why, HasSubstr("failed twice in the same way"));
}

TEST(OnLost, NoRestartsAreNone) {
  SupervisedRun run(restartingPlan(100));
  run.start({{"FAKE_WORKER", "kill@50/2"}, {"SLIPSTREAM_RESTARTS", "0"}});
  EXPECT_EQ(run.end().attempt, 1);
}

}  // namespace
}  // namespace slipstream
