// SPDX-License-Identifier: GPL-3.0-or-later
// Several stages in one run, under mpirun: from the file to the report, and killed in every stage.
#include <csignal>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/hosts/run_folder.h"
#include "tests/e2e/program.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr int ends[] = {200, 300, 301};

/// Twenty steps an epoch; a batch norm, so that there are statistics to refresh.
nlohmann::json stagedExperiment() {
  nlohmann::json experiment = smallExperiment(1, 40);
  experiment["network"]["layers"] = nlohmann::json::parse(R"([
    {"type": "conv2d", "outputs": 4, "kernel": 3, "stride": 2}, {"type": "batch_norm"}, {"type": "relu"},
    {"type": "flatten"}, {"type": "dense", "outputs": 10}])");
  experiment["train"].erase("steps");
  experiment["stages"] = nlohmann::json::parse(R"([
    {"name": "first", "train": {"epochs": 10, "snapshots": {"first_epoch": 2, "per_epoch": 1, "keep": 4}}},
    {"name": "second", "train": {"epochs": 5}},
    {"name": "mean", "start": {"stage": "first", "weights": "snapshot_mean"},
     "train": {"steps": 0, "refresh_statistics": true}}])");
  return experiment;
}

/// Each of the four is evaluated and exported by its step; without statistics of its own.
void checkSnapshots(Sandbox& sandbox) {
  std::vector<std::int64_t> steps;
  for (const auto& kept : sandbox.json({"checkpoints", "last", "--json"})) {
    if (kept["kind"] == "snapshot") steps.push_back(kept["step"]);
  }
  ASSERT_EQ(steps, (std::vector<std::int64_t>{140, 160, 180, 200}));
  const nlohmann::json result = sandbox.json({"evaluate", "last@140", "--json"});
  EXPECT_EQ(result["kind"], "snapshot");
  EXPECT_EQ(result["refreshed"], true);
  EXPECT_GT(result["accuracy"].get<double>(), 0.2);
  EXPECT_EQ(sandbox.json({"evaluate", "last@200", "--json"})["refreshed"], false) << "the checkpoint of that step";
  const auto file = sandbox.folder() / "snapshot.safetensors";
  ASSERT_EQ(sandbox.slipstream({"checkpoint", "export", "last@140", file.string()}).exitCode, 0);
  EXPECT_THAT(readFile(file)->substr(8), AllOf(HasSubstr("\"kind\":\"snapshot\""), Not(HasSubstr("state/"))));
  const ProgramEnd none = sandbox.slipstream({"evaluate", "last@141"});
  EXPECT_EQ(none.exitCode, 2);
  EXPECT_THAT(none.errors, HasSubstr("a snapshot's: 140, 160, 180, 200"));
}

TEST(StagesEndToEnd, FromTheFileToTheReport) {
  Sandbox sandbox;
  const std::string file = sandbox.write("stages.json", stagedExperiment());
  EXPECT_THAT(sandbox.slipstream({"plan", file}).output,
              AllOf(HasSubstr("10 epochs = 200 updates"), HasSubstr("keeps 4 snapshots")));
  const ProgramEnd ended = sandbox.slipstream({"run", file});
  ASSERT_EQ(ended.exitCode, 0) << ended.errors;
  EXPECT_THAT(ended.output, HasSubstr("at the end of stage second"));

  const nlohmann::json shown = sandbox.json({"show", "last", "--json"});
  ASSERT_EQ(shown["stages"].size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(shown["stages"][i]["end_step"], ends[i]);
    EXPECT_TRUE(shown["stages"][i]["accuracy"].is_number()) << i;
    EXPECT_TRUE(shown["stages"][i]["loss"].is_number()) << i;
  }
  EXPECT_THAT(sandbox.slipstream({"show", "last"}).output, HasSubstr("the mean of the snapshots of first"));
  EXPECT_THAT(sandbox.slipstream({"checkpoints", "last"}).output, HasSubstr("snapshot"));
  checkSnapshots(sandbox);
  const auto report = sandbox.folder() / "report.html";
  ASSERT_EQ(sandbox.slipstream({"report", "last", "--output", report.string()}).exitCode, 0);
  EXPECT_THAT(*readFile(report), HasSubstr("<h2>Stages</h2>"));
}

TEST(StagesEndToEnd, KilledInEveryStageTheyEndWithTheSameBits) {
  Sandbox sandbox;
  const std::string file = sandbox.write("stages.json", stagedExperiment());
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const std::string whole = sandbox.store()->runs().back().id;
  const std::string expected = sandbox.newestState(whole);
  ASSERT_THAT(expected, HasSubstr("step 301"));

  sandbox.start({"run", file, "--quiet"});
  int kills = 0;
  for (const std::int64_t reached : {80, 160, 240, 280}) {
    std::string id;
    for (int tries = 0; tries < 150'000 && !sandbox.hasEnded(); ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds{2});
      id = sandbox.store()->runs().back().id;
      const auto checkpoints = sandbox.store()->checkpoints(id);
      if (id != whole && !checkpoints.empty() && checkpoints.back().step >= reached) break;
    }
    if (sandbox.hasEnded()) break;
    const auto processes = processesOfRun(id);
    if (!processes.empty() && ::kill(processes.back(), SIGKILL) == 0) ++kills;
    sandbox.end();
    sandbox.start({"resume", id, "--quiet"});
  }
  sandbox.end();
  const RunRecord run = sandbox.store()->runs().back();
  EXPECT_GT(kills, 0);
  ASSERT_EQ(run.state, RunState::done) << run.why;
  EXPECT_EQ(sandbox.newestState(run.id), expected) << "after " << kills << " kills";
  EXPECT_EQ(sandbox.store()->series(run.id, "accuracy").values, sandbox.store()->series(whole, "accuracy").values);
}

}  // namespace
}  // namespace slipstream
