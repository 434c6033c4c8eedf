// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/lost_host.h"

#include <gtest/gtest.h>

namespace slipstream {
namespace {

HostEvidence twoHosts() {
  return {.hosts = {"alpha.lab", "beta.lab"}};
}

TEST(LostHost, NoneWhereNothingIsKnown) {
  EXPECT_FALSE(lostWhileMpirunRuns(twoHosts()));
  EXPECT_FALSE(lostWhereMpirunEnded(twoHosts()));
}

TEST(LostHost, ASilentOneIsLostWhateverDaemonsDid) {
  HostEvidence evidence = twoHosts();
  evidence.silent = LostHost{"beta.lab", "silent for 8 s"};
  evidence.endedDaemons = {{.host = "alpha", .exitCode = 137}};
  evidence.secondsSinceDaemonEnded = 60;
  EXPECT_EQ(lostWhileMpirunRuns(evidence)->host, "beta.lab");
  EXPECT_EQ(lostWhereMpirunEnded(evidence)->host, "beta.lab");
}

/// At the end of a run, and where a rank has failed, daemons end before mpirun does.
TEST(LostHost, MpirunHasTheTimeToNoticeThatADaemonEnded) {
  HostEvidence evidence = twoHosts();
  evidence.endedDaemons = {{.host = "beta", .exitCode = 137}};
  evidence.secondsSinceDaemonEnded = 1;
  EXPECT_FALSE(lostWhileMpirunRuns(evidence));
  evidence.secondsSinceDaemonEnded = 6;
  const auto lost = lostWhileMpirunRuns(evidence);
  ASSERT_TRUE(lost);
  EXPECT_EQ(lost->host, "beta.lab") << "as the plan names it, where Open MPI leaves out the domain";
  EXPECT_EQ(lost->why, "Open MPI's daemon there has ended with exit code 137");
}

TEST(LostHost, DaemonsThatWereToldToEndBlameNobody) {
  HostEvidence evidence = twoHosts();
  evidence.endedDaemons = {{.host = "alpha", .exitCode = 0}};
  evidence.secondsSinceDaemonEnded = 60;
  EXPECT_FALSE(lostWhereMpirunEnded(evidence));
  evidence.endedDaemons.push_back({.host = "beta", .exitCode = 1});
  EXPECT_EQ(lostWhereMpirunEnded(evidence)->host, "beta.lab");
}

TEST(LostHost, AnUnknownNameStaysAsOpenMpiWritesIt) {
  HostEvidence evidence = twoHosts();
  evidence.endedDaemons = {{.host = "bet", .exitCode = 1}};
  EXPECT_EQ(lostWhereMpirunEnded(evidence)->host, "bet");
}

}  // namespace
}  // namespace slipstream
