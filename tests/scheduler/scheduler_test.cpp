// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/scheduler.h"

#include <set>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/environment_variable.h"

namespace slipstream {
namespace {

using test::EnvironmentVariable;
using testing::Each;
using testing::Not;
using testing::StrEq;

/// In none of the jobs that the tests themselves may be in.
class Schedulers : public testing::Test {
 protected:
  EnvironmentVariable slurm_{"SLURM_JOB_ID", std::nullopt};
  EnvironmentVariable pbs_{"PBS_JOBID", std::nullopt};
  EnvironmentVariable lsf_{"LSB_JOBID", std::nullopt};
  EnvironmentVariable gridEngine_{"JOB_ID", std::nullopt};
};

TEST_F(Schedulers, EachIsDescribedByVariablesOfItsOwn) {
  std::set<std::string> seen;
  for (const Scheduler& scheduler : schedulers()) {
    const std::vector<std::string> own{scheduler.name, scheduler.job, scheduler.hosts.variable};
    EXPECT_THAT(own, Each(Not(StrEq(""))));
    for (const std::string& one : own) EXPECT_TRUE(seen.insert(one).second) << one << " is another one's too";
    EXPECT_EQ(scheduler.hosts.ranks != nullptr, scheduler.hosts.form == HostList::Form::nodeList) << scheduler.name;
  }
}

TEST_F(Schedulers, TheOneWhoseJobThisIsIsFound) {
  EXPECT_EQ(schedulerOfThisProcess(), nullptr);
  EXPECT_FALSE(isTerminatedWithJob());
  for (const Scheduler& scheduler : schedulers()) {
    const EnvironmentVariable job(scheduler.job, "17");
    ASSERT_EQ(schedulerOfThisProcess(), &scheduler) << scheduler.name;
    EXPECT_EQ(isTerminatedWithJob(), scheduler.terminatesEveryProcess) << scheduler.name;
  }
}

/// Of jobs that nobody submits runs to, slipstream knows the hosts alone.
TEST_F(Schedulers, RunsAreSubmittedToOneThatIsKnownWhole) {
  const Scheduler& submitting = submittingScheduler();
  EXPECT_STREQ(submitting.name, "Slurm");
  EXPECT_EQ(std::ranges::count_if(schedulers(), &Scheduler::takesRuns), 1);
  EXPECT_NE(submitting.jobName, nullptr);
  EXPECT_NE(submitting.restarts, nullptr);
  ASSERT_TRUE(submitting.shell);
  EXPECT_TRUE(submitting.terminatesEveryProcess);
}

TEST_F(Schedulers, WhatTellsARankWhoItIsIsNotForOthers) {
  EXPECT_TRUE(isRankVariable("SLURM_PROCID"));
  EXPECT_TRUE(isRankVariable("SLURM_STEP_NUM_TASKS"));
  for (const char* name : {"SLURM_JOB_ID", "SLURM_JOB_NODELIST", "SLURM_PROCID_", "PATH"}) {
    EXPECT_FALSE(isRankVariable(name)) << name;
  }
}

}  // namespace
}  // namespace slipstream
