#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/base/random.h"
#include "engine/launch/sweep.h"
#include "tests/journey/program.h"

namespace slipstream {
namespace {

using namespace slipstream::test;

constexpr int steps = 600;
constexpr int checkpointEvery = 40;
constexpr int kills = 21;
constexpr int killsOfARun = 3;

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

class KilledRuns : public ::testing::Test {
 protected:
  /// Waits until the newest run has begun, a random while longer, and kills what is next in turn.
  bool killAtRandom() {
    const Stopwatch watch;
    while (processesOfNewest().empty() && watch.seconds() < 10 && !journey.hasEnded()) {
      std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{random.below(2200)});
    if (journey.hasEnded()) return false;
    const int turn = killed % 3;
    if (turn == 0) return killOne(newest(), "slipstream-work");
    if (turn == 1) return ::kill(journey.process(), SIGKILL) == 0;
    return killOne(newest(), "mpirun") || killOne(newest(), "orterun");
  }

  std::string newest() { return journey.store()->runs().back().id; }
  std::vector<pid_t> processesOfNewest() {
    if (!std::filesystem::exists(journey.storeFolder() / "store.db")) return {};
    const auto store = RunStore::open(journey.storeFolder(), StoreAccess::read);
    if (!store || (*store)->runs().size() <= runsBefore) return {};
    return processesOfRun((*store)->runs().back().id);
  }

  Journey journey;
  Random random{11, RandomStream::test};
  int killed = 0;
  std::size_t runsBefore = 0;
};

// Wherever worker, supervisor or mpirun is killed, also several times in one run: resumed to its end, it has the
// weights and optimizer state of a run that was left alone, bit for bit, and its series has no hole.
TEST_F(KilledRuns, ResumedTheyEndWithTheSameBits) {
  const std::string file = journey.write("small.json", smallExperiment(steps, checkpointEvery));
  ASSERT_EQ(journey.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const std::string expected = journey.newestState(newest());
  const auto accuracies = journey.store()->series(newest(), "accuracy").values;
  ASSERT_NE(expected.find("step " + std::to_string(steps)), std::string::npos) << expected;

  while (killed < kills) {
    runsBefore = journey.store()->runs().size();
    journey.start({"run", file, "--quiet"});
    for (int time = 0; time < killsOfARun; ++time) {
      if (killAtRandom()) ++killed;
      journey.end(15);
      const RunState state = journey.store()->runs().back().state;
      if (state == RunState::done) break;
      journey.start({"resume", "last", "--quiet"});
    }
    const ProgramEnd ended = journey.end();
    const RunRecord run = journey.store()->runs().back();
    ASSERT_EQ(run.state, RunState::done) << run.why << ended.errors;
    EXPECT_EQ(journey.newestState(run.id), expected) << "after " << killed << " kills";
    EXPECT_EQ(journey.store()->series(run.id, "loss").steps.size(), static_cast<std::size_t>(steps));
    EXPECT_EQ(journey.store()->series(run.id, "accuracy").values, accuracies) << "after " << killed << " kills";
  }
  std::printf("%d kills survived\n", killed);
}

}  // namespace
}  // namespace slipstream
