// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <csignal>
#include <numeric>
#include <regex>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/hosts/run_folder.h"
#include "tests/e2e/program.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using ::testing::HasSubstr;
using ::testing::MatchesRegex;

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines = split(text, '\n');
  while (!lines.empty() && trim(lines.back()).empty()) lines.pop_back();
  return lines;
}

nlohmann::json twoVariants(int steps) {
  nlohmann::json experiment = smallExperiment(steps, 20);
  const nlohmann::json switches{{"mode", "manual"}, {"adasum", true}, {"less_bn", false}, {"grad_freeze", false}};
  const nlohmann::json adasum{{"boost", switches}, {"adasum", {{"mode", "gradients"}}}};
  experiment["variants"] = {{{"name", "averaged"}, {"boost", {{"level", "O0"}}}},
                            {{"name", "adasum"}, {"boost", {{"level", "O2"}, {"dictionary", adasum}}}}};
  return experiment;
}

double meanOf(const nlohmann::json& points, std::size_t from, std::size_t count) {
  double sum = 0;
  for (std::size_t index = from; index < from + count; ++index) sum += points[index][1].get<double>();
  return sum / static_cast<double>(count);
}

TEST(EndToEnd, TheMemoryThatPlanForecastsIsWhatTheRunMeasures) {
  Sandbox sandbox;
  nlohmann::json experiment = smallExperiment(3, 0);
  experiment["network"] = "lenet5";
  const std::string file = sandbox.write("memory.json", experiment);
  const auto planned = sandbox.json({"plan", file, "--json"});
  const nlohmann::json& forecast = planned["plans"][0]["plan"]["memory_per_rank"];
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const auto store = sandbox.store();
  const auto measured = store->memory(store->runs().front().id);
  ASSERT_EQ(measured.size(), 2U);
  for (const auto& [rank, categories] : measured) {
    for (const auto& [category, bytes] : categories) EXPECT_EQ(forecast.at(category), bytes) << category;
  }
  EXPECT_GT(forecast.at("activations"), 0);
}

TEST(EndToEnd, PlanSaysWhatARunWillSendFreezeAndKeep) {
  Sandbox sandbox;
  nlohmann::json experiment = smallExperiment(100, 40);
  experiment["network"] = "lenet5";
  experiment["boost"] = nlohmann::json::parse(R"({"level": "O1", "dictionary": {
      "boost": {"mode": "manual", "less_bn": false, "grad_freeze": true},
      "grad_freeze": {"param_groups": 3, "freeze_p": 0.7}}})");
  const std::string file = sandbox.write("forecast.json", experiment);
  const auto forecast = sandbox.json({"plan", file, "--json"})["plans"][0]["forecast"][0];
  EXPECT_EQ(forecast["steps"], 100);
  EXPECT_EQ(forecast["frozen_steps"], 30);
  EXPECT_EQ(forecast["bytes_sent_per_rank_and_step"], 4 * 61706) << "two ranks: 2 n (1 - 1/2)";
  EXPECT_EQ(forecast["checkpoint_bytes_kept"],
            forecast["checkpoint_bytes"].get<int>() * forecast["checkpoints_kept"].get<int>());
  EXPECT_GE(forecast["checkpoint_bytes"], 4 * 61706);
  const ProgramEnd told = sandbox.slipstream({"plan", file});
  EXPECT_EQ(told.exitCode, 0);
  EXPECT_THAT(told.output, testing::AllOf(HasSubstr("Steps, forecast"), HasSubstr("a rank sends a step"),
                                          HasSubstr("246.82 kB"), HasSubstr("checkpoints: at most")));
}

TEST(EndToEnd, ShowTellsWhereTheTimeOfEachRankWent) {
  Sandbox sandbox;
  nlohmann::json experiment = smallExperiment(12, 6);
  ASSERT_EQ(sandbox.slipstream({"run", sandbox.write("times.json", experiment), "--quiet"}).exitCode, 0);
  const auto time = sandbox.json({"show", "last", "--json"})["time"];
  ASSERT_EQ(time["ranks"].size(), 2U);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    const auto& row = time["ranks"][rank];
    EXPECT_EQ(row["rank"], rank);
    EXPECT_EQ(row["steps"], 12);
    double parts = 0;
    for (const char* part : {"compute", "optimizer", "communication", "data", "record", "other"}) {
      parts += row[std::string(part) + "_seconds"].get<double>();
    }
    EXPECT_NEAR(parts, row["step_seconds"].get<double>(), 1e-9);
    EXPECT_GT(row["optimizer_seconds"], 0);
    EXPECT_GT(row["checkpoint_seconds"], 0);
    EXPECT_GT(row["evaluation_seconds"], 0);
    EXPECT_LE(row["hidden_communication_seconds"], row["compute_seconds"]);
  }
  EXPECT_GE(time["straggler_index"], 1);
  EXPECT_THAT(sandbox.slipstream({"show", "last"}).output,
              testing::AllOf(HasSubstr("ms a step"), HasSubstr("rank 1"), HasSubstr("between steps: checkpoints")));
}

TEST(EndToEnd, FromAFileToARunAStoreAndAReport) {
  Sandbox sandbox;
  const ProgramEnd ended = sandbox.slipstream({"run", sandbox.write("two.json", twoVariants(60))});
  ASSERT_EQ(ended.exitCode, 0) << ended.errors;
  EXPECT_EQ(ended.output.find('\x1b'), std::string::npos) << "colours belong on a terminal";

  const auto lines = linesOf(ended.output);
  const auto count = [&](const char* form) {
    const std::regex expression(form);
    return std::count_if(lines.begin(), lines.end(),
                         [&](const std::string& line) { return std::regex_match(line, expression); });
  };
  EXPECT_EQ(count(R"(epoch: \d+ step: \d+, loss is \d+\.\d+)"), 2 * 6);
  EXPECT_EQ(count(R"(epoch time: *\d+\.\d{3} ms, per step time: *\d+\.\d{3} ms)"), 2 * 3);
  ASSERT_GE(lines.size(), 2U);
  EXPECT_EQ(lines[lines.size() - 2], "store: " + sandbox.storeFolder().string());
  ASSERT_THAT(lines.back(), MatchesRegex("report: /.*\\.html"));
  EXPECT_THAT(*readFile(lines.back().substr(8)), HasSubstr("<svg"));

  const auto loss = sandbox.json({"metrics", "last", "--metric", "loss", "--format", "json"});
  const nlohmann::json& points = (loss.is_array() ? loss[0] : loss)["points"];
  ASSERT_EQ(points.size(), 60U);
  for (std::size_t step = 0; step < points.size(); ++step) EXPECT_EQ(points[step][0], step);
  EXPECT_LT(meanOf(points, 50, 10), 0.8 * meanOf(points, 0, 10)) << "the loss falls";

  const auto shown = sandbox.json({"show", "last", "--json"});
  EXPECT_EQ(shown["state"], "done");
  EXPECT_EQ(shown["ranks"], 2);
  EXPECT_EQ(shown["boost"]["adasum"]["state"], "on");
  const double accuracy = shown["metrics"]["accuracy"]["last"];
  EXPECT_GT(accuracy, 0.2);
  EXPECT_LE(accuracy, 1);
  EXPECT_EQ(sandbox.json({"runs", "--json"}).size(), 2U);
}

TEST(EndToEnd, TheSameExperimentGivesTheSameBitsTwice) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(40, 0));
  for (int time = 0; time < 2; ++time) ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const auto runs = sandbox.store()->runs();
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(sandbox.newestState(runs[0].id), sandbox.newestState(runs[1].id));
  EXPECT_THAT(sandbox.newestState(runs[0].id), HasSubstr("step 40"));
}

TEST(EndToEnd, QuietPrintsNothingAndJsonOnlyJson) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(10, 0));
  EXPECT_EQ(sandbox.slipstream({"run", file, "--quiet"}).output, "");
  const auto told = sandbox.json({"run", file, "--json"});
  ASSERT_TRUE(told.is_object());
  EXPECT_EQ(told["runs"][0]["state"], "done");
  EXPECT_EQ(told["store"], sandbox.storeFolder().string());
}

TEST(EndToEnd, ABrokenExperimentLeavesNothingBehind) {
  Sandbox sandbox;
  nlohmann::json experiment = smallExperiment(10, 0);
  experiment["parallel"]["ranks"] = 0;
  experiment["optimizer"]["momentun"] = 0.9;
  const ProgramEnd ended = sandbox.slipstream({"run", sandbox.write("broken.json", experiment)});
  EXPECT_EQ(ended.exitCode, 2);
  EXPECT_EQ(ended.output, "");
  EXPECT_THAT(ended.errors, HasSubstr("parallel.ranks"));
  EXPECT_THAT(ended.errors, HasSubstr("momentun"));
  EXPECT_FALSE(std::filesystem::exists(sandbox.storeFolder()));
}

TEST(EndToEnd, AForeignStoreIsRefusedAndLeftAlone) {
  Sandbox sandbox;
  std::filesystem::create_directories(sandbox.storeFolder());
  ASSERT_TRUE(writeFile(sandbox.storeFolder() / "store.db", "somebody's notes"));
  const ProgramEnd ended = sandbox.slipstream({"run", sandbox.write("small.json", smallExperiment(10, 0))});
  EXPECT_EQ(ended.exitCode, 2);
  EXPECT_THAT(ended.errors, HasSubstr("store.db"));
  EXPECT_EQ(*readFile(sandbox.storeFolder() / "store.db"), "somebody's notes");
}

TEST(EndToEnd, WhatIsWrongIsToldBeforeAnythingIsDetached) {
  Sandbox sandbox;
  nlohmann::json experiment = smallExperiment(10, 0);
  experiment["parallel"]["ranks"] = 0;
  const ProgramEnd broken = sandbox.slipstream({"run", sandbox.write("broken.json", experiment), "--detach"});
  EXPECT_EQ(broken.exitCode, 2);
  EXPECT_EQ(broken.output, "");
  EXPECT_THAT(broken.errors, HasSubstr("parallel.ranks"));
  const std::string file = sandbox.write("small.json", smallExperiment(10, 0));
  const ProgramEnd missing = sandbox.slipstream(
      {"run", file, "--detach", "--set", "dataset.name=mnist", "--set", "dataset.path=/no/such/folder"});
  EXPECT_EQ(missing.exitCode, 2);
  EXPECT_THAT(missing.errors, HasSubstr("/no/such/folder"));
}

TEST(EndToEnd, ADetachedRunIsToldAsJsonWhereAskedFor) {
  Sandbox sandbox;
  const auto told = sandbox.json({"run", sandbox.write("small.json", smallExperiment(10, 0)), "--detach", "--json"});
  ASSERT_TRUE(told.is_object());
  EXPECT_EQ(told["store"], sandbox.storeFolder().string());
  EXPECT_TRUE(std::filesystem::exists(told["log"].get<std::string>()));
  // The supervisor still writes the report after the run's last word.
  const auto ended = [&] { return livenessOf(sandbox.store()->find(told["run"])->supervisor) == Liveness::gone; };
  for (int tries = 0; tries < 30'000 && !ended(); ++tries) std::this_thread::sleep_for(std::chrono::milliseconds{10});
  EXPECT_EQ(sandbox.store()->find(told["run"])->state, RunState::done);
}

TEST(EndToEnd, ARunOfAHostThatIsGoneForGoodIsTakenOverWhenToldSo) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(40, 10));
  ASSERT_EQ(sandbox.slipstream({"run", file, "--quiet"}).exitCode, 0);
  const std::string id = sandbox.store()->runs().back().id;
  {
    const auto store = RunStore::open(sandbox.storeFolder(), StoreAccess::write).value();
    store->setSupervisor(id, {4711, 1, "a boot", "a-vanished-host"});
    store->setState(id, RunState::running, "");
  }
  const ProgramEnd refused = sandbox.slipstream({"resume", id, "--from", "20"});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("a-vanished-host"));
  EXPECT_THAT(refused.errors, HasSubstr("--abandon-host"));
  const ProgramEnd resumed = sandbox.slipstream({"resume", id, "--from", "20", "--abandon-host", "--quiet"});
  EXPECT_EQ(resumed.exitCode, 0) << resumed.errors;
  EXPECT_EQ(sandbox.store()->find(id)->state, RunState::done);
  EXPECT_EQ(sandbox.store()->find(id)->attempt, 2);
}

TEST(EndToEnd, ADivergingRunFailsAndKeepsItsLastValues) {
  Sandbox sandbox;
  const std::string file = sandbox.write("small.json", smallExperiment(40, 0));
  const ProgramEnd ended = sandbox.slipstream({"run", file, "--set", "optimizer.learning_rate=1e30"});
  EXPECT_EQ(ended.exitCode, 1);
  EXPECT_THAT(ended.errors, HasSubstr("Invalid loss"));
  EXPECT_EQ(ended.errors.find("last lines of the log"), std::string::npos) << "said already: " << ended.errors;
  const auto store = sandbox.store();
  const RunRecord run = store->runs().back();
  EXPECT_EQ(run.state, RunState::failed);
  EXPECT_TRUE(std::isnan(store->series(run.id, "loss").values.back()));
  EXPECT_EQ(sandbox.json({"show", run.id, "--json"})["metrics"]["loss"]["last"], "nan");
}

TEST(EndToEnd, DetachedRunsAreStoppedFromElsewhereAndResumed) {
  Sandbox sandbox;
  const std::string file = sandbox.write("long.json", smallExperiment(100'000, 50));
  const ProgramEnd started = sandbox.slipstream({"run", file, "--detach"});
  ASSERT_EQ(started.exitCode, 0) << started.errors;
  const std::string id = trim(started.output);
  const auto state = [&] { return sandbox.store()->find(id)->state; };
  const auto waitFor = [&](const std::function<bool()>& condition) {
    for (int tries = 0; tries < 30'000 && !condition(); ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds{10});
    }
    return condition();
  };
  ASSERT_TRUE(waitFor([&] { return sandbox.store()->checkpoints(id).size() > 1; }));

  const ProgramEnd refused = sandbox.slipstream({"resume", id});
  EXPECT_EQ(refused.exitCode, 2);
  EXPECT_THAT(refused.errors, HasSubstr("running"));

  EXPECT_EQ(sandbox.slipstream({"stop", id}).exitCode, 0);
  ASSERT_TRUE(waitFor([&] { return state() == RunState::stopped; }));
  EXPECT_TRUE(waitFor([&] { return processesOfRun(id).empty(); }));
  EXPECT_EQ(sandbox.slipstream({"stop", id}).exitCode, 2);

  const std::int64_t stoppedAt = sandbox.store()->checkpoints(id).back().step;
  sandbox.start({"resume", id});
  ASSERT_TRUE(waitFor([&] { return sandbox.store()->checkpoints(id).back().step > stoppedAt; }));
  ::kill(sandbox.process(), SIGINT);
  EXPECT_EQ(sandbox.end().exitCode, 130);
  EXPECT_EQ(state(), RunState::stopped);
  EXPECT_EQ(sandbox.store()->find(id)->attempt, 2);
  const Series loss = sandbox.store()->series(id, "loss");
  for (std::size_t index = 0; index < loss.steps.size(); ++index) {
    ASSERT_EQ(loss.steps[index], static_cast<std::int64_t>(index)) << "a hole or a step twice";
  }
}

}  // namespace
}  // namespace slipstream
