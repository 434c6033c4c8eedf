// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/awaited_hosts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/small_plan.h"

namespace slipstream {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

RunPlan planOnHosts(OnLost onLost, int minRanks = 1) {
  RunPlan plan = test::smallPlan(6, 100);
  plan.experiment.train.onLost = onLost;
  plan.experiment.train.minRanks = minRanks;
  plan.local = false;
  for (RankPlacement& place : plan.places) place.host = std::string(1, static_cast<char>('a' + place.rank / 2));
  return plan;
}

TEST(AwaitedHosts, AreNamedInTheStateOfTheRun) {
  EXPECT_EQ(waitingText({{"b", "no route to host"}}), "waiting for host b");
  EXPECT_EQ(waitingText({{"b", ""}, {"c", ""}}), "waiting for hosts b, c");
  EXPECT_EQ(causesText({{"b", "no route to host"}, {"c", "silent"}}), "b (no route to host), c (silent)");
}

TEST(NextPlan, IsThePlannedOneWhereAllHostsAnswer) {
  const NextPlan next = planWithout(planOnHosts(OnLost::shrink), {});
  EXPECT_EQ(next.plan.value().ranks(), 6);
  EXPECT_EQ(next.said, "");
}

TEST(NextPlan, WaitsForAllWhereItIsNotToShrink) {
  const NextPlan next = planWithout(planOnHosts(OnLost::restart), {"b"});
  EXPECT_FALSE(next.plan);
  EXPECT_THAT(next.said, HasSubstr("b did not answer for 120 s"));
}

TEST(NextPlan, LeavesLostHostsOutAndSaysSo) {
  const NextPlan next = planWithout(planOnHosts(OnLost::shrink), {"b"});
  ASSERT_TRUE(next.plan);
  EXPECT_EQ(next.plan->ranks(), 4);
  EXPECT_THAT(next.said,
              AllOf(HasSubstr("4 of 6 ranks go on, without b"), HasSubstr("48 samples a step, 24 at a time")));
}

TEST(NextPlan, EndsWhereTooFewAreLeft) {
  const NextPlan next = planWithout(planOnHosts(OnLost::shrink, 3), {"a", "c"});
  EXPECT_FALSE(next.plan);
  EXPECT_THAT(next.said, HasSubstr("train.min_ranks (3)"));
}

}  // namespace
}  // namespace slipstream
