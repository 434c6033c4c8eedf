// SPDX-License-Identifier: GPL-3.0-or-later
// A run that starts from a file trains on from its values, on any number of ranks.
#include <fstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/interchange/ckpt_writer.h"
#include "engine/interchange/file_contents.h"
#include "engine/plan/plan_file.h"
#include "engine/probe/weight_files.h"
#include "tests/support/error_of.h"
#include "tests/support/text_files.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;
using test::trainRanks;
using testing::AllOf;
using testing::HasSubstr;

const char* const experimentText = R"({
  "name": "on", "seed": 4,
  "network": {"pre_trained": "weights.ckpt", "layers": [
    {"type": "conv2d", "name": "conv", "outputs": 3, "kernel": 3, "stride": 2}, {"type": "batch_norm", "name": "norm"}, {"type": "relu"},
    {"type": "flatten"}, {"type": "dense", "name": "fc", "outputs": 10}]},
  "dataset": {"name": "digits", "batch_size": 8, "train_samples": 48, "evaluation_samples": 64},
  "optimizer": {"name": "momentum", "learning_rate": 0},
  "train": {"steps": 1}})";

class PreTrainedRun : public testing::TestWithParam<int> {
 protected:
  static std::vector<float> numbered(std::size_t count, float first) {
    std::vector<float> values(count);
    for (std::size_t i = 0; i < count; ++i) values[i] = first + static_cast<float>(i) / 1024.0F;
    return values;
  }

  /// Every tensor of the network in MindSpore's order, each of other values.
  void writeWeights(const RunPlan& plan) {
    const NetworkSpec& network = plan.experiment.network;
    const auto shape = networkShape(network, {28, 28, 1});
    auto writer = CkptWriter::create(files.path() / "weights.ckpt", false);
    float first = 1;
    for (const ExpectedTensor& tensor : expectedTensors(network, *shape)) {
      const auto values = numbered(static_cast<std::size_t>(*elementsOf(tensor.shape, 1'000'000)), first++);
      wanted[tensor.name] = turned(values, tensor.order, ChannelPlace::first);
      const TensorEntry entry{tensor.name, ElementType::float32, shapeWithChannels(tensor.shape, ChannelPlace::first)};
      ASSERT_TRUE(writer->add(entry, std::as_bytes(std::span(values))));
    }
    ASSERT_TRUE(writer->commit());
  }
  RunPlan planOf(const std::string& text, int ranks) {
    ExperimentOverrides overrides;
    overrides.ranks = ranks;
    auto planned = planFile(files.write("case.json", text), overrides, test::environmentOf());
    if (!planned) throw std::runtime_error(toText(planned.error()));
    return planned->plans.front();
  }
  RunPlan planWithFile(int ranks) {
    std::string fresh = experimentText;
    fresh.erase(fresh.find("\"pre_trained\""), std::string_view("\"pre_trained\": \"weights.ckpt\", ").size());
    writeWeights(planOf(fresh, ranks));
    return planOf(experimentText, ranks);
  }

  test::TextFiles files;
  std::map<std::string, std::vector<float>> wanted;
};

TEST_P(PreTrainedRun, StartsFromTheValuesOfTheFile) {
  MemoryStore store;
  const RunPlan plan = planWithFile(GetParam());
  trainRanks(store, plan);
  const CheckpointManifest& end = store.checkpoints.at(1);
  int weights = 0;
  for (const TensorRecord& tensor : end.tensors) {
    if (!wanted.contains(tensor.name)) continue;
    EXPECT_EQ(store.tensors.at(tensor.hash), wanted.at(tensor.name)) << tensor.name;  // the rate is 0
    ++weights;
  }
  EXPECT_EQ(weights, 6);
  EXPECT_THAT(store.events, testing::Contains("pre_trained"));
  // Running statistics have moved from the file's by one batch: 0.9 of them are left.
  for (const TensorRecord& tensor : end.tensors) {
    if (tensor.name != "state/norm.moving_variance") continue;
    EXPECT_GT(store.tensors.at(tensor.hash)[0], 0.9F * wanted.at("norm.moving_variance")[0]) << "rank " << tensor.shard;
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, PreTrainedRun, testing::Values(1, 2, 3));

class PreTrainedFile : public PreTrainedRun {};

TEST_P(PreTrainedFile, GoneSinceItWasPlannedItIsNamed) {
  const RunPlan plan = planWithFile(GetParam());
  std::filesystem::remove(files.path() / "weights.ckpt");
  MemoryStore store;
  EXPECT_THAT(test::errorOf([&] { trainRanks(store, plan); }), HasSubstr("weights.ckpt"));
}

TEST_P(PreTrainedFile, ChangedSinceItWasPlannedItIsRefusedOrToldOf) {
  RunPlan plan = planWithFile(GetParam());
  const auto path = files.path() / "weights.ckpt";
  const auto firstValue = static_cast<std::streamoff>(std::filesystem::file_size(path)) - 4;
  std::fstream(path, std::ios::binary | std::ios::in | std::ios::out).seekp(firstValue).write("abcd", 4);
  MemoryStore refused;
  EXPECT_THAT(test::errorOf([&] { trainRanks(refused, plan); }),
              AllOf(HasSubstr("weights.ckpt"), HasSubstr("has been changed since the run was planned"),
                    HasSubstr("--allow-different-bits")));
  plan.allowDifferentBits = true;
  MemoryStore accepted;
  trainRanks(accepted, plan);
  EXPECT_THAT(accepted.warnings, testing::Contains(HasSubstr("has been changed since the run was planned")));
}

INSTANTIATE_TEST_SUITE_P(Ranks, PreTrainedFile, testing::Values(1, 2));

}  // namespace
}  // namespace slipstream
