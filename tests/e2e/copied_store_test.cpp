// SPDX-License-Identifier: GPL-3.0-or-later
// Two copies of a store on one machine: a run is trained from one of them at a time.
#include <csignal>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/hosts/run_folder.h"
#include "tests/e2e/program.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::AllOf;
using ::testing::HasSubstr;

class CopiedStore : public ::testing::Test {
 protected:
  std::filesystem::path copyFolder() const { return original_.folder() / "copy"; }
  RunRecord run(const std::filesystem::path& store) const {
    return RunStore::open(store, StoreAccess::read).value()->runs().front();
  }
  std::int64_t newestStep() const {
    const auto steps = original_.store()->series(run(original_.storeFolder()).id, "loss").steps;
    return steps.empty() ? 0 : steps.back();
  }
  bool waitFor(const std::function<bool()>& condition) const {
    for (const Stopwatch watch; watch.seconds() < 300;) {
      if (condition()) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    return false;
  }
  /// A run that was stopped, in both stores.
  void makeTwo() {
    const std::string file = original_.write("long.json", smallExperiment(100'000'000, 0));
    original_.start({"run", file, "--ranks=2"});
    ASSERT_TRUE(waitFor([&] {
      const auto store = RunStore::open(original_.storeFolder(), StoreAccess::read);
      return store && !(*store)->runs().empty() && newestStep() > 0;
    }));
    ::kill(original_.process(), SIGTERM);
    ASSERT_EQ(original_.end().exitCode, 130);
    std::filesystem::copy(original_.storeFolder(), copyFolder(), std::filesystem::copy_options::recursive);
  }
  /// `slipstream WORDS` with the copy, while the original's program runs.
  ProgramEnd onCopy(const std::string& words) const {
    const auto errors = original_.folder() / "copy-errors";
    const int status = std::system(fmt::format("'{}/bin/slipstream' {} --store '{}' >/dev/null 2>'{}'",
                                               SLIPSTREAM_BUILD, words, copyFolder().string(), errors.string())
                                       .c_str());
    return {WEXITSTATUS(status), "", readFile(errors).value_or("")};
  }

  Sandbox original_;
};

TEST_F(CopiedStore, ARunThatIsTrainedFromTheOriginalIsLeftAlone) {
  makeTwo();
  const std::string id = run(original_.storeFolder()).id;
  original_.start({"resume", id});
  const std::int64_t before = newestStep();
  ASSERT_TRUE(waitFor([&] { return newestStep() > before; }));
  const auto processes = processesOfRun(id);
  EXPECT_FALSE(processes.empty());
  const ProgramEnd refused = onCopy("resume " + id);
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors,
              AllOf(HasSubstr(fmt::format("the run is being trained on this machine from another store (process {})",
                                          original_.process())),
                    HasSubstr("stop it there: slipstream stop " + id)));
  EXPECT_EQ(run(copyFolder()).state, RunState::stopped) << "in the copy it is what it was";
  EXPECT_EQ(run(original_.storeFolder()).state, RunState::running);
  EXPECT_EQ(processesOfRun(id), processes);
  const std::int64_t then = newestStep();
  EXPECT_TRUE(waitFor([&] { return newestStep() > then; })) << "it trains on";
  ::kill(original_.process(), SIGTERM);
  EXPECT_EQ(original_.end().exitCode, 130);
  EXPECT_EQ(onCopy("resume " + id + " --detach").exitCode, 0) << "nobody trains it any more";
  EXPECT_EQ(onCopy("stop " + id + " --when now").exitCode, 0);
  EXPECT_TRUE(waitFor([&] { return run(copyFolder()).state == RunState::stopped && processesOfRun(id).empty(); }));
}

/// Its state is written a moment before its process ends.
TEST_F(CopiedStore, ASupervisorThatIsEndingIsWaitedFor) {
  makeTwo();
  const std::string id = run(original_.storeFolder()).id;
  for (int time = 0; time < 3; ++time) {
    ASSERT_EQ(onCopy("resume " + id + " --detach").exitCode, 0);
    ASSERT_TRUE(waitFor([&] { return run(copyFolder()).state == RunState::running; }));
    ASSERT_EQ(onCopy("stop " + id).exitCode, 0);
    ASSERT_TRUE(waitFor([&] { return run(copyFolder()).state == RunState::stopped; })) << run(copyFolder()).why;
  }
}

}  // namespace
}  // namespace slipstream
