// SPDX-License-Identifier: GPL-3.0-or-later
// Every pair of algorithms, and every level with every mode: what is planned trains, what cannot be is refused with a
// reason, and the table in engine/boost/README.md says the same.
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/boost/algorithms.h"
#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"
#include "tests/train/support/interplay_pairs.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using nlohmann::json;
using test::Algorithm;
using test::isPair;
using test::mayBeRefused;
using test::MemoryStore;

const json plain = json::parse(R"({
  "name": "pair", "network": "small_resnet_bottleneck",
  "dataset": {"name": "digits", "batch_size": 4, "train_samples": 128, "evaluation_samples": 16},
  "optimizer": {"name": "momentum", "learning_rate": 0.01},
  "parallel": {"ranks": 4},
  "train": {"steps": 4},
  "boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false}}}})");

Result<RunPlan> planOf(const json& experiment) {
  test::TextFiles files;
  SLIPSTREAM_TRY(planned, planFile(files.write("pair.json", experiment.dump()), {}, test::environmentOf()));
  return planned.plans.front();
}

Result<RunPlan> planOfPair(const Algorithm& a, const Algorithm& b) {
  json experiment = plain;
  experiment.merge_patch(json::parse(a.changes));
  experiment.merge_patch(json::parse(b.changes));
  return planOf(test::inStages(experiment, {{"first_epoch", 0}, {"per_epoch", 4}, {"keep", 4}}));
}

/// The plan still does what was asked for: an algorithm that is switched off would train with every other.
bool isOn(const RunPlan& plan, const std::string& name) {
  const Experiment experiment = stagesOf(plan).back().experiment;
  const std::string key = name.substr(0, name.find(','));
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
    if (algorithm.key == key) return experiment.boost.isOn(algorithm.key);
  }
  if (key == "grad_centralization") return experiment.optimizer.gradCentralization;
  if (key == "loss_scale") return experiment.lossScale.kind == LossScaleKind::dynamic;
  if (key == "micro-batches") return experiment.train.microSize == 2;
  if (key == "optimizer_parallel") return experiment.parallel.optimizerParallel.level == ShardingLevel::level3;
  throw Error("no such algorithm: " + name);
}

/// Trains to the end on thread ranks; every rank ends with the same, finite loss of the evaluation.
void expectToTrain(const RunPlan& plan, const std::string& what) {
  MemoryStore store;
  test::trainRanks(store, plan);
  const auto losses = store.meanOf("evaluation_loss");
  ASSERT_FALSE(losses.empty()) << what;
  EXPECT_TRUE(std::isfinite(losses.back())) << what;
  EXPECT_EQ(store.metrics["loss"].rbegin()->first, plan.totalSteps - 1) << what;
}

class Interplay : public testing::TestWithParam<Algorithm> {};

TEST_P(Interplay, TrainsWithEveryOtherOrSaysWhyNot) {
  for (const Algorithm& other : test::interplayAlgorithms()) {
    if (!isPair(GetParam(), other)) continue;
    const std::string what = fmt::format("{} with {}", GetParam().name, other.name);
    const auto plan = planOfPair(GetParam(), other);
    if (mayBeRefused(GetParam(), other)) {
      ASSERT_FALSE(plan) << what;
      EXPECT_FALSE(plan.error().front().remedy.empty()) << what;
    } else {
      ASSERT_TRUE(plan) << what << ": " << toText(plan.error());
      for (const std::string& name : {GetParam().name, other.name})
        EXPECT_TRUE(isOn(*plan, name)) << what << ": " << name;
      expectToTrain(*plan, what);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Algorithms, Interplay, testing::ValuesIn(test::interplayAlgorithms()),
                         [](const auto& parameter) {
                           std::string name = parameter.param.name;
                           std::ranges::replace_if(
                               name, [](char letter) { return !std::isalnum(letter); }, '_');
                           return name;
                         });

class Levels : public testing::TestWithParam<std::tuple<const char*, const char*>> {};

TEST_P(Levels, TrainEveryNetwork) {
  for (const char* network : {"mlp", "small_resnet", "small_resnet_bottleneck"}) {
    json experiment = plain;
    experiment["network"] = network;
    experiment["boost"] = {{"level", std::get<0>(GetParam())},
                           {"dictionary", {{"boost", {{"mode", std::get<1>(GetParam())}}}}}};
    const std::string what =
        fmt::format("{} at {} in mode {}", network, std::get<0>(GetParam()), std::get<1>(GetParam()));
    const auto plan = planOf(experiment);
    ASSERT_TRUE(plan) << what << ": " << toText(plan.error());
    std::set<std::string> said;
    for (const Decision& decision : allDecisions(*plan)) said.insert(decision.subject);
    for (const AlgorithmSpec& algorithm : switchedAlgorithms()) EXPECT_TRUE(said.contains(algorithm.key)) << what;
    expectToTrain(*plan, what);
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, Levels,
                         testing::Combine(testing::Values("O0", "O1", "O2"),
                                          testing::Values("auto", "manual", "enable_all", "disable_all")),
                         [](const auto& parameter) {
                           return fmt::format("{}_{}", std::get<0>(parameter.param), std::get<1>(parameter.param));
                         });

/// The name of the stage is the test's own.
std::string withoutStage(std::string problem) {
  const std::string stage = ", in stage after";
  const std::size_t at = problem.find(stage);
  return at == std::string::npos ? problem : problem.erase(at, stage.size());
}

/// The table as the README has it, made from what planning says.
std::string interplayTable() {
  std::string head = "| |";
  std::string line = "|---|";
  std::string rows;
  std::string reasons;
  const auto& algorithms = test::interplayAlgorithms();
  for (std::size_t a = 0; a < algorithms.size(); ++a) {
    head += fmt::format(" {} |", a + 1);
    line += "---|";
    rows += fmt::format("| {} {} |", a + 1, algorithms[a].name);
    for (std::size_t b = 0; b < algorithms.size(); ++b) {
      if (!isPair(algorithms[a], algorithms[b])) {
        rows += " |";
        continue;
      }
      const auto plan = planOfPair(algorithms[a], algorithms[b]);
      rows += plan ? " yes |" : " no |";
      if (plan || b < a) continue;
      reasons += fmt::format("- {} with {}: {}; {}\n", algorithms[a].name, algorithms[b].name,
                             withoutStage(plan.error().front().problem), plan.error().front().remedy);
    }
    rows += "\n";
  }
  return fmt::format("{}\n{}\n{}\n{}", head, line, rows, reasons);
}

std::string algorithmsTable() {
  std::string table = "| algorithm | slot of the training step | in one line |\n|---|---|---|\n";
  for (const AlgorithmSpec& algorithm : algorithms()) {
    table += fmt::format("| [{0}]({0}/README.md) | {1} | {2} |\n", algorithm.folder, algorithm.slot, algorithm.summary);
  }
  return table;
}

/// Between a comment that names it and the next that ends it.
void expectInReadme(const std::string& name, const std::string& table) {
  const std::filesystem::path file = std::filesystem::path(SLIPSTREAM_SOURCE) / "engine/boost/README.md";
  const std::string begin = fmt::format("<!-- {}: written by test_train -->\n", name);
  const auto text = readFile(file);
  ASSERT_TRUE(text) << toText(text.error());
  const auto from = text->find(begin);
  const auto to = text->find("<!-- end -->", from);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos);
  if (std::getenv("SLIPSTREAM_WRITE_TABLES") != nullptr) {
    std::ofstream(file) << text->substr(0, from) << begin << table << text->substr(to);
    return;
  }
  EXPECT_EQ(text->substr(from + begin.size(), to - from - begin.size()), table)
      << "write it anew: SLIPSTREAM_WRITE_TABLES=1 build/release/bin/test_train --gtest_filter='ReadmeTable.*'";
}

TEST(ReadmeTable, OfAlgorithmsIsWhatTheirSpecsSay) {
  expectInReadme("algorithms", algorithmsTable());
}

TEST(ReadmeTable, OfInterplayIsWhatPlanningSays) {
  expectInReadme("interplay", interplayTable());
}

}  // namespace
}  // namespace slipstream
