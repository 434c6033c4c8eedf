// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/job_facts.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace slipstream {
namespace {

/// As Slurm 22.05 writes it.
std::string shown(const std::string& state, int restarts, const std::string& limit, const std::string& used,
                  const std::string& preempted = "None") {
  return fmt::format(
      "JobId=1 JobName=slipstream-3f2a UserId=root(0) GroupId=root(0) MCS_label=N/A Priority=4294901759 Nice=0 "
      "Account=(null) QOS=(null) JobState={} Reason=None Dependency=(null) Requeue=1 Restarts={} BatchFlag=1 Reboot=0 "
      "ExitCode=0:0 RunTime={} TimeLimit={} TimeMin=N/A SubmitTime=2026-11-25T17:26:20 "
      "PreemptEligibleTime=2026-11-25T17:26:20 PreemptTime={} SuspendTime=None Partition=low NodeList=h[1-2] "
      "Comment=JobState=FAILED Restarts=9\n",
      state, restarts, used, limit, preempted);
}

Interruption why(const std::string& text, int restarts = 0) {
  return whyInterrupted(parseJobFacts(text), restarts);
}

TEST(JobFacts, AreReadFromWhatSlurmShows) {
  const JobFacts facts = parseJobFacts(shown("RUNNING", 2, "1-00:10:00", "23:59:30"));
  EXPECT_EQ(facts.state, "RUNNING");
  EXPECT_EQ(facts.restarts, 2);
  EXPECT_FALSE(facts.preempting);
  EXPECT_EQ(facts.secondsLeft, 630);
  EXPECT_FALSE(parseJobFacts(shown("RUNNING", 0, "UNLIMITED", "00:01:00")).secondsLeft);
  EXPECT_EQ(parseJobFacts("").state, "");
}

/// Each as it was seen when the signal came.
TEST(JobFacts, TellWhyTheOneSignalCame) {
  EXPECT_EQ(why(shown("RUNNING", 0, "00:10:00", "00:08:10")), Interruption::timeLimit);
  EXPECT_EQ(why(shown("RUNNING", 0, "365-00:00:00", "00:00:12", "2026-11-25T17:26:25")), Interruption::preempted);
  EXPECT_EQ(why(shown("COMPLETING", 1, "UNLIMITED", "00:00:00")), Interruption::requeued);
  EXPECT_EQ(why(shown("COMPLETING", 1, "UNLIMITED", "00:00:00"), 1), Interruption::cancelled) << "queued again earlier";
  EXPECT_EQ(why(shown("COMPLETING", 0, "UNLIMITED", "00:00:04")), Interruption::cancelled);
  EXPECT_EQ(why(shown("RUNNING", 0, "02:00:00", "00:00:04")), Interruption::cancelled) << "somebody sent a signal";
}

TEST(JobFacts, LinesOfTheQueueAreJobs) {
  const auto jobs =
      parseQueue("17|PENDING|Resources\n18|RUNNING|None|slipstream-b\nslurm_load_jobs error\n19|CANCELLED|None\n");
  ASSERT_EQ(jobs.size(), 3U);
  EXPECT_EQ(jobs.at("17").reason, "Resources");
  EXPECT_TRUE(isWaiting(jobs.at("17")));
  EXPECT_TRUE(isActive(jobs.at("18")));
  EXPECT_EQ(jobs.at("18").name, "slipstream-b");
  EXPECT_FALSE(isActive(jobs.at("19")) || isWaiting(jobs.at("19")));
}

}  // namespace
}  // namespace slipstream
