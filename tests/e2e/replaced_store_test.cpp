// SPDX-License-Identifier: GPL-3.0-or-later
// A store that somebody takes away under a run that goes on.
#include <algorithm>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/hosts/run_folder.h"
#include "tests/e2e/program.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;
using ::testing::Not;

class ReplacedStore : public ::testing::Test {
 protected:
  /// Starts runs that never end by themselves, and returns the first one's id once it has done a step.
  std::string start(const nlohmann::json& experiment, const std::string& flag) {
    sandbox.start({"run", sandbox.write("long.json", experiment), flag});
    const Stopwatch watch;
    while (watch.seconds() < 300 && !sandbox.hasEnded()) {
      std::this_thread::sleep_for(std::chrono::milliseconds{20});
      const auto store = RunStore::open(sandbox.storeFolder(), StoreAccess::read);
      if (!store || (*store)->runs().empty()) continue;
      const std::string id = (*store)->runs().back().id;
      if (!(*store)->series(id, "loss").steps.empty()) return id;
    }
    return "";
  }

  void expectToldInOneLine(const std::string& runId) {
    const ProgramEnd ended = sandbox.end();
    EXPECT_EQ(ended.exitCode, 1);
    EXPECT_THAT(ended.errors, HasSubstr("run " + runId + " failed: the store " + sandbox.storeFolder().string() +
                                        " was deleted, moved or replaced"));
    EXPECT_EQ(std::count(ended.errors.begin(), ended.errors.end(), '\n'), 1) << ended.errors;
    EXPECT_THAT(ended.output, Not(HasSubstr("report:")));
    EXPECT_TRUE(processesOfRun(runId).empty());
  }

  Sandbox sandbox;
  const nlohmann::json endless = smallExperiment(100'000'000, 0);
};

TEST_F(ReplacedStore, ADeletedOneEndsTheRunAndNothingIsMadeInItsPlace) {
  const std::string id = start(endless, "--ranks=2");
  ASSERT_NE(id, "");
  std::filesystem::remove_all(sandbox.storeFolder());
  expectToldInOneLine(id);
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder()));
  EXPECT_EQ(sandbox.slipstream({"run", sandbox.write("short.json", smallExperiment(3, 0)), "--quiet"}).exitCode, 0);
}

TEST_F(ReplacedStore, AReplacedOneStaysAsItIs) {
  const std::string id = start(endless, "--ranks=2");
  ASSERT_NE(id, "");
  std::filesystem::rename(sandbox.storeFolder(), sandbox.folder() / "moved");
  ASSERT_TRUE(RunStore::open(sandbox.storeFolder(), StoreAccess::write));
  expectToldInOneLine(id);
  EXPECT_TRUE(sandbox.store()->runs().empty());
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder() / "reports"));
}

TEST_F(ReplacedStore, NoFurtherVariantBegins) {
  nlohmann::json experiment = endless;
  experiment["variants"] = {{{"name", "first"}}, {{"name", "second"}}};
  const std::string id = start(experiment, "--json");
  ASSERT_NE(id, "");
  std::filesystem::remove_all(sandbox.storeFolder());
  const ProgramEnd ended = sandbox.end();
  EXPECT_EQ(ended.exitCode, 1);
  const auto said = nlohmann::json::parse(ended.output, nullptr, false);
  ASSERT_TRUE(said.is_object()) << ended.output;
  EXPECT_EQ(said["runs"].size(), 1U);
  EXPECT_TRUE(said["report"].is_null());
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder()));
}

}  // namespace
}  // namespace slipstream
