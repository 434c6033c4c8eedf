// SPDX-License-Identifier: GPL-3.0-or-later
// `submit` and what its jobs do, on this machine; scripts of the test's own stand for Slurm's programs.
#include <algorithm>
#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "tests/e2e/program.h"
#include "tests/support/environment_variable.h"

namespace slipstream {
namespace {

using test::EnvironmentVariable;
using test::ProgramEnd;
using test::Sandbox;
using testing::AllOf;
using testing::HasSubstr;

class SubmittedRuns : public testing::Test {
 protected:
  SubmittedRuns()
      : path_("PATH", (sandbox_.folder() / "bin").string() + ":" + environment("PATH").value_or("/usr/bin:/bin")) {
    std::filesystem::create_directories(sandbox_.folder() / "bin");
    stand("sbatch", fmt::format("cat > {}/script; echo 17", sandbox_.folder().string()));
    stand("squeue", "echo '17|RUNNING|None'");
    stand("scontrol", "");
    stand("scancel", "");
  }

  void stand(const std::string& name, const std::string& text) const {
    const auto file = sandbox_.folder() / "bin" / name;
    ASSERT_TRUE(writeFile(
        file, fmt::format("#!/bin/sh\necho {} \"$@\" >> {}/calls\n{}\n", name, sandbox_.folder().string(), text)));
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
  }
  std::string calls() const { return readFile(sandbox_.folder() / "calls").value_or(""); }
  std::string script() const { return readFile(sandbox_.folder() / "script").value_or(""); }

  /// The words that the job of a submitted run executes, without the program and the store, which the sandbox adds.
  std::vector<std::string> commandOfJob() const {
    auto words = split(trim(split(script(), '\n').end()[-2]), ' ');
    const auto store = std::find(words.begin(), words.end(), "--store");
    if (words.size() < 4 || words.end() - store < 2) throw std::runtime_error("the script names no store: " + script());
    words.erase(store, store + 2);
    return {words.begin() + 2, words.end()};
  }
  RunRecord onlyRun() const { return sandbox_.store()->runs().front(); }
  bool waitFor(RunState state) const {
    for (int tries = 0; tries < 600; ++tries) {
      if (onlyRun().state == state && onlyRun().attempt > 0) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds{50});
    }
    return false;
  }

  Sandbox sandbox_;
  EnvironmentVariable path_;
};

TEST_F(SubmittedRuns, WaitUntilTheirJobsBegin) {
  const std::string file = sandbox_.write("small.json", test::smallExperiment(6, 3));
  const auto submitted = sandbox_.json({"submit", file, "--time", "30", "--json"});
  EXPECT_EQ(submitted["runs"][0]["job"], "17");
  EXPECT_THAT(script(), AllOf(HasSubstr("#SBATCH --time=30\n"), HasSubstr("#SBATCH --ntasks-per-node=2\n"),
                              HasSubstr("resume " + onlyRun().id + " --store ")));
  stand("squeue", "echo '17|PENDING|Resources'");
  EXPECT_THAT(sandbox_.slipstream({"runs"}).output, HasSubstr("queued (Resources)"));
  const ProgramEnd resumed = sandbox_.slipstream({"resume", "last"});
  EXPECT_EQ(resumed.exitCode, 2);
  EXPECT_THAT(resumed.errors, HasSubstr("Slurm job 17 carries it on"));
  EXPECT_EQ(sandbox_.slipstream({"stop", "last"}).exitCode, 0);
  EXPECT_THAT(calls(), HasSubstr("scancel --state=PENDING 17"));
  EXPECT_EQ(onlyRun().state, RunState::stopped);
}

/// At its time limit it is queued again by itself, and when it begins again it ends with the bits of a run that was
/// left alone.
TEST_F(SubmittedRuns, GoOnWhenTheirJobBeginsAgain) {
  const std::string file = sandbox_.write("small.json", test::smallExperiment(400, 100));
  ASSERT_EQ(sandbox_.slipstream({"submit", file}).exitCode, 0);
  stand("scontrol", "echo JobState=RUNNING Restarts=0 RunTime=00:09:00 TimeLimit=00:10:00");
  const EnvironmentVariable job("SLURM_JOB_ID", "17");
  sandbox_.start(commandOfJob());
  ASSERT_TRUE(waitFor(RunState::running));
  ::kill(sandbox_.process(), SIGTERM);
  EXPECT_EQ(sandbox_.end().exitCode, 0);
  EXPECT_EQ(onlyRun().state, RunState::queued);
  EXPECT_THAT(onlyRun().why, HasSubstr("Slurm job 17 came to its time limit: stopped after step"));
  EXPECT_THAT(calls(), HasSubstr("scontrol requeue 17"));
  const EnvironmentVariable restarts("SLURM_RESTART_COUNT", "1");
  EXPECT_EQ(sandbox_.slipstream(commandOfJob()).exitCode, 0);
  const RunRecord done = onlyRun();
  EXPECT_EQ(done.state, RunState::done);
  EXPECT_EQ(done.attempt, 2);
  const auto alone = sandbox_.json({"run", file, "--json"});
  EXPECT_EQ(sandbox_.newestState(done.id), sandbox_.newestState(alone["runs"][0]["run"]));
}

/// Slurm says it as soon as such a job has begun: it would be queued again for ever.
TEST_F(SubmittedRuns, FailWhereTheirJobsAreTooShortForAStep) {
  const std::string file = sandbox_.write("small.json", test::smallExperiment(400, 100));
  ASSERT_EQ(sandbox_.slipstream({"submit", file}).exitCode, 0);
  stand("scontrol", "echo JobState=RUNNING Restarts=0 RunTime=00:00:01 TimeLimit=00:01:00");
  stand("mpirun", "kill -TERM $PPID; exec sleep 1000");
  const EnvironmentVariable job("SLURM_JOB_ID", "17");
  EXPECT_EQ(sandbox_.slipstream(commandOfJob()).exitCode, 0);
  EXPECT_EQ(onlyRun().state, RunState::queued);
  const ProgramEnd second = sandbox_.slipstream(commandOfJob());
  EXPECT_EQ(second.exitCode, 1);
  const RunRecord run = onlyRun();
  EXPECT_EQ(run.state, RunState::failed);
  EXPECT_EQ(run.attempt, 2);
  EXPECT_THAT(run.why, AllOf(HasSubstr("Slurm job 17 came to its time limit twice before a step was kept"),
                             HasSubstr("slipstream submit --resume " + run.id + " --time 30")));
  const std::string asked = calls();
  EXPECT_EQ(asked.find("scontrol requeue 17"), asked.rfind("scontrol requeue 17")) << "once: " << asked;
}

/// The controller was too slow to say so: the job is neither lost nor submitted again.
TEST_F(SubmittedRuns, WhoseNumberDoesNotComeAreFoundByName) {
  const std::string file = sandbox_.write("small.json", test::smallExperiment(6, 3));
  stand("sbatch", fmt::format("cat > {}/script; echo 'sbatch: error: Batch job submission failed: Socket timed out on "
                              "send/recv operation' >&2; exit 1",
                              sandbox_.folder().string()));
  stand("squeue", "for word; do case $word in --name=*) echo \"17|PENDING|Priority|${word#--name=}\";; esac; done");
  const auto submitted = sandbox_.json({"submit", file, "--json"});
  EXPECT_EQ(submitted["runs"][0]["job"], "17");
  const std::string name = submitted["runs"][0]["job_name"];
  EXPECT_THAT(name, HasSubstr("slipstream-" + onlyRun().id + "-"));
  EXPECT_THAT(script(), HasSubstr("#SBATCH --job-name=" + name + "\n"));
  EXPECT_THAT(calls(), HasSubstr("--name=" + name));
  EXPECT_EQ(onlyRun().job, "17");
}

/// Somebody gave up waiting for a job and has submitted the run again.
TEST_F(SubmittedRuns, AreNotTrainedByAJobThatComesTooLate) {
  const std::string file = sandbox_.write("small.json", test::smallExperiment(6, 3));
  const std::string early = sandbox_.json({"submit", file, "--json"})["runs"][0]["job_name"];
  ASSERT_EQ(sandbox_.slipstream({"stop", "last"}).exitCode, 0);
  const auto late = commandOfJob();
  stand("sbatch", "cat >/dev/null; echo 18");
  stand("squeue", "echo '18|PENDING|Resources'");
  ASSERT_EQ(sandbox_.slipstream({"submit", "--resume", "last"}).exitCode, 0);
  const EnvironmentVariable job("SLURM_JOB_ID", "17");
  const EnvironmentVariable name("SLURM_JOB_NAME", early);
  EXPECT_EQ(sandbox_.slipstream(late).exitCode, 0);
  EXPECT_EQ(onlyRun().state, RunState::queued);
  EXPECT_EQ(onlyRun().attempt, 0);
  EXPECT_EQ(onlyRun().job, "18");
}

/// The job begins while sbatch has not yet said its number.
TEST_F(SubmittedRuns, BeginAlsoWhereTheirNumberIsNotWrittenDownYet) {
  const std::string file = sandbox_.write("small.json", test::smallExperiment(6, 3));
  const std::string name = sandbox_.json({"submit", file, "--json"})["runs"][0]["job_name"];
  RunStore::open(sandbox_.storeFolder(), StoreAccess::write).value()->setJob(onlyRun().id, name);
  const EnvironmentVariable job("SLURM_JOB_ID", "17");
  const EnvironmentVariable called("SLURM_JOB_NAME", name);
  EXPECT_EQ(sandbox_.slipstream(commandOfJob()).exitCode, 0);
  EXPECT_EQ(onlyRun().state, RunState::done) << onlyRun().why;
  EXPECT_EQ(onlyRun().job, "17");
}

TEST_F(SubmittedRuns, EndWhereTheirJobIsCancelled) {
  const std::string file = sandbox_.write("small.json", test::smallExperiment(100'000, 1000));
  ASSERT_EQ(sandbox_.slipstream({"submit", file}).exitCode, 0);
  stand("scontrol", "echo JobState=COMPLETING Restarts=0");
  const EnvironmentVariable job("SLURM_JOB_ID", "17");
  sandbox_.start(commandOfJob());
  ASSERT_TRUE(waitFor(RunState::running));
  for (int time = 0; time < 3; ++time) ::kill(sandbox_.process(), SIGTERM);
  EXPECT_EQ(sandbox_.end().exitCode, 130);
  EXPECT_EQ(onlyRun().state, RunState::stopped);
  EXPECT_THAT(onlyRun().why, HasSubstr("Slurm job 17 was cancelled: stopped after step"))
      << "Slurm says it more than once, and means no more by it";
  EXPECT_EQ(sandbox_.slipstream(commandOfJob()).exitCode, 0) << "a job that is queued again has nothing to do";
  EXPECT_EQ(onlyRun().attempt, 1);
}

TEST_F(SubmittedRuns, WhatSlurmRefusesFailsAtOnce) {
  const std::string file = sandbox_.write("small.json", test::smallExperiment(6, 3));
  stand("sbatch", "echo 'sbatch: error: invalid partition specified: gpu' >&2; exit 1");
  const ProgramEnd refused = sandbox_.slipstream({"submit", file, "--partition", "gpu"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("invalid partition specified: gpu"));
  EXPECT_EQ(onlyRun().state, RunState::failed);
  EXPECT_THAT(sandbox_.slipstream({"submit", file, "--ranks", "3", "--nodes", "2"}).errors,
              HasSubstr("parallel.ranks: cannot be spread evenly over the 2 hosts of --nodes"));
}

TEST_F(SubmittedRuns, OneThatIsRefusedKeepsNoOtherBack) {
  auto experiment = test::smallExperiment(6, 3);
  experiment["variants"] = {{{"name", "one"}}, {{"name", "two"}}, {{"name", "three"}}};
  const std::string file = sandbox_.write("small.json", experiment);
  stand("sbatch", fmt::format("cat >/dev/null; n=$(grep -c ^sbatch {}/calls); [ $n = 2 ] || {{ echo $n; exit; }}\n"
                              "echo 'sbatch: error: QOSMaxSubmitJobPerUserLimit' >&2; exit 1",
                              sandbox_.folder().string()));
  const ProgramEnd end = sandbox_.slipstream({"submit", file, "--json"});
  EXPECT_EQ(end.exitCode, 2);
  const auto runs = sandbox_.store()->runs();
  ASSERT_EQ(runs.size(), 3U);
  EXPECT_EQ(runs[1].state, RunState::failed);
  const auto told = nlohmann::json::parse(end.output)["runs"];
  ASSERT_EQ(told.size(), 2U);
  EXPECT_EQ(told[0]["run"], runs[0].id);
  EXPECT_EQ(told[1]["run"], runs[2].id);
  EXPECT_THAT(end.errors, AllOf(HasSubstr("QOSMaxSubmitJobPerUserLimit"), HasSubstr(runs[1].id)));
}

/// A run that Slurm does not take again stays what it was, and nothing that was asked for is passed over.
TEST_F(SubmittedRuns, AreContinuedAsTheyWerePlanned) {
  const std::string file = sandbox_.write("small.json", test::smallExperiment(6, 3));
  ASSERT_EQ(sandbox_.slipstream({"submit", file}).exitCode, 0);
  ASSERT_EQ(sandbox_.slipstream({"stop", "last"}).exitCode, 0);
  const std::string why = onlyRun().why;
  EXPECT_THAT(why, HasSubstr("stopped while it waited"));
  const ProgramEnd above = sandbox_.slipstream({"submit", "--resume", "last", "--seed", "4", "--nodes", "2"});
  EXPECT_EQ(above.exitCode, 2);
  EXPECT_THAT(above.errors, AllOf(HasSubstr("--seed: does not go with --resume"),
                                  HasSubstr("--nodes: does not go with --resume"), HasSubstr("leave it out")));
  stand("sbatch", "echo 'sbatch: error: no' >&2; exit 1");
  EXPECT_EQ(sandbox_.slipstream({"submit", "--resume", "last"}).exitCode, 2);
  EXPECT_EQ(onlyRun().state, RunState::stopped);
  EXPECT_EQ(onlyRun().why, why);
  EXPECT_EQ(onlyRun().job, "17");
  stand("sbatch", "cat >/dev/null; echo 18");
  EXPECT_EQ(sandbox_.slipstream({"submit", "--resume", "last", "--nodes", "1"}).exitCode, 0);
  EXPECT_EQ(onlyRun().job, "18");
}

}  // namespace
}  // namespace slipstream
