// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/failure_cause.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/base/files.h"

namespace slipstream {
namespace {

TEST(FailureCause, ReadsASignalFromMpirunsWords) {
  const auto death = readRankDeath(
      "--------------------------------------------------------------------------\n"
      "mpirun noticed that process rank 12 with PID 0 on node big-host exited on signal 11 (Segmentation fault).\n");
  ASSERT_TRUE(death);
  EXPECT_EQ(death->rank, 12);
  EXPECT_EQ(death->signal, 11);
}

TEST(FailureCause, ReadsAnExitCodeFromMpirunsWords) {
  const auto death = readRankDeath(
      "mpirun detected that one or more processes exited with non-zero status, thus causing\n"
      "the job to be terminated. The first process to do so was:\n\n  Process name: [[52104,1],2]\n  Exit code:    "
      "3\n");
  ASSERT_TRUE(death);
  EXPECT_EQ(death->rank, 2);
  EXPECT_EQ(death->exitCode, 3);
  EXPECT_EQ(death->signal, 0);
}

TEST(FailureCause, ReadsOneThatLeftQuietly) {
  const auto death =
      readRankDeath("mpirun has exited due to process rank 1 with PID 0 on\nnode vm exiting improperly.");
  ASSERT_TRUE(death);
  EXPECT_EQ(death->rank, 1);
  EXPECT_EQ(death->exitCode, 0);
  EXPECT_EQ(death->signal, 0);
}

TEST(FailureCause, ReadsTheHostWhoseDaemonIsLost) {
  EXPECT_EQ(readLostHost("ORTE has lost communication with a remote daemon.\n\n  HNP daemon   : [[53,0],0] on node h0\n"
                         "  Remote daemon: [[53,0],2] on node 10.1.2.3\n\nThis is usually due to either a failure"),
            "10.1.2.3");
  EXPECT_EQ(readLostHost("ORTE does not know how to route a message to the specified daemon\nlocated on the indicated "
                         "node:\n\n  my node:   h0\n  target node:  10.1.2.4\n\nThis is usually an internal"),
            "10.1.2.4");
  EXPECT_EQ(
      readLostHost("ORTE is unable to establish a communication connection to the\nspecified daemon located on the "
                   "indicated node:\n\n  my node:   h0\n  target node:  10.1.2.5\n"),
      "10.1.2.5");
  EXPECT_FALSE(readLostHost("mpirun: Forwarding signal 18 to job"));
  EXPECT_FALSE(readLostHost(
      "ORTE was unable to reliably start one or more daemons.\nThis usually is caused by:\n----\n"
      "ORTE does not know how to route a message to the specified daemon\nlocated on the indicated node:\n\n"
      "  my node:   h0\n  target node:  10.196.215.2\n"))
      << "any of the daemons is named then";
}

TEST(FailureCause, OtherTextNamesNobody) {
  EXPECT_FALSE(readRankDeath("There are not enough slots available in the system"));
  EXPECT_FALSE(readRankDeath(""));
}

TEST(FailureCause, LastLinesSkipRulersAndBlanks) {
  EXPECT_EQ(lastLines("one\n\n-----\ntwo  \nthree\n", 2), "two\nthree");
  EXPECT_EQ(lastLines("", 2), "");
}

TEST(FailureCause, FindsARanksLogAlsoWithPaddedNumbers) {
  const auto folder = std::filesystem::temp_directory_path() / ("slipstream-logs-" + std::to_string(::getpid()));
  ASSERT_TRUE(makeFolder(folder / "1/rank.03"));
  ASSERT_TRUE(makeFolder(folder / "1/rank.13"));
  ASSERT_TRUE(writeFile(folder / "1/rank.03/stderr", ""));
  ASSERT_TRUE(writeFile(folder / "1/rank.03/stdout", "a\nb\nc\n"));
  ASSERT_TRUE(writeFile(folder / "1/rank.13/stderr", "bad\n"));
  EXPECT_EQ(lastLogLines(folder, 3, 2), "b\nc");
  EXPECT_EQ(lastLogLines(folder, 13, 2), "bad");
  EXPECT_EQ(lastLogLines(folder, 7, 2), "");
  std::filesystem::remove_all(folder);
}

TEST(FailureCause, OnlyTheEndOfALogIsRead) {
  const auto file = std::filesystem::temp_directory_path() / ("slipstream-log-" + std::to_string(::getpid()));
  constexpr std::uintmax_t size = 200'000;
  ASSERT_TRUE(writeFile(file, std::string(size, 'a') + "\nthe last\n"));
  EXPECT_EQ(endOfFile(file), "the last\n") << "from the begin of a line";
  ASSERT_TRUE(writeFile(file, "short\n"));
  EXPECT_EQ(endOfFile(file), "short\n");
  std::filesystem::resize_file(file, std::uintmax_t{1} << 40);  // holes: no machine has the memory for all of it
  EXPECT_LE(endOfFile(file).size(), 64U * 1024);
  std::filesystem::remove(file);
  EXPECT_EQ(endOfFile(file), "");
}

TEST(FailureCause, WhatTheProblemSaysTheLogNeedNotRepeat) {
  const std::string problem = "rank 1 failed: no room\nfor two";
  EXPECT_EQ(withLog(problem, "rank 1: no room\nfor two"), problem);
  EXPECT_EQ(withLog(problem, "loading\nrank 1: no room\nfor two"), problem + "; last lines of the log:\nloading");
  EXPECT_EQ(withLog(problem, ""), problem);
  EXPECT_EQ(withLog(problem + "\n", "rank 1: no room\nfor two"), problem) << "a line's end is no part of it";
  EXPECT_EQ(withLog(problem + "\n", "loading"), problem + "; last lines of the log:\nloading");
}

}  // namespace
}  // namespace slipstream
