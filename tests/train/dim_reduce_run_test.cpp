// SPDX-License-Identifier: GPL-3.0-or-later
// dim_reduce in whole runs of thread ranks, with past weights from a folder.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "engine/boost/algorithms.h"
#include "engine/boost/dim_reduce/snapshot_folder.h"
#include "engine/experiment/experiment_check.h"
#include "engine/nn/network.h"
#include "engine/plan/forecast.h"
#include "engine/probe/dataset_kind.h"
#include "engine/probe/weight_files.h"
#include "engine/train/trainer.h"
#include "tests/support/error_of.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::errorOf;
using test::hashesAt;
using test::MemoryStore;
using test::trainRanks;
using testing::AllOf;
using testing::HasSubstr;

ParameterLayout lenet() {
  return ParameterLayout(*networkShape(*builtInNetwork("lenet5"), {28, 28, 1}));
}

std::vector<ExpectedTensor> lenetWeights() {
  const NetworkSpec network = *builtInNetwork("lenet5");
  return expectedWeightTensors(network, *networkShape(network, {28, 28, 1}));
}

/// One file of weights, as the reference implementation of safetensors would write them.
void writeSnapshot(const std::filesystem::path& path, const ParameterLayout& layout,
                   const std::vector<float>& weights) {
  nlohmann::json header{{"__metadata__", {{"step", "1"}}}};
  for (const FlatTensor& tensor : layout.tensors()) {
    header[tensor.spec.name] = {{"dtype", "F32"},
                                {"shape", tensor.spec.shape},
                                {"data_offsets", {tensor.range.begin * 4, tensor.range.end * 4}}};
  }
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  std::ofstream file(path, std::ios::binary);
  file.write(reinterpret_cast<const char*>(&length), sizeof(length)) << text;
  file.write(reinterpret_cast<const char*>(weights.data()), static_cast<std::streamsize>(weights.size() * 4));
}

/// A path from the starting weights of one seed towards others.
std::filesystem::path folderOf(const std::string& name, int snapshots) {
  const auto folder = std::filesystem::path(testing::TempDir()) / ("dim_reduce_" + std::to_string(::getpid()) + name);
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const ParameterLayout layout = lenet();
  std::vector<float> weights(static_cast<std::size_t>(layout.size()));
  for (int s = 0; s < snapshots; ++s) {
    initialWeights(layout, {0, layout.size()}, static_cast<std::uint64_t>(100 + s), weights);
    writeSnapshot(folder / ("step_" + std::to_string(10 + s) + ".safetensors"), layout, weights);
  }
  return folder;
}

RunPlan planOver(const std::filesystem::path& folder, int ranks, std::int64_t steps, DimReduceMethod method) {
  RunPlan plan = test::digitsPlan(ranks, steps);
  Experiment& experiment = plan.experiment;
  experiment.optimizer.schedule.maximum = 0.5;
  experiment.boost.setOn("dim_reduce", true);
  experiment.boost.edit<DimReduceOptions>().method = method;
  experiment.boost.edit<DimReduceOptions>().nComponents = 7;
  experiment.boost.edit<DimReduceOptions>().weightLoadDir = folder.string();
  return plan;
}

class DimReduceRun : public testing::TestWithParam<DimReduceMethod> {};

TEST_P(DimReduceRun, ResumedItEndsWithTheSameBitsAsOneLeftAlone) {
  RunPlan plan = planOver(folderOf("resume", 9), 3, 12, GetParam());
  plan.experiment.train.checkpoint.everySteps = 5;
  MemoryStore alone;
  trainRanks(alone, plan);
  MemoryStore resumed;
  resumed.stop = StopKind::afterStep;
  resumed.stopAtStep = 6;
  trainRanks(resumed, plan);
  ASSERT_LT(resumed.checkpoints.rbegin()->first, 10);
  resumed.stopAtStep = -1;
  trainRanks(resumed, plan, 5);
  EXPECT_EQ(hashesAt(alone, 12), hashesAt(resumed, 12));
  EXPECT_EQ(alone.meanOf("loss"), resumed.meanOf("loss"));
}

TEST_P(DimReduceRun, ResumedItKnowsWhichLayersTheLastGradientWasOf) {
  RunPlan plan = planOver(folderOf("frozen", 9), 2, 14, GetParam());
  plan.experiment.boost.setOn("grad_freeze", true);
  plan.experiment.boost.edit<GradFreezeOptions>().paramGroups = 2;
  plan.experiment.boost.edit<GradFreezeOptions>().freezeP = 0.5;
  plan.experiment.train.checkpoint.everySteps = 1;
  MemoryStore alone;
  trainRanks(alone, plan);
  for (const std::int64_t from : {4, 5, 6, 7}) {  // behind full steps and behind frozen ones
    MemoryStore resumed;
    resumed.checkpoints = alone.checkpoints;
    resumed.tensors = alone.tensors;
    trainRanks(resumed, plan, from);
    EXPECT_EQ(hashesAt(alone, 14), hashesAt(resumed, 14)) << "from step " << from;
  }
  const auto groups = alone.meanOf("freeze_index");
  EXPECT_TRUE(std::ranges::count(groups, 0) > 0 && std::ranges::count(groups, 1) > 0);
}

TEST_P(DimReduceRun, ItsMemoryIsTheForecast) {
  RunPlan plan = planOver(folderOf("memory", 8), 2, 1, GetParam());
  plan.local = true;
  MemoryStore store;
  trainRanks(store, plan);
  const auto shape = networkShape(plan.experiment.network, sampleShape(plan.experiment.dataset));
  const auto forecast = forecastMemory(plan, *shape, plan.experiment.dataset.evaluationSamples);
  EXPECT_EQ(store.memory[0]["boost"], forecast.at("boost"));
  EXPECT_EQ(store.memory[0]["optimizer_state"], 0);
  EXPECT_EQ(forecast.at("optimizer_state"), 0);
}

INSTANTIATE_TEST_SUITE_P(Methods, DimReduceRun, testing::Values(DimReduceMethod::bfgs, DimReduceMethod::sgd),
                         [](const auto& method) { return method.param == DimReduceMethod::bfgs ? "bfgs" : "sgd"; });

TEST(DimReduceRunMetrics, EveryAcceptedStepLowersTheLossOfItsBatch) {
  MemoryStore store;
  trainRanks(store, planOver(folderOf("metrics", 9), 2, 6, DimReduceMethod::bfgs));
  EXPECT_EQ(store.metrics["dim_reduce/accepted_power"].size(), 6U);
  EXPECT_EQ(store.metrics["dim_reduce/explained_variance"].size(), 1U);
  EXPECT_EQ(store.metrics["learning_rate"].begin()->second.begin()->second, 1);
  const auto power = store.meanOf("dim_reduce/accepted_power");
  EXPECT_GE(*std::ranges::max_element(power), 0);
}

std::string refusal(const std::filesystem::path& folder) {
  const auto snapshots = snapshotFolder(folder, lenetWeights());
  return errorOf([&] { snapshots->count(); });
}

TEST(SnapshotFolder, HandsOutTheTensorsOfTheFilesInTheOrderOfTheirNames) {
  const auto folder = folderOf("order", 3);
  std::ofstream(folder / "notes.txt") << "not a snapshot";
  const ParameterLayout layout = lenet();
  const auto snapshots = snapshotFolder(folder, lenetWeights());
  ASSERT_EQ(snapshots->count(), 3);
  for (int s = 0; s < 3; ++s) {
    for (const FlatTensor& tensor : layout.tensors()) {
      std::vector<float> read(static_cast<std::size_t>(tensor.range.size()));
      std::vector<float> expected(read.size());
      snapshots->read(s, tensor, read);
      initialWeights(layout, tensor.range, static_cast<std::uint64_t>(100 + s), expected);
      EXPECT_EQ(read, expected) << s << " " << tensor.spec.name;
    }
  }
}

TEST(SnapshotFolder, WhatDoesNotFitIsNamed) {
  const auto folder = folderOf("bad", 2);
  EXPECT_THAT(refusal(folder / "missing"), AllOf(HasSubstr("weight_load_dir"), HasSubstr("cannot be read")));
  std::filesystem::create_directories(folder / "empty");
  EXPECT_THAT(refusal(folder / "empty"), HasSubstr("holds no .safetensors and no .ckpt file"));

  const auto path = folder / "step_11.safetensors";
  std::ofstream(path, std::ios::binary) << "not safetensors at all";
  EXPECT_THAT(refusal(folder), AllOf(HasSubstr("step_11"), HasSubstr("is no safetensors file")));

  const ParameterLayout layout = lenet();
  std::vector<float> weights(static_cast<std::size_t>(layout.size()));
  writeSnapshot(path, layout, {weights.begin(), weights.end() - 10});
  EXPECT_THAT(refusal(folder), AllOf(HasSubstr("step_11"), HasSubstr("is cut short")));

  LayerSpec dense{.kind = LayerKind::dense, .name = "fc1", .outputs = 10};
  const ParameterLayout other(*networkShape({"other", {{.kind = LayerKind::flatten}, dense}}, {28, 28, 1}));
  writeSnapshot(path, other, std::vector<float>(static_cast<std::size_t>(other.size())));
  const std::string text = refusal(folder);
  EXPECT_THAT(text, HasSubstr("step_11"));
  EXPECT_THAT(text, AllOf(HasSubstr("lacks"), HasSubstr("fc1.weight is 10 x 784, the network's is 120 x 400")));
}

TEST(SnapshotFolder, AsManySnapshotsAsComponentsAreRefusedInARun) {
  MemoryStore store;
  const std::string text =
      errorOf([&] { trainRanks(store, planOver(folderOf("few", 7), 2, 1, DimReduceMethod::bfgs)); });
  EXPECT_THAT(text, AllOf(HasSubstr("n_components is 7"), HasSubstr("there are 7 snapshots")));
}

}  // namespace
}  // namespace slipstream
