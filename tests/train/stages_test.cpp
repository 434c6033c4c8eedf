// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of several stages, from the file to the weights, on thread ranks.
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/plan_file.h"
#include "engine/train/refresh_statistics.h"
#include "engine/train/trainer.h"
#include "tests/support/text_files.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;
using test::trainRanks;
using testing::ElementsAre;
using testing::HasSubstr;

/// Ten steps an epoch on two ranks. Stage `first` ends in the middle of its schedule.
const char* const stagesText = R"({
  "name": "several", "seed": 4,
  "network": {"layers": [
    {"type": "conv2d", "name": "conv", "outputs": 3, "kernel": 3, "stride": 2}, {"type": "batch_norm", "name": "norm"}, {"type": "relu"},
    {"type": "flatten"}, {"type": "dense", "outputs": 10}]},
  "dataset": {"name": "digits", "batch_size": 8, "train_samples": 160, "evaluation_samples": 64},
  "optimizer": {"name": "momentum", "learning_rate": {"mode": "linear", "lr_max": 0.1, "total_epochs": 4}},
  "parallel": {"ranks": 2},
  "train": {"checkpoint": {"save_checkpoint_steps": 3, "keep_checkpoint_max": 100}},
  "stages": [
    {"name": "first", "train": {"epochs": 2, "snapshots": {"first_epoch": 1, "per_epoch": 5, "keep": 3}}},
    {"name": "on", "continue": true, "train": {"epochs": 1}},
    {"name": "anneal", "start": "first", "train": {"epochs": 1},
     "optimizer": {"learning_rate": {"mode": "linear", "lr_max": 0.05}}},
    {"name": "refreshed", "start": "first", "train": {"steps": 0, "refresh_statistics": true}},
    {"name": "mean", "start": {"stage": "first", "weights": "snapshot_mean"},
     "train": {"steps": 0, "refresh_statistics": true}}
  ]})";

RunPlan planOf(const std::string& text) {
  test::TextFiles files;
  auto planned = planFile(files.write("stages.json", text), {}, test::environmentOf({}));
  if (!planned) throw std::runtime_error(toText(planned.error()));
  return planned->plans.front();
}

std::map<std::string, std::string> hashesOf(const CheckpointManifest& manifest) {
  std::map<std::string, std::string> hashes;
  for (const TensorRecord& tensor : manifest.tensors) {
    hashes[tensor.name + "#" + std::to_string(tensor.shard)] = tensor.hash;
  }
  return hashes;
}

/// The weights of a checkpoint, without statistics and optimizer state.
std::map<std::string, std::string> weightsOf(const CheckpointManifest& manifest) {
  auto hashes = hashesOf(manifest);
  std::erase_if(hashes, [](const auto& entry) { return entry.first.find('/') != std::string::npos; });
  return hashes;
}

class Stages : public testing::Test {
 protected:
  RunPlan plan = planOf(stagesText);
  MemoryStore store;
};

TEST_F(Stages, StandBehindEachOtherOnOneAxisAndEachIsEvaluatedAtItsEnd) {
  trainRanks(store, plan);
  std::vector<std::int64_t> ends;
  for (const StagePlan& stage : plan.stages) ends.push_back(stage.endStep);
  EXPECT_THAT(ends, ElementsAre(20, 30, 40, 41, 42));
  for (const std::int64_t end : ends) {
    EXPECT_EQ(store.metrics["accuracy"].count(end), 1U) << end;
    EXPECT_EQ(store.checkpoints.count(end), 1U) << end;
  }
  EXPECT_EQ(store.metrics["loss"].size(), 40U);  // refreshing is no training step
}

TEST_F(Stages, KeepOnlyTheSnapshotsThatWillBeLeft) {
  trainRanks(store, plan);
  std::vector<std::int64_t> steps;
  for (const auto& [step, manifest] : store.snapshots) steps.push_back(step);
  EXPECT_THAT(steps, ElementsAre(16, 18, 20));
  EXPECT_EQ(weightsOf(store.snapshots.at(20)), weightsOf(store.checkpoints.at(20)));
  EXPECT_EQ(hashesOf(store.snapshots.at(20)).size(), 6U) << "weights only";
}

std::string withoutStages(const std::string& train) {
  std::string text = stagesText;
  text.erase(text.find("\"train\""));
  return text + "\"train\": " + train + "}";
}

TEST_F(Stages, ARunWithoutStagesKeepsSnapshotsToo) {
  trainRanks(store,
             planOf(withoutStages(R"({"epochs": 2, "snapshots": {"first_epoch": 1, "per_epoch": 5, "keep": 3}})")));
  std::vector<std::int64_t> steps;
  for (const auto& [step, manifest] : store.snapshots) steps.push_back(step);
  EXPECT_THAT(steps, ElementsAre(16, 18, 20));
  EXPECT_EQ(weightsOf(store.snapshots.at(20)), weightsOf(store.checkpoints.at(20)));
}

/// It is what steps to target are counted up to, and ends nothing.
TEST_F(Stages, ATargetAccuracyDoesNotEndARun) {
  trainRanks(store, planOf(withoutStages(R"({"epochs": 2, "target_accuracy": 0.001, "evaluate_every_steps": 2})")));
  EXPECT_EQ(store.metrics["loss"].size(), 20U);
  EXPECT_GE(store.meanOf("accuracy").front(), 0.001) << "reached at the first evaluation";
}

TEST_F(Stages, AContinuationIsTheSameCourseAsAStageThatDidNotEnd) {
  std::string text = stagesText;
  const std::string stages = text.substr(text.find("\"stages\""));
  text.replace(text.find("\"stages\""), stages.size(), R"("stages": [{"name": "whole", "train": {"epochs": 3}}]})");
  MemoryStore whole;
  trainRanks(whole, planOf(text));
  trainRanks(store, plan);
  EXPECT_EQ(hashesOf(whole.checkpoints.at(30)), hashesOf(store.checkpoints.at(30)));
  auto losses = store.meanOf("loss");
  losses.resize(30);
  EXPECT_EQ(losses, whole.meanOf("loss"));
}

TEST_F(Stages, RatesCountAStagesOwnUpdates) {
  trainRanks(store, plan);
  const auto rates = store.meanOf("learning_rate");
  EXPECT_NEAR(rates[0], 0.1, 1e-12);
  EXPECT_NEAR(rates[20], 0.05, 1e-12);  // half of four epochs
  EXPECT_NEAR(rates[30], 0.05, 1e-12);
  EXPECT_NEAR(rates[39], 0.005, 1e-12);
}

TEST_F(Stages, RivalsStartFromTheSameWeightsAndSeeTheSameBatches) {
  trainRanks(store, plan);
  EXPECT_EQ(plan.stages[1].dataStep, 20);
  EXPECT_EQ(plan.stages[2].dataStep, 20);
  // Same weights, same batch, same statistics: the first loss is the same.
  EXPECT_EQ(store.meanOf("loss")[20], store.meanOf("loss")[30]);
}

TEST_F(Stages, RefreshingChangesStatisticsAndNothingElse) {
  trainRanks(store, plan);
  EXPECT_EQ(weightsOf(store.checkpoints.at(41)), weightsOf(store.checkpoints.at(20)));
  auto refreshed = hashesOf(store.checkpoints.at(41));
  const auto before = hashesOf(store.checkpoints.at(20));
  int changed = 0;
  for (const auto& [name, hash] : refreshed) {
    if (!name.starts_with("state/")) continue;
    EXPECT_NE(hash, before.at(name)) << name;
    ++changed;
  }
  EXPECT_EQ(changed, 4);
  EXPECT_EQ(refreshed.at("state/norm.moving_mean#0"), refreshed.at("state/norm.moving_mean#1"));
}

TEST_F(Stages, RefreshingPassesNoMoreSamplesThanTheNetworkHasRoomFor) {
  std::string text = stagesText;
  const std::string before = R"("train": {"checkpoint")";
  text.replace(text.find(before), before.size(), R"("train": {"micro_size": 3, "checkpoint")");
  trainRanks(store, planOf(text));
  EXPECT_EQ(store.checkpoints.count(42), 1U);
}

TEST_F(Stages, TheMeanOfSnapshotsIsTheirMean) {
  trainRanks(store, plan);
  const auto valuesAt = [&](const CheckpointManifest& manifest, const std::string& name) {
    return store.tensors.at(hashesOf(manifest).at(name + "#-1"));
  };
  const auto mean = valuesAt(store.checkpoints.at(42), "conv.weight");
  for (std::size_t i = 0; i < mean.size(); ++i) {
    double sum = 0;
    for (const auto& [step, manifest] : store.snapshots) {
      sum += static_cast<double>(valuesAt(manifest, "conv.weight")[i]);
    }
    ASSERT_EQ(mean[i], static_cast<float>(sum / 3)) << i;
  }
}

TEST_F(Stages, ResumedAnywhereTheyEndWithTheSameBits) {
  trainRanks(store, plan);
  const auto expected = store.checkpoints;
  // Inside and at the ends of every stage; 41 is the end of the one before the last.
  for (const std::int64_t from : {3, 18, 20, 21, 27, 30, 33, 39, 40, 41}) {
    MemoryStore resumed;
    resumed.tensors = store.tensors;
    for (const auto& [step, manifest] : store.checkpoints) {
      if (step <= from) resumed.checkpoints[step] = manifest;
    }
    for (const auto& [step, manifest] : store.snapshots) {
      if (step <= from) resumed.snapshots[step] = manifest;
    }
    trainRanks(resumed, plan, from);
    for (const std::int64_t end : {20, 30, 40, 41, 42}) {
      EXPECT_EQ(hashesOf(resumed.checkpoints.at(end)), hashesOf(expected.at(end))) << "from " << from << " at " << end;
    }
  }
}

TEST_F(Stages, AStoppedStageIsResumedInsideIt) {
  MemoryStore alone;
  trainRanks(alone, plan);
  store.stop = StopKind::afterStep;
  store.stopAtStep = 24;
  trainRanks(store, plan);
  ASSERT_EQ(store.checkpoints.rbegin()->first, 25);
  store.stopAtStep = -1;
  trainRanks(store, plan, 25);
  EXPECT_EQ(hashesOf(store.checkpoints.at(42)), hashesOf(alone.checkpoints.at(42)));
}

TEST_F(Stages, ALostSnapshotIsAnErrorNotAnotherMean) {
  trainRanks(store, plan);
  store.snapshots.erase(18);
  try {
    trainRanks(store, plan, 41);
    FAIL() << "the run went on";
  } catch (const std::exception& error) {
    EXPECT_THAT(error.what(), HasSubstr("snapshot of step 18"));
  }
}

TEST_F(Stages, ACheckpointOfAnotherStageIsRefused) {
  trainRanks(store, plan);
  std::string& progress = store.checkpoints.at(3).progressText;
  progress.replace(progress.find("\"first\""), 7, "\"other\"");
  EXPECT_THROW(trainRanks(store, plan, 3), std::exception);
}

}  // namespace
}  // namespace slipstream
