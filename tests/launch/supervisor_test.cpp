// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <csignal>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/hosts/run_folder.h"
#include "engine/runs/run_logs.h"
#include "tests/launch/supervised_run.h"
#include "tests/support/small_plan.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;

constexpr int ranks = 3;

RunPlan planOf(std::int64_t steps) {
  RunPlan plan = smallPlan(ranks, steps);
  plan.experiment.train.checkpoint.everySteps = 20;
  return plan;
}

/// Nothing that was committed may be missing: every rank's steps are there without a hole.
void expectWholeSeries(SupervisedRun& run, std::size_t atLeast) {
  for (int rank = 0; rank < ranks; ++rank) {
    const Series series = run.store().rankSeries(run.runId(), "loss", rank);
    EXPECT_GE(series.steps.size(), atLeast) << "rank " << rank;
    for (std::size_t index = 0; index < series.steps.size(); ++index) {
      ASSERT_EQ(series.steps[index], static_cast<std::int64_t>(index)) << "rank " << rank;
    }
  }
}

TEST(Supervisor, ARunThatEndsIsDone) {
  SupervisedRun run(planOf(50));
  run.start();
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::done) << record.why;
  EXPECT_EQ(record.attempt, 1);
  expectWholeSeries(run, 50);
  EXPECT_EQ(run.store().checkpoints(run.runId()).back().step, 50);
  run.expectNothingLeft();
}

TEST(Supervisor, LogsOfRanksAreKeptWhateverTheStoreIsCalled) {
  SupervisedRun run(planOf(5), "a store: with, marks");
  run.start();
  EXPECT_EQ(run.end().state, RunState::done);
  const auto logs = rankLogs(run.storeFolder(), run.runId());
  ASSERT_EQ(logs.size(), 2U * ranks);
  EXPECT_EQ(logs.back().rank, ranks - 1);
  EXPECT_EQ(readFile(logs[2 * ranks - 2].file).value_or(""), "rank 2 is here\n");
}

/// No limit but the one that a misdeed is found by: on a slow machine a rank may be silent until mpirun has said why.
constexpr const char* noLimit = "600";

struct Misdeed {
  const char* kind;
  const char* expected;
  const char* log = "rank 1 is here";
  const char* silence = noLimit;   ///< seconds
  const char* progress = noLimit;  ///< seconds
};

class MisbehavingWorker : public ::testing::TestWithParam<Misdeed> {};

TEST_P(MisbehavingWorker, FailsTheRunNamingRankAndLog) {
  SupervisedRun run(planOf(1000));
  run.start({{"FAKE_WORKER", std::string(GetParam().kind) + "@30/1"}}, {GetParam().silence, GetParam().progress});
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::failed);
  EXPECT_THAT(record.why, HasSubstr("rank 1"));
  EXPECT_THAT(record.why, HasSubstr(GetParam().expected));
  EXPECT_THAT(record.why, HasSubstr(GetParam().log)) << "the last lines of its log";
  const auto events = run.store().events(run.runId());
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back().code, "run.failed");
  EXPECT_EQ(events.back().rank, 1);
  expectWholeSeries(run, 20);
  run.expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Supervisor, MisbehavingWorker,
                         ::testing::Values(Misdeed{"kill", "signal 9"},
                                           Misdeed{"segfault", "signal 11", "End of error message"},
                                           Misdeed{"exit", "exit code 3"}, Misdeed{"leave", "without a last word"},
                                           Misdeed{"throw", "a tensor has the wrong shape"},
                                           Misdeed{.kind = "stop", .expected = "silent", .silence = "4"},
                                           Misdeed{.kind = "hang", .expected = "hangs", .progress = "4"}),
                         [](const auto& instance) { return instance.param.kind; });

TEST(Supervisor, AKilledMpirunFailsTheRun) {
  SupervisedRun run(planOf(1'000'000));
  run.start();
  ASSERT_TRUE(run.waitForStep(30));
  run.signalMpirun(SIGKILL);
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::failed);
  EXPECT_THAT(record.why, HasSubstr("mpirun was killed by signal 9"));
  expectWholeSeries(run, 30);
  run.expectNothingLeft();
}

TEST(Supervisor, AKilledSupervisorTakesItsProcessesAlongAndTheRunIsLost) {
  SupervisedRun run(planOf(1'000'000));
  run.start();
  ASSERT_TRUE(run.waitForStep(45));
  run.signalSupervisor(SIGKILL);
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::lost);
  EXPECT_TRUE(run.waitUntil([&] { return processesOfRun(run.runId()).empty(); })) << "orphans";
  expectWholeSeries(run, 45);
  removeAbandonedFolders();  // as the next run does
  run.expectNothingLeft();
}

TEST(Supervisor, ARunWithoutAWorkerProgramSaysSo) {
  SupervisedRun run(planOf(10));
  run.start({}, {"5", "30", "/no/such/worker"});
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::failed);
  EXPECT_THAT(record.why, HasSubstr("/no/such/worker: the worker program cannot be executed"));
  run.expectNothingLeft();
}

TEST(Supervisor, ARunWithoutMpirunSaysSo) {
  SupervisedRun run(planOf(10));
  run.start({{"PATH", "/no/such/folder"}});
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::failed);
  EXPECT_THAT(record.why, HasSubstr("mpirun: the program is in none of the folders of PATH: /no/such/folder"));
  EXPECT_THAT(record.why, HasSubstr("openmpi-bin"));
  EXPECT_FALSE(record.why.ends_with("\n"));
  run.expectNothingLeft();
}

TEST(Supervisor, AResumedRunEndsWithTheSameWeights) {
  SupervisedRun whole(planOf(100));
  whole.start();
  ASSERT_EQ(whole.end().state, RunState::done);

  SupervisedRun broken(planOf(100));
  broken.start({{"FAKE_WORKER", "kill@50/2"}});
  ASSERT_EQ(broken.end().state, RunState::failed);
  broken.start();
  const RunRecord record = broken.end();
  EXPECT_EQ(record.state, RunState::done) << record.why;
  EXPECT_EQ(record.attempt, 2);
  EXPECT_EQ(broken.weightHash(), whole.weightHash());
  expectWholeSeries(broken, 100);
}

struct StopCase {
  const char* name;
  StopKind kind;
};

class StopRequest : public ::testing::TestWithParam<StopCase> {};

TEST_P(StopRequest, EndsAsStoppedWithinSeconds) {
  SupervisedRun run(planOf(1'000'000));
  run.start();
  ASSERT_TRUE(run.waitForStep(25));
  run.store().requestStop(run.runId(), GetParam().kind);
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::stopped);
  EXPECT_FALSE(record.why.empty());
  const auto checkpoints = run.store().checkpoints(run.runId());
  ASSERT_FALSE(checkpoints.empty());
  if (GetParam().kind != StopKind::now) {
    // It stopped in order: the last checkpoint is where it stopped.
    EXPECT_EQ(checkpoints.back().step, run.store().series(run.runId(), "loss").steps.back() + 1);
  }
  if (GetParam().kind == StopKind::afterCheckpoint) {
    EXPECT_EQ(checkpoints.back().step % 20, 0);
  }
  run.expectNothingLeft();
}

INSTANTIATE_TEST_SUITE_P(Supervisor, StopRequest,
                         ::testing::Values(StopCase{"AfterStep", StopKind::afterStep},
                                           StopCase{"AfterCheckpoint", StopKind::afterCheckpoint},
                                           StopCase{"Now", StopKind::now}),
                         [](const auto& instance) { return instance.param.name; });

TEST(Supervisor, CtrlCStopsAfterTheStep) {
  SupervisedRun run(planOf(1'000'000));
  run.start();
  ASSERT_TRUE(run.waitForStep(5));
  run.signalSupervisor(SIGINT);
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::stopped);
  EXPECT_THAT(record.why, HasSubstr("after step"));
  run.expectNothingLeft();
}

TEST(Supervisor, ASecondCtrlCStopsNow) {
  SupervisedRun run(planOf(1'000'000));
  run.start({{"FAKE_WORKER_PAUSE_MS", "20000"}});
  ASSERT_TRUE(run.waitUntil([&] { return run.record().state == RunState::running; }));
  run.signalSupervisor(SIGINT);
  ASSERT_TRUE(run.waitUntil([&] { return run.record().state == RunState::stopping; }));
  run.signalSupervisor(SIGTERM);
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::stopped);
  run.expectNothingLeft();
}

TEST(Supervisor, RestartsFromTheCheckpointButNotWhenTheSameStepFailsTheSameWay) {
  SupervisedRun run(planOf(100));
  run.start({{"FAKE_WORKER", "kill@50/2"}, {"SLIPSTREAM_RESTARTS", "5"}});
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::failed);
  EXPECT_EQ(record.attempt, 2);
  const auto events = run.store().events(run.runId());
  const auto restarted =
      std::count_if(events.begin(), events.end(), [](const Event& event) { return event.code == "run.restarted"; });
  EXPECT_EQ(restarted, 1);
  run.expectNothingLeft();
}

TEST(Supervisor, RunsThatDieFurtherOnEachTimeAreStartedAgain) {
  SupervisedRun run(planOf(2000));
  run.start({{"SLIPSTREAM_RESTARTS", "3"}, {"FAKE_WORKER_PAUSE_MS", "2"}});
  ASSERT_TRUE(run.waitForStep(30));
  run.signalMpirun(SIGKILL);
  ASSERT_TRUE(run.waitUntil([&] { return run.record().attempt == 2; }));
  ASSERT_TRUE(run.waitForStep(400));
  run.signalMpirun(SIGKILL);
  ASSERT_TRUE(run.waitUntil([&] { return run.record().attempt == 3; })) << run.record().why;
  EXPECT_EQ(run.end().state, RunState::done);
  expectWholeSeries(run, 2000);
}

TEST(Supervisor, SaysWhyItDoesNotStartARunAgain) {
  SupervisedRun run(planOf(100));
  run.start({{"FAKE_WORKER", "kill@50/2"}, {"SLIPSTREAM_RESTARTS", "5"}});
  EXPECT_THAT(run.end().why, HasSubstr("not started again: it failed twice in the same way"));
}

TEST(Supervisor, CtrlCIsHeardInThePauseBeforeARestart) {
  SupervisedRun run(planOf(1'000'000));
  run.start({{"SLIPSTREAM_RESTARTS", "3"}, {"SUPERVISOR_PAUSE", "50"}});
  ASSERT_TRUE(run.waitForStep(30));
  run.signalMpirun(SIGKILL);
  ASSERT_TRUE(run.waitUntil([&] {
    const auto events = run.store().events(run.runId());
    return std::ranges::any_of(events, [](const Event& event) { return event.code == "run.restarted"; });
  }));
  run.signalSupervisor(SIGINT);
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::stopped);
  EXPECT_THAT(record.why, HasSubstr("before it started again"));
}

TEST(Supervisor, AFinishedRunThatCannotBeContinuedIsWhatItWas) {
  SupervisedRun run(planOf(100));
  run.start();
  ASSERT_EQ(run.end().state, RunState::done);
  const std::string weights = run.weightHash();
  run.start({{"SUPERVISOR_FROM", "40"}, {"SUPERVISOR_WAS_DONE", "1"}}, {"5", "30", "/no/such/worker"});
  EXPECT_EQ(run.end().state, RunState::done);
  EXPECT_EQ(run.weightHash(), weights);
  EXPECT_EQ(run.store().checkpoints(run.runId()).back().step, 100);
  expectWholeSeries(run, 100);
  const auto events = run.store().events(run.runId());
  EXPECT_EQ(events.back().code, "run.failed") << "it says that it tried";

  run.start({{"SUPERVISOR_FROM", "40"}, {"SUPERVISOR_WAS_DONE", "1"}, {"FAKE_WORKER", "kill@70/1"}});
  EXPECT_EQ(run.end().state, RunState::failed) << "the new course has begun";
  EXPECT_LE(run.store().checkpoints(run.runId()).back().step, 60);
  run.start();
  EXPECT_EQ(run.end().state, RunState::done);
  EXPECT_EQ(run.weightHash(), weights) << "the same course again";
  expectWholeSeries(run, 100);
}

TEST(Supervisor, AStoppedSupervisorIsWaitedFor) {
  SupervisedRun run(planOf(300));
  run.start();
  ASSERT_TRUE(run.waitForStep(5));
  run.signalSupervisor(SIGSTOP);
  std::this_thread::sleep_for(std::chrono::seconds{9});
  run.signalSupervisor(SIGCONT);
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::done) << record.why;
  expectWholeSeries(run, 300);
}

TEST(Supervisor, AStoppedMpirunDoesNotOutliveIt) {
  SupervisedRun run(planOf(1'000'000));
  run.start();
  ASSERT_TRUE(run.waitForStep(20));
  run.signalMpirun(SIGSTOP);
  run.signalSupervisor(SIGKILL);
  EXPECT_EQ(run.end().state, RunState::lost);
  EXPECT_TRUE(run.waitUntil([&] { return processesOfRun(run.runId()).empty(); })) << "orphans";
}

/// Local addresses, as /proc/net has them, of the sockets on which the processes of a run listen.
std::vector<std::string> listeningAddresses(const std::vector<pid_t>& processes) {
  std::set<std::string> sockets;
  for (const pid_t process : processes) {
    std::error_code gone;
    for (const auto& file : std::filesystem::directory_iterator("/proc/" + std::to_string(process) + "/fd", gone)) {
      const std::string target = std::filesystem::read_symlink(file.path(), gone).string();
      if (target.starts_with("socket:[")) sockets.insert(target.substr(8, target.size() - 9));
    }
  }
  std::vector<std::string> addresses;
  for (const char* table : {"/proc/net/tcp", "/proc/net/tcp6"}) {
    std::ifstream lines(table);
    for (std::string line; std::getline(lines, line);) {
      std::istringstream fields(line);
      std::vector<std::string> words{std::istream_iterator<std::string>(fields), {}};
      const bool listens = words.size() > 9 && words[3] == "0A" && sockets.contains(words[9]);
      if (listens) addresses.push_back(words[1].substr(0, words[1].find(':')));
    }
  }
  return addresses;
}

TEST(Supervisor, ALocalRunListensOnTheLoopbackAlone) {
  if (!std::filesystem::exists(SLIPSTREAM_BUILD "/bin/slipstream-loopback.so")) GTEST_SKIP() << "a sanitizer's build";
  SupervisedRun run(planOf(1'000'000));
  run.start();
  ASSERT_TRUE(run.waitForStep(5));
  const auto addresses = listeningAddresses(processesOfRun(run.runId()));
  EXPECT_FALSE(addresses.empty()) << "mpirun's own ports";
  for (const std::string& address : addresses) {
    EXPECT_TRUE(address == "0100007F" || address == "00000000000000000000000001000000" ||
                address == "0000000000000000FFFF00000100007F")
        << address;
  }
}

TEST(Supervisor, ALocalRunNeedsNeitherSshNorTheAllocationThatTheEnvironmentNames) {
  SupervisedRun run(planOf(20));
  run.start({{"SLURM_JOB_ID", "7"},
             {"SLURM_JOBID", "7"},
             {"SLURM_NODELIST", "n[1-2]"},
             {"SLURM_JOB_NODELIST", "n[1-2]"},
             {"SLURM_NNODES", "2"},
             {"SLURM_TASKS_PER_NODE", "2(x2)"},
             {"SLURM_PROCID", "0"},
             {"SLURM_STEPID", "0"}});
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::done) << record.why;
}

TEST(Supervisor, TextFromARankTableNeverReachesAShell) {
  RunPlan plan = planOf(10);
  plan.local = false;
  const std::filesystem::path trap = std::filesystem::temp_directory_path() / "slipstream-launch-trap";
  for (RankPlacement& place : plan.places) place.host = "a;touch " + trap.string();
  SupervisedRun run(plan);
  run.start();
  const RunRecord record = run.end();
  EXPECT_EQ(record.state, RunState::failed);
  EXPECT_FALSE(std::filesystem::exists(trap));
  run.expectNothingLeft();
}

}  // namespace
}  // namespace slipstream
