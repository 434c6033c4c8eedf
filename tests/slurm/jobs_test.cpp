// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of a store that Slurm carries on; programs of the tests' own stand for Slurm's.
#include "engine/slurm/jobs.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/slurm/this_job.h"
#include "tests/support/environment_variable.h"
#include "tests/support/sample_run.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class SlurmJobs : public testing::Test {
 protected:
  SlurmJobs() : path_("PATH", (files_.path() / "bin").string() + ":" + environment("PATH").value_or("/usr/bin:/bin")) {
    std::filesystem::create_directories(files_.path() / "bin");
    store_ = test::openStore(files_.path() / "store");
    run_ = store_->createRun(test::sampleRun());
  }

  /// Stands for a program of Slurm; what it is called with is in `calls()`.
  void stand(const std::string& program, const std::string& script) const {
    const auto file = files_.write("bin/" + program, fmt::format("#!/bin/sh\necho {} \"$@\" >> {}/calls\n{}\n", program,
                                                                 files_.path().string(), script));
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  std::string calls() const { return readFile(files_.path() / "calls").value_or(""); }
  RunRecord run() { return *store_->find(run_); }
  Result<SubmittedJob> submit(const std::string& script = "", const SubmitTimeouts& timeouts = {}) {
    return submitJob(*store_, run_, name_, script, timeouts);
  }
  /// Of an sbatch that never answers; then the queue is looked at once, or until something is found there.
  static constexpr SubmitTimeouts once{std::chrono::seconds{1}, std::chrono::seconds{0}, std::chrono::milliseconds{10}};
  static constexpr SubmitTimeouts untilFound{std::chrono::seconds{1}, std::chrono::seconds{600},
                                             std::chrono::milliseconds{10}};

  /// The run is in this state, and Slurm says this of its job 17.
  void follow(RunState state, const std::string& queue) {
    store_->setJob(run_, "17");
    store_->setState(run_, state, "");
    stand("squeue", fmt::format("cat <<'END'\n{}\nEND", queue));
    EXPECT_TRUE(followJobs(*store_));
  }

  test::TextFiles files_;
  test::EnvironmentVariable path_;
  std::unique_ptr<RunStore> store_;
  std::string run_;
  std::string name_ = "slipstream-of-this-test";
};

TEST_F(SlurmJobs, ASubmittedRunWaitsWithoutASupervisor) {
  stand("sbatch", "cat > " + (files_.path() / "script").string() + "; echo '17;cluster'");
  store_->setSupervisor(run_, thisProcess());
  EXPECT_EQ(submit("#!/bin/bash\nexec true\n").value().number, "17");
  EXPECT_EQ(readFile(files_.path() / "script").value(), "#!/bin/bash\nexec true\n");
  EXPECT_EQ(run().job, "17");
  EXPECT_EQ(run().supervisor.pid, 0);
  EXPECT_EQ(run().state, RunState::queued);
}

TEST_F(SlurmJobs, WhatSlurmRefusesIsSaidInItsWords) {
  stand("sbatch", "echo 'sbatch: error: invalid partition specified: gpu' >&2; exit 1");
  const auto job = submit();
  ASSERT_FALSE(job);
  EXPECT_THAT(toText(job.error()), StartsWith("sbatch: invalid partition specified: gpu; sinfo shows"));
}

TEST_F(SlurmJobs, NamesOfJobsAreTheirRunsAndNoneComesTwice) {
  const std::string name = newJobName(run_);
  EXPECT_TRUE(isJobNameOf(run_, name));
  EXPECT_FALSE(isJobNameOf("00000000", name));
  EXPECT_FALSE(isJobNameOf(run_, "interactive"));
  EXPECT_NE(newJobName(run_), name);
}

/// The run is the job's before Slurm is asked: whoever dies over it leaves nothing that is lost or submitted twice.
TEST_F(SlurmJobs, TheJobIsWrittenDownByItsNameFirst) {
  const auto store = (files_.path() / "store").string();
  stand("sbatch", "cp " + store + "/store.db* " + files_.path().string() + "; echo 17");
  ASSERT_TRUE(submit());
  const auto before = test::openStore(files_.path());
  EXPECT_EQ(before->find(run_)->job, name_);
  EXPECT_EQ(run().job, "17");
}

TEST_F(SlurmJobs, AJobWhoseNumberDidNotComeInTimeIsFoundByItsName) {
  stand("sbatch", "exec sleep 1000");
  stand("squeue", "echo '17|PENDING|Priority|" + name_ + "'");
  EXPECT_EQ(submit("", once).value().number, "17");
  EXPECT_EQ(run().job, "17");
  const std::string asked = calls();
  EXPECT_THAT(asked, HasSubstr("--name=" + name_));
  EXPECT_EQ(std::count(asked.begin(), asked.end(), '\n'), 2) << "once each: " << asked;
}

TEST_F(SlurmJobs, AnAnswerThatWasLostOnItsWayIsNoRefusal) {
  stand("sbatch",
        "echo 'sbatch: error: Batch job submission failed: Socket timed out on send/recv operation' >&2; exit 1");
  stand("squeue", "[ $(grep -c ^squeue " + (files_.path() / "calls").string() +
                      ") -lt 3 ] || echo '17|PENDING|Priority|" + name_ + "'");
  EXPECT_EQ(submit("", untilFound).value().number, "17") << "it comes into the queue later";
  EXPECT_EQ(run().job, "17");
  EXPECT_EQ(run().state, RunState::queued);
}

TEST_F(SlurmJobs, AJobThatBeginsBeforeItsNumberComesSaysItItself) {
  stand("sbatch", "exec sleep 1000");
  stand("squeue", "exit 1");
  std::thread job([&] {
    const auto own = test::openStore(files_.path() / "store");
    while (own->find(run_)->job != name_) std::this_thread::sleep_for(std::chrono::milliseconds{5});
    own->setJob(run_, "18");
    own->setState(run_, RunState::running, "");
  });
  EXPECT_EQ(submit("", untilFound).value().number, "18");
  job.join();
  EXPECT_EQ(run().state, RunState::running) << "and it is not queued again";
}

TEST_F(SlurmJobs, WhereSlurmSaysNothingTheRunSaysSoAndIsFollowedByName) {
  stand("sbatch", "exec sleep 1000");
  stand("squeue", "echo 'squeue: error: Unable to contact slurm controller (connect failure)' >&2; exit 1");
  EXPECT_EQ(submit("", once).value().number, "");
  EXPECT_EQ(run().state, RunState::queued);
  EXPECT_THAT(run().why, HasSubstr("has not said yet whether it has taken the job"));
  EXPECT_FALSE(followJobs(*store_));
  EXPECT_EQ(run().state, RunState::queued);
  stand("squeue", "");
  EXPECT_TRUE(followJobs(*store_));
  EXPECT_EQ(run().state, RunState::queued) << "the request may still be on its way";
  stand("squeue", "echo '17|PENDING|Resources|" + name_ + "'");
  EXPECT_TRUE(followJobs(*store_));
  EXPECT_EQ(run().job, "17");
  EXPECT_EQ(run().why, "Resources");
}

TEST_F(SlurmJobs, AJobThatSlurmDoesNotKnowForLongIsGivenUp) {
  stand("sbatch", "exec sleep 1000");
  stand("squeue", "");
  ASSERT_TRUE(submit("", once));
  constexpr std::int64_t elevenMinutes = std::int64_t{11} * 60 * 1'000'000'000;
  store_->addEvent(run_, {.wallNanoseconds = wallNanoseconds() - elevenMinutes, .code = "job.submitting", .text = ""});
  EXPECT_TRUE(followJobs(*store_));
  EXPECT_EQ(run().state, RunState::failed);
  EXPECT_THAT(run().why, HasSubstr("Slurm does not know the job " + name_ + " (any more), and it has not begun"));
  EXPECT_THAT(run().why, HasSubstr("'slipstream submit --resume " + run_ + "'"));
  EXPECT_EQ(run().job, "") << "one that begins after all is not the run's";
}

TEST_F(SlurmJobs, AllNamesAreAskedForAtOnce) {
  const std::string other = store_->createRun(test::sampleRun());
  for (const auto& [id, name] : {std::pair(run_, "slipstream-a"), std::pair(other, "slipstream-b")})
    store_->setJob(id, name);
  stand("squeue", "echo '18|PENDING|Priority|slipstream-b'; echo '17|PENDING|Resources|slipstream-a'");
  EXPECT_TRUE(followJobs(*store_));
  EXPECT_EQ(run().job, "17");
  EXPECT_EQ(store_->find(other)->job, "18");
  const std::string asked = calls();
  EXPECT_EQ(std::count(asked.begin(), asked.end(), '\n'), 2) << "names, then numbers: " << asked;
  EXPECT_THAT(asked, testing::AnyOf(HasSubstr("--name=slipstream-a,slipstream-b"),
                                    HasSubstr("--name=slipstream-b,slipstream-a")));
}

TEST_F(SlurmJobs, AJobThatIsKnownByNameAloneIsCancelledByIt) {
  stand("scancel", "");
  store_->setJob(run_, name_);
  ASSERT_TRUE(stopRun(*store_, run(), StopKind::afterStep));
  EXPECT_THAT(calls(), HasSubstr("scancel --state=PENDING --name=" + name_));
  EXPECT_EQ(run().state, RunState::stopped);
}

TEST_F(SlurmJobs, ASecondInterruptionWithoutAStepIsKnown) {
  store_->startAttempt(run_, 0);
  EXPECT_FALSE(noteIdleInterruption(*store_, run_)) << "the first";
  EXPECT_TRUE(noteIdleInterruption(*store_, run_));
  store_->addCheckpoint(run_, {.step = 20, .attempt = 1, .wallNanoseconds = wallNanoseconds()});
  EXPECT_FALSE(noteIdleInterruption(*store_, run_)) << "a step was kept since";
  store_->addEvent(run_, {.wallNanoseconds = wallNanoseconds(), .code = "job.submitting", .text = ""});
  EXPECT_FALSE(noteIdleInterruption(*store_, run_)) << "another job";
  EXPECT_TRUE(noteIdleInterruption(*store_, run_));
}

TEST_F(SlurmJobs, AQueuedRunSaysWhatItWaitsFor) {
  follow(RunState::queued, "17|PENDING|ReqNodeNotAvail, UnavailableNodes:h3");
  EXPECT_EQ(run().state, RunState::queued);
  EXPECT_EQ(run().why, "ReqNodeNotAvail, UnavailableNodes:h3");
  follow(RunState::running, "17|PENDING|BeginTime");
  EXPECT_EQ(run().state, RunState::queued) << "it was queued again before it could say so";
  follow(RunState::preempted, "17|PENDING|Priority");
  EXPECT_EQ(run().state, RunState::preempted);
  follow(RunState::running, "17|RUNNING|None");
  EXPECT_EQ(run().state, RunState::running);
}

TEST_F(SlurmJobs, AJobThatHasEndedEndsItsRun) {
  follow(RunState::queued, "17|CANCELLED|None");
  EXPECT_EQ(run().state, RunState::stopped);
  follow(RunState::queued, "17|FAILED|JobLaunchFailure");
  EXPECT_EQ(run().state, RunState::failed);
  EXPECT_THAT(run().why, HasSubstr("FAILED (JobLaunchFailure) before it began"));
  follow(RunState::running, "17|NODE_FAIL|None");
  EXPECT_EQ(run().state, RunState::lost);
  EXPECT_THAT(run().why, HasSubstr("NODE_FAIL without a word while the run was running"));
  follow(RunState::preempted, "17|PREEMPTED|None");
  EXPECT_EQ(run().state, RunState::stopped);
  EXPECT_THAT(run().why, HasSubstr("slipstream submit --resume"));
  follow(RunState::queued, "");
  EXPECT_EQ(run().state, RunState::failed) << "Slurm has forgotten it";
}

TEST_F(SlurmJobs, ARunThatHasBegunIsNotCalledOneThatNeverDid) {
  store_->startAttempt(run_, 0);
  follow(RunState::queued, "17|NODE_FAIL|None");
  EXPECT_EQ(run().state, RunState::lost);
  EXPECT_THAT(run().why, HasSubstr("ended as NODE_FAIL before it began again; 'slipstream submit --resume " + run_));
  follow(RunState::queued, "17|CANCELLED|None");
  EXPECT_EQ(run().state, RunState::stopped);
  EXPECT_THAT(run().why, HasSubstr("slipstream submit --resume"));
}

TEST_F(SlurmJobs, WhereSlurmDoesNotAnswerRunsStayAsTheyAre) {
  store_->setJob(run_, "17");
  stand("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller (connect failure)' >&2; exit 1");
  const Status followed = followJobs(*store_);
  ASSERT_FALSE(followed);
  EXPECT_THAT(toText(followed.error()), HasSubstr("Unable to contact slurm controller"));
  EXPECT_EQ(run().state, RunState::queued);
  stand("squeue", "echo 'slurm_load_jobs error: Invalid job id specified' >&2; exit 1");
  EXPECT_TRUE(followJobs(*store_));
  EXPECT_EQ(run().state, RunState::failed);
}

TEST_F(SlurmJobs, SlurmIsNotAskedWithoutNeed) {
  stand("squeue", "");
  EXPECT_TRUE(followJobs(*store_)) << "no run of Slurm";
  store_->setJob(run_, "17");
  store_->setSupervisor(run_, thisProcess());
  EXPECT_TRUE(followJobs(*store_)) << "its supervisor lives here";
  store_->setState(run_, RunState::done, "");
  store_->setJob(run_, "17");
  EXPECT_TRUE(followJobs(*store_)) << "it has ended";
  EXPECT_EQ(calls(), "");
}

TEST_F(SlurmJobs, StoppingARunThatWaitsCancelsItsJob) {
  stand("scancel", "");
  store_->setJob(run_, "17");
  ASSERT_TRUE(stopRun(*store_, run(), StopKind::afterStep));
  EXPECT_THAT(calls(), HasSubstr("scancel --state=PENDING 17"));
  EXPECT_EQ(run().state, RunState::stopped);
}

TEST_F(SlurmJobs, StoppingARunThatTrainsAsksItsSupervisor) {
  stand("scancel", "");
  store_->setJob(run_, "17");
  store_->setState(run_, RunState::running, "");
  ASSERT_TRUE(stopRun(*store_, run(), StopKind::afterStep));
  EXPECT_EQ(calls(), "");
  EXPECT_EQ(store_->stopRequest(run_), StopKind::afterStep);
}

TEST_F(SlurmJobs, AnInterruptionIsWhatSlurmSaysOfIt) {
  const ThisJob job{"17", 0, 0};
  const auto judged = [&](const std::string& facts) {
    stand("scontrol", "echo '" + facts + "'");
    return judgeInterruption(job, "stopped after step 4");
  };
  EXPECT_EQ(judged("JobState=RUNNING Restarts=0 RunTime=00:09:00 TimeLimit=00:10:00").state, RunState::queued);
  EXPECT_EQ(judged("JobState=RUNNING Restarts=0 PreemptTime=2026-11-25T17:26:25").state, RunState::preempted);
  EXPECT_EQ(judged("JobState=COMPLETING Restarts=1").state, RunState::queued);
  const InterruptedRun cancelled = judged("JobState=COMPLETING Restarts=0");
  EXPECT_EQ(cancelled.state, RunState::stopped);
  EXPECT_EQ(cancelled.why, "Slurm job 17 was cancelled: stopped after step 4");
  stand("scontrol", "exit 1");
  EXPECT_EQ(judgeInterruption(job, "").state, RunState::queued) << "whoever looks at the queue later finds out";
}

TEST_F(SlurmJobs, ErrorsThatGoIntoAPipeAreNotWaitedFor) {
  std::array<int, 2> pipe{};
  ASSERT_EQ(::pipe(pipe.data()), 0);
  const int before = ::dup(STDERR_FILENO);
  ::dup2(pipe[1], STDERR_FILENO);
  stand("scontrol", "echo JobState=COMPLETING Restarts=1");
  const InterruptedRun judged = judgeInterruption({"17", 0, 0}, "");
  ::dup2(before, STDERR_FILENO);
  for (const int file : {before, pipe[0], pipe[1]}) ::close(file);
  EXPECT_EQ(judged.state, RunState::queued);
}

TEST_F(SlurmJobs, WhoAsksForTheEndOfTheJobHearsTheAnswer) {
  stand("scontrol", "kill -TERM $$");
  EXPECT_TRUE(leaveJob({"17", 0, 0}, Interruption::timeLimit)) << "Slurm terminates the asking program too";
}

TEST_F(SlurmJobs, OnlyAJobAtItsTimeLimitQueuesItselfAgain) {
  const ThisJob job{"17", 0, 0};
  stand("scontrol", "echo JobState=COMPLETING Restarts=1");
  EXPECT_TRUE(leaveJob(job, Interruption::timeLimit));
  EXPECT_THAT(calls(), HasSubstr("scontrol requeue 17"));
  stand("scontrol", "case $1 in requeue) echo no >&2; exit 1;; esac; echo JobState=COMPLETING Restarts=1");
  EXPECT_FALSE(leaveJob(job, Interruption::timeLimit));
  const std::string before = calls();
  EXPECT_TRUE(leaveJob(job, Interruption::cancelled));
  EXPECT_TRUE(leaveJob(job, Interruption::requeued));
  EXPECT_EQ(calls(), before);
  EXPECT_TRUE(leaveJob(job, Interruption::preempted)) << "until Slurm has queued it again";
}

}  // namespace
}  // namespace slipstream
