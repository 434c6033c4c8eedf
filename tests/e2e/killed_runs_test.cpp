// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/hosts/run_folder.h"
#include "tests/e2e/program.h"

namespace slipstream {
namespace {

using namespace slipstream::test;

constexpr int steps = 600;
constexpr int checkpointEvery = 40;
constexpr int killsOfARun = 3;

/// An experiment that is killed, as changes of smallExperiment().
struct Victim {
  const char* name;
  int kills;
  const char* changes;
};

const Victim victims[]{
    {"averaged", 9, "{}"},
    {"everything_of_O2", 5, R"({"parallel": {"ranks": 3}, "precision": {"loss_scale": {"kind": "dynamic", "window": 9}},
      "boost": {"level": "O2", "dictionary": {"boost": {"mode": "manual", "grad_accumulation": true},
      "grad_accumulation": {"grad_accumulation_step": 2}, "grad_freeze": {"total_steps": 50}}}})"},
    {"shards_of_everything", 5, R"({"parallel": {"ranks": 3, "optimizer_parallel": {"level": "level3", "threshold": 0}},
      "train": {"micro_size": 2}})"},
    {"adasum_between_servers", 5,
     R"({"parallel": {"ranks": 4, "optimizer_parallel": {"level": "level1", "threshold": 0}},
      "boost": {"level": "O2", "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false},
      "common": {"device_number": 2}}}})"},
    {"dim_reduce", 5, R"({"stages": [
      {"name": "train", "train": {"steps": 400, "snapshots": {"first_epoch": 2, "per_epoch": 1, "keep": 9}}},
      {"name": "dim_reduce", "train": {"steps": 200}, "boost": {"level": "O1", "dictionary": {
        "boost": {"mode": "manual", "less_bn": false, "grad_freeze": false, "dim_reduce": true},
        "dim_reduce": {"n_components": 4}}}}]})"},
};

std::string nameOf(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/comm");
  std::string name;
  std::getline(file, name);
  return name;
}

/// Kills one of the run's processes; false where there is none (any more).
bool killOne(const std::string& runId, const std::string& name) {
  for (const pid_t process : processesOfRun(runId)) {
    if (nameOf(process).starts_with(name)) return ::kill(process, SIGKILL) == 0;
  }
  return false;
}

class KilledRuns : public ::testing::TestWithParam<Victim> {
 protected:
  /// Waits until the newest run has begun, a random while longer, and kills what is next in turn.
  bool killAtRandom() {
    const Stopwatch watch;
    while (processesOfNewest().empty() && watch.seconds() < 300 && !sandbox.hasEnded()) {
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{random.below(2200)});
    if (sandbox.hasEnded()) return false;
    const int turn = killed % 3;
    if (turn == 0) return killOne(newest(), "slipstream-work");
    if (turn == 1) return ::kill(sandbox.process(), SIGKILL) == 0;
    return killOne(newest(), "mpirun") || killOne(newest(), "orterun");
  }

  std::string newest() { return sandbox.store()->runs().back().id; }
  std::vector<pid_t> processesOfNewest() {
    if (!std::filesystem::exists(sandbox.storeFolder() / "store.db")) return {};
    const auto store = RunStore::open(sandbox.storeFolder(), StoreAccess::read);
    if (!store || (*store)->runs().size() <= runsBefore) return {};
    return processesOfRun((*store)->runs().back().id);
  }

  Sandbox sandbox;
  Random random{11, RandomStream::test};
  int killed = 0;
  std::size_t runsBefore = 0;
};

// Wherever worker, supervisor or mpirun is killed, also several times in one run: resumed to its end, it has the
// weights and optimizer state of a run that was left alone, bit for bit, and its series has no hole.
TEST_P(KilledRuns, ResumedTheyEndWithTheSameBits) {
  nlohmann::json experiment = smallExperiment(steps, checkpointEvery);
  experiment.merge_patch(nlohmann::json::parse(GetParam().changes));
  const std::string file = sandbox.write("small.json", experiment);
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const std::string expected = sandbox.newestState(newest());
  const auto accuracies = sandbox.store()->series(newest(), "accuracy").values;
  ASSERT_NE(expected.find("step " + std::to_string(steps)), std::string::npos) << expected;

  while (killed < GetParam().kills) {
    runsBefore = sandbox.store()->runs().size();
    sandbox.start({"run", file, "--quiet"});
    for (int time = 0; time < killsOfARun; ++time) {
      if (killAtRandom()) ++killed;
      sandbox.end();
      const RunState state = sandbox.store()->runs().back().state;
      if (state == RunState::done) break;
      sandbox.start({"resume", "last", "--quiet"});
    }
    const ProgramEnd ended = sandbox.end();
    const RunRecord run = sandbox.store()->runs().back();
    ASSERT_EQ(run.state, RunState::done) << run.why << ended.errors;
    EXPECT_EQ(sandbox.newestState(run.id), expected) << "after " << killed << " kills";
    EXPECT_EQ(sandbox.store()->series(run.id, "loss").steps.size(), static_cast<std::size_t>(steps));
    EXPECT_EQ(sandbox.store()->series(run.id, "accuracy").values, accuracies) << "after " << killed << " kills";
  }
  std::printf("%d kills survived\n", killed);
}

INSTANTIATE_TEST_SUITE_P(Victims, KilledRuns, testing::ValuesIn(victims),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

}  // namespace
}  // namespace slipstream
