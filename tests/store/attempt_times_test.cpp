// SPDX-License-Identifier: GPL-3.0-or-later
// How long the attempts of a run took, without what lay between them.
#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/runs/run_outcome.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

constexpr std::int64_t second = 1'000'000'000;

class AttemptTimes : public testing::Test {
 protected:
  /// An event of the newest attempt.
  void happens(std::int64_t secondsAgo, const char* code) {
    const int attempt = store_->find(id_)->attempt;
    store_->addEvent(id_, {0, now_ - secondsAgo * second, attempt, -1, EventLevel::information, code, ""});
  }
  double seconds() {
    return static_cast<double>(attemptNanoseconds(*store_, *store_->find(id_))) / static_cast<double>(second);
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<RunStore> store_ = test::openStore(folder_.path());
  const std::int64_t now_ = wallNanoseconds();
  const std::string id_ = store_->createRun(test::sampleRun());
};

TEST_F(AttemptTimes, ThePauseBeforeAResumeDoesNotCount) {
  store_->setState(id_, RunState::starting, "");
  store_->startAttempt(id_, 0);
  happens(5000, "attempt.started");
  happens(4990, "run.stopped");
  store_->startAttempt(id_, 10);
  happens(20, "attempt.started");
  store_->setState(id_, RunState::done, "");
  EXPECT_NEAR(seconds(), 10 + 20, 2);
}

TEST_F(AttemptTimes, WhatNobodySawTheEndOfEndsWithItsLastTrace) {
  store_->setState(id_, RunState::starting, "");
  store_->startAttempt(id_, 0);
  happens(5000, "attempt.started");
  store_->addCheckpoint(id_, {10, 1, true, 1, 1, now_ - 4970 * second});
  store_->startAttempt(id_, 10);
  happens(900, "attempt.started");
  happens(860, "data");
  store_->setState(id_, RunState::lost, "its supervisor ended");
  EXPECT_NEAR(seconds(), 30 + 40, 0.001) << "it was found lost only now";
}

TEST_F(AttemptTimes, ARunThatGoesOnHasTakenItsTimeUntilNow) {
  store_->setState(id_, RunState::starting, "");
  store_->startAttempt(id_, 0);
  happens(30, "attempt.started");
  for (const RunState state : {RunState::running, RunState::stopping}) {
    store_->setState(id_, state, "");
    EXPECT_NEAR(seconds(), 30, 2);
  }
}

TEST_F(AttemptTimes, ARunThatEndedBeforeAnAttemptTookWhatItTook) {
  store_->setState(id_, RunState::starting, "");
  store_->setState(id_, RunState::failed, "no room");
  EXPECT_NEAR(seconds(), 0, 2);
}

TEST_F(AttemptTimes, AResumeThatFailsBeforeItsAttemptAddsNothing) {
  store_->setState(id_, RunState::starting, "");
  store_->startAttempt(id_, 0);
  happens(5000, "attempt.started");
  happens(4990, "run.stopped");
  store_->setState(id_, RunState::stopped, "as asked");
  store_->setState(id_, RunState::starting, "");
  store_->setState(id_, RunState::failed, "no room");
  EXPECT_NEAR(seconds(), 10, 0.001);
}

TEST_F(AttemptTimes, ARunThatWasDoneStaysItWhereNothingWasAdded) {
  store_->setState(id_, RunState::done, "");
  store_->setState(id_, RunState::starting, "");
  store_->setState(id_, RunState::done, "");
  EXPECT_EQ(store_->find(id_)->state, RunState::done);
  EXPECT_EQ(store_->find(id_)->why, "");
  store_->setState(id_, RunState::failed, "no room");
  EXPECT_EQ(store_->find(id_)->state, RunState::failed);
  EXPECT_EQ(store_->find(id_)->why, "no room");
}

}  // namespace
}  // namespace slipstream
