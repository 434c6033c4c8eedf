// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/restart_decision.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slipstream {
namespace {

const FailedAttempt killed{"mpirun was killed by signal 9", 300, 5, 200};

TEST(RestartDecision, TheFirstFailureIsNoReasonAgainst) {
  EXPECT_FALSE(whyNotAgain(std::nullopt, killed, 0, 1));
}

TEST(RestartDecision, TheSamePlaceInTheSameWayTwiceIsOne) {
  const auto why = whyNotAgain(killed, killed, 1, 9);
  ASSERT_TRUE(why);
  EXPECT_THAT(*why, ::testing::HasSubstr("near step 300"));
  FailedAttempt near = killed;
  near.step += 4;
  EXPECT_TRUE(whyNotAgain(killed, near, 1, 9)) << "the last steps are not always heard of";
  const FailedAttempt atStart{"no worker", -1, 0, -1};
  EXPECT_THAT(whyNotAgain(atStart, atStart, 1, 9).value_or(""), ::testing::HasSubstr("before its first step"));
}

TEST(RestartDecision, ProgressOrAnotherCauseIsAReasonToGoOn) {
  FailedAttempt further = killed;
  further.step = 320;
  EXPECT_FALSE(whyNotAgain(killed, further, 1, 9)) << "nobody is named, but the place is another";
  FailedAttempt kept = killed;
  kept.checkpoint = 300;
  EXPECT_FALSE(whyNotAgain(killed, kept, 1, 9));
  FailedAttempt other = killed;
  other.failureSignature = "rank 1 failed: no room";
  EXPECT_FALSE(whyNotAgain(killed, other, 1, 9));
}

TEST(RestartDecision, TheLimitIsSaid) {
  const auto why = whyNotAgain(std::nullopt, killed, 2, 2);
  ASSERT_TRUE(why);
  EXPECT_THAT(*why, ::testing::HasSubstr("2 restarts"));
}

}  // namespace
}  // namespace slipstream
