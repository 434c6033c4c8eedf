// SPDX-License-Identifier: GPL-3.0-or-later
// Every boost algorithm on the residual networks for images, from a folder of JPEGs, as thread ranks: it trains, is
// really on, and goes on after a stop with the same bits.
#include <cmath>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/plan/plan_file.h"
#include "tests/support/jpeg_images.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/text_files.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using namespace slipstream::test;
using nlohmann::json;
using ::testing::AllOf;
using ::testing::Each;
using ::testing::Ge;
using ::testing::HasSubstr;
using ::testing::Le;

class ImageNetworks : public ::testing::Test {
 protected:
  ImageNetworks() { writeImageFolder(folder_.path(), {"red", "green", "blue"}, 16, 3); }

  /// ResNet-18 on images of 32 x 32 in bf16, four ranks, three steps, with these changes.
  RunPlan plan(const char* changes) const {
    json experiment = json::parse(R"({
      "name": "pictures", "network": "resnet18",
      "dataset": {"name": "image_folder", "batch_size": 3, "image_size": 32},
      "loss": {"name": "cross_entropy_smooth", "smooth_factor": 0.1},
      "optimizer": {"name": "momentum", "weight_decay": 1e-4, "learning_rate": 0.01,
                    "groups": [{"match": ["*gamma", "*beta", "*bias"], "weight_decay": 0}]},
      "precision": {"amp_level": "O2"},
      "parallel": {"ranks": 4},
      "train": {"steps": 3, "checkpoint": {"save_checkpoint_steps": 2}},
      "boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false}}}})");
    experiment["dataset"]["path"] = folder_.path().string();
    experiment.merge_patch(json::parse(changes));
    TextFiles files;
    const auto planned = planFile(files.write("pictures.json", experiment.dump()), {}, environmentOf());
    if (!planned) throw std::runtime_error(toText(planned.error()));
    return planned->plans.front();
  }

  /// What the run leaves; it has gone on from `fromStep` too, and come to the same bits.
  void train(MemoryStore& store, const RunPlan& plan, std::int64_t fromStep = 2) const {
    trainRanks(store, plan);
    const auto losses = store.meanOf("loss");
    ASSERT_EQ(std::ssize(losses), plan.totalSteps);
    for (const double loss : losses) EXPECT_TRUE(std::isfinite(loss));
    const auto alone = hashesAt(store, plan.totalSteps);
    trainRanks(store, plan, fromStep);
    EXPECT_EQ(hashesAt(store, plan.totalSteps), alone) << "resumed at " << fromStep;
  }

  static std::vector<double> values(MemoryStore& store, const std::string& metric) {
    std::vector<double> all;
    for (const auto& [step, ofRanks] : store.metrics[metric]) {
      for (const auto& [rank, value] : ofRanks) all.push_back(value);
    }
    return all;
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(ImageNetworks, AdasumOfTwoServersOfTwoRanks) {
  const RunPlan plan = this->plan(R"({"boost": {"level": "O2", "dictionary":
      {"boost": {"adasum": true}, "common": {"device_number": 2}, "adasum": {"mode": "deltas", "scope": "servers"}}}})");
  ASSERT_TRUE(plan.experiment.boost.isOn("adasum"));
  MemoryStore store;
  train(store, plan);
  for (const char* tensor : {"conv1.weight", "layer4.1.bn2.gamma", "end_point.weight"}) {
    const auto orthogonality = values(store, std::string("orthogonality/") + tensor);
    ASSERT_FALSE(orthogonality.empty()) << tensor;
    EXPECT_THAT(orthogonality, Each(AllOf(Ge(0.0), Le(2.0)))) << tensor;
  }
}

TEST_F(ImageNetworks, AdasumOfGradients) {
  MemoryStore store;
  train(store, plan(R"({"boost": {"level": "O2", "dictionary":
      {"boost": {"adasum": true}, "adasum": {"mode": "gradients"}}}})"));
  EXPECT_FALSE(values(store, "orthogonality/layer1.0.conv1.weight").empty());
}

TEST_F(ImageNetworks, LessBatchNorms) {
  const RunPlan plan = this->plan(R"({"network": "resnet50", "parallel": {"ranks": 2},
      "boost": {"dictionary": {"boost": {"less_bn": true}}}})");
  ASSERT_TRUE(plan.experiment.boost.isOn("less_bn"));
  const auto isNorm = [](const LayerSpec& layer) { return layer.kind == LayerKind::batchNorm; };
  EXPECT_LT(std::ranges::count_if(plan.experiment.network.layers, isNorm), 53) << "ResNet-50 has 53 of them";
  MemoryStore store;
  train(store, plan);
}

TEST_F(ImageNetworks, FrozenGradients) {
  const RunPlan plan = this->plan(R"({"train": {"steps": 6}, "boost": {"dictionary":
      {"boost": {"grad_freeze": true}, "grad_freeze": {"param_groups": 4, "freeze_p": 0.9}}}})");
  ASSERT_TRUE(plan.experiment.boost.isOn("grad_freeze"));
  MemoryStore store;
  train(store, plan, 4);
}

TEST_F(ImageNetworks, ShardsGiveTheLossesOfWholeWeightsToTheLastBit) {
  MemoryStore whole;
  train(whole, plan("{}"));
  MemoryStore shards;
  train(shards, plan(R"({"parallel": {"optimizer_parallel": {"level": "level3", "threshold": 1}}})"));
  EXPECT_EQ(whole.meanOf("loss"), shards.meanOf("loss"));
  EXPECT_EQ(whole.meanOf("evaluation_loss"), shards.meanOf("evaluation_loss"));
}

TEST_F(ImageNetworks, DimReduceBehindSnapshotsWithStatisticsOfBatchNorm) {
  const RunPlan plan = this->plan(R"({"train": {"steps": null}, "stages": [
      {"name": "before", "train": {"steps": 4, "snapshots": {"first_fraction": 0, "keep": 4}}},
      {"name": "after", "train": {"steps": 2}, "boost": {"level": "O1", "dictionary":
        {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false, "dim_reduce": true},
         "dim_reduce": {"n_components": 3}}}},
      {"name": "refreshed", "start": "after", "train": {"steps": 0, "refresh_statistics": true}}]})");
  ASSERT_TRUE(plan.stages[1].experiment.boost.isOn("dim_reduce"));
  MemoryStore store;
  trainRanks(store, plan);
  for (const double loss : store.meanOf("loss")) EXPECT_TRUE(std::isfinite(loss));
  const auto before = hashesAt(store, 4);
  const auto after = hashesAt(store, 6);
  const auto refreshed = hashesAt(store, 7);
  int weights = 0;
  int statistics = 0;
  for (const auto& [name, hash] : after) {
    if (name.find("conv1.weight") != std::string::npos && before.contains(name)) weights += before.at(name) != hash;
    if (name.find("moving_mean") != std::string::npos) statistics += refreshed.at(name) != hash;
  }
  EXPECT_GT(weights, 0) << "dim_reduce moved the weights";
  EXPECT_GT(statistics, 0) << "and the refreshing the statistics";
  trainRanks(store, plan, 6);
  EXPECT_EQ(hashesAt(store, 7), refreshed);
}

TEST_F(ImageNetworks, TheTutorialsFusionOfResNet50ChangesNoBit) {
  const char* start = R"({"network": {"name": "resnet50", "classes": 1001}, "parallel": {"ranks": 2},
      "train": {"steps": 2}, "dataset": {"batch_size": 2}})";
  json fused = json::parse(start);
  fused["parallel"]["all_reduce_fusion_config"] = {85, 160};
  MemoryStore plain;
  trainRanks(plain, plan(start));
  MemoryStore sentTogether;
  const RunPlan plan = this->plan(fused.dump().c_str());
  const auto decision = std::ranges::find(plan.decisions, "parallel.all_reduce_fusion_config", &Decision::subject);
  ASSERT_NE(decision, plan.decisions.end());
  EXPECT_EQ(decision->state, "on") << decision->why.in();
  trainRanks(sentTogether, plan);
  EXPECT_EQ(plain.meanOf("loss"), sentTogether.meanOf("loss"));
  EXPECT_EQ(hashesAt(plain, 2), hashesAt(sentTogether, 2));
}

TEST_F(ImageNetworks, FullAndMixedPrecisionBeginAlike) {
  MemoryStore mixed;
  trainRanks(mixed, plan("{}"));
  MemoryStore full;
  trainRanks(full, plan(R"({"precision": {"amp_level": "O0"}})"));
  EXPECT_NEAR(mixed.meanOf("loss").front(), full.meanOf("loss").front(), 0.02);
  EXPECT_NE(mixed.meanOf("loss").front(), full.meanOf("loss").front()) << "bf16 was not used";
}

}  // namespace
}  // namespace slipstream
