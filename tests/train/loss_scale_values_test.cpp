// SPDX-License-Identifier: GPL-3.0-or-later
// A loss scale is divided out once, whatever makes the update: with every algorithm and every kind of scale the run has
// the losses and the weights of the run without one. In fp32 a power of two changes no bit on its way; other scales
// round differently, which a few steps of batch norms over four samples make visible.
#include <algorithm>
#include <cctype>
#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"
#include "tests/train/support/interplay_pairs.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using nlohmann::json;
using test::MemoryStore;

const json unscaledExperiment = json::parse(R"({
  "name": "scaled", "network": "small_resnet_bottleneck",
  "dataset": {"name": "digits", "batch_size": 4, "train_samples": 128, "evaluation_samples": 16},
  "optimizer": {"name": "momentum", "learning_rate": 0.05, "weight_decay": 0.01, "groups": [{"match": ["conv*"]}]},
  "precision": {"amp_level": "O0"},
  "parallel": {"ranks": 4},
  "train": {"steps": 4},
  "boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false}}}})");

const std::vector<test::Algorithm> powersOfTwo{
    {"fixed", R"({"precision": {"loss_scale": 1024}})"},
    {"fixed, not dropped",
     R"({"precision": {"loss_scale": {"kind": "fixed", "scale": 1024, "drop_overflow_update": false}}})"},
    {"as the tutorials write it",
     R"({"precision": {"loss_scale": {"kind": "fixed", "scale": 1024, "drop_overflow_update": false}},
         "optimizer": {"loss_scale": 1024}})"},
    {"dynamic", R"({"precision": {"loss_scale": {"kind": "dynamic", "scale": 1024, "window": 2}}})"},
};
/// Those of groups grow by a thousandth of a power of two at every step.
const std::vector<test::Algorithm> otherScales{
    {"no power of two",
     R"({"precision": {"loss_scale": {"kind": "fixed", "scale": 1000, "drop_overflow_update": false}}})"},
    {"group", R"({"precision": {"loss_scale": {"kind": "group", "scale": 1024}}})"},
};

/// What makes the update, and what else reads gradients.
std::vector<test::Algorithm> updatesAndOthers() {
  std::vector<test::Algorithm> all{
      {"averaged", "{}"},
      {"optimizer_parallel, level1", R"({"parallel": {"optimizer_parallel": {"level": "level1", "threshold": 1}}})"},
      {"dim_reduce, sgd", R"({"boost": {"dictionary": {"boost": {"dim_reduce": true},
          "dim_reduce": {"n_components": 1, "method": "sgd"}}}, "optimizer": {"learning_rate": 0.001}})"},
      {"sum over ranks", R"({"parallel": {"gradients_mean": false}, "optimizer": {"learning_rate": 0.01}})"},
      {"sgd", R"({"optimizer": {"name": "sgd"}})"}};
  for (const test::Algorithm& algorithm : test::interplayAlgorithms()) {
    if (!algorithm.name.starts_with("loss_scale")) all.push_back(algorithm);
  }
  return all;
}

RunPlan plannedWith(const test::Algorithm& algorithm, const std::string& scale) {
  json experiment = unscaledExperiment;
  experiment.merge_patch(json::parse(algorithm.changes));
  experiment.merge_patch(json::parse(scale));
  experiment = test::inStages(experiment, {{"first_epoch", 0}, {"per_epoch", 4}, {"keep", 4}});
  test::TextFiles files;
  auto planned = planFile(files.write("scaled.json", experiment.dump()), {}, test::environmentOf());
  if (!planned) throw Error(toText(planned.error()));
  return planned->plans.front();
}

/// Every weight at the end of the run, by tensor.
std::map<std::string, std::vector<float>> weightsAtTheEnd(MemoryStore& store) {
  std::map<std::string, std::vector<float>> weights;
  for (const TensorRecord& tensor : store.checkpoints.rbegin()->second.tensors) {
    if (tensor.shard < 0) weights[tensor.name] = store.tensors.at(tensor.hash);
  }
  return weights;
}

class LossScaleValues : public testing::TestWithParam<test::Algorithm> {};

TEST_P(LossScaleValues, AreThoseOfTheRunWithoutAScale) {
  MemoryStore plain;
  test::trainRanks(plain, plannedWith(GetParam(), "{}"));
  const auto losses = plain.meanOf("loss");
  const auto weights = weightsAtTheEnd(plain);
  ASSERT_FALSE(weights.empty());
  for (const test::Algorithm& kind : powersOfTwo) {
    SCOPED_TRACE(kind.name);
    MemoryStore scaled;
    test::trainRanks(scaled, plannedWith(GetParam(), kind.changes));
    EXPECT_EQ(scaled.meanOf("loss"), losses);
    EXPECT_TRUE(weightsAtTheEnd(scaled) == weights) << "the weights differ";
  }
  for (const test::Algorithm& kind : otherScales) {
    SCOPED_TRACE(kind.name);
    MemoryStore scaled;
    test::trainRanks(scaled, plannedWith(GetParam(), kind.changes));
    const auto found = scaled.meanOf("loss");
    ASSERT_EQ(found.size(), losses.size());
    for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(found[i] / losses[i], 1, 0.02) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Updates, LossScaleValues, testing::ValuesIn(updatesAndOthers()), [](const auto& parameter) {
  std::string name = parameter.param.name;
  std::ranges::replace_if(
      name, [](char letter) { return !std::isalnum(letter); }, '_');
  return name;
});

}  // namespace
}  // namespace slipstream
