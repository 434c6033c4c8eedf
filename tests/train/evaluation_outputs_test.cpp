// SPDX-License-Identifier: GPL-3.0-or-later
// What an evaluation hands over: every sample once, in the order of the set, whatever the number of ranks.
#include <array>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/data/sample_source.h"
#include "engine/device/cpu_device.h"
#include "engine/nn/parameter_store.h"
#include "engine/train/evaluate.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using testing::ElementsAreArray;

/// Sample i is one pixel of the value i, of class i modulo 3; some cannot be read.
class Counted final : public SampleSource {
 public:
  Counted(std::int64_t count, std::set<std::uint32_t> broken) : count_(count), broken_(std::move(broken)) {}

  SampleShape shape() const override { return {1, 1, 1}; }
  std::int64_t count() const override { return count_; }
  std::unique_ptr<SampleReader> reader() const override { return std::make_unique<Reader>(broken_); }

 private:
  class Reader final : public SampleReader {
   public:
    explicit Reader(const std::set<std::uint32_t>& broken) : broken_(broken) {}
    Result<std::int32_t> read(std::uint32_t sample, const DrawKey&, std::span<std::uint8_t> picture) override {
      if (broken_.contains(sample)) return fail(std::to_string(sample), "", "is broken", "mend it");
      picture[0] = static_cast<std::uint8_t>(sample);
      return static_cast<std::int32_t>(sample % 3);
    }

   private:
    const std::set<std::uint32_t>& broken_;
  };

  std::int64_t count_;
  std::set<std::uint32_t> broken_;
};

class Collected final : public OutputSink {
 public:
  void take(const SampleOutputs& outputs) override {
    samples.insert(samples.end(), outputs.samples.begin(), outputs.samples.end());
    labels.insert(labels.end(), outputs.labels.begin(), outputs.labels.end());
    logits.insert(logits.end(), outputs.logits.begin(), outputs.logits.end());
  }

  std::vector<std::uint32_t> samples;
  std::vector<std::int32_t> labels;
  std::vector<float> logits;
};

struct Judged {
  Collected outputs;       ///< of rank 0
  std::size_t others = 0;  ///< samples that sinks of other ranks were given
  Evaluation evaluation;
};

/// Of a network whose logits of sample i are 10 - i, 0 and 5 + i.
Judged evaluateCounted(const Counted& source, int ranks, std::int64_t batchSize) {
  const NetworkSpec spec{
      "layers",
      {{.kind = LayerKind::flatten, .name = "flat"}, {.kind = LayerKind::dense, .name = "head", .outputs = 3}}};
  DatasetSpec dataset;
  dataset.mean = {0};
  dataset.deviation = {1.0 / 255};
  dataset.onBroken = BrokenImages::skip;
  std::vector<Judged> all(static_cast<std::size_t>(ranks));
  test::spawnRanks(ranks, [&](Communicator& communicator) {
    MemoryMeter meter;
    const auto device = openCpuDevice(meter);
    const auto network = makeNetwork(spec, source.shape(), batchSize, NumberType::float32, *device);
    WholeParameterStore weights(*device, network->layout().size(), MemoryCategory::weights);
    for (const FlatTensor& tensor : network->layout().tensors()) {
      const bool bias = tensor.spec.name == "head.bias";
      std::ranges::copy(bias ? std::array{10.0F, 0.0F, 5.0F} : std::array{-1.0F, 0.0F, 1.0F},
                        weights.acquire(tensor.range).begin());
    }
    const LossSpec loss;
    NetworkPasses passes(*network, loss, *device, makeDeviceLoss(*device),
                         makeImageInput(*device, normalizationOf(dataset, 1)));
    Judged& own = all[static_cast<std::size_t>(communicator.rank())];
    own.evaluation = evaluate(passes, weights, dataset, source, batchSize, communicator, &own.outputs);
  });
  for (std::size_t rank = 1; rank < all.size(); ++rank) all.front().others += all[rank].outputs.samples.size();
  return all.front();
}

std::vector<std::uint32_t> upTo(std::uint32_t count, const std::set<std::uint32_t>& without) {
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (!without.contains(i)) numbers.push_back(i);
  }
  return numbers;
}

class EvaluationOutputs : public testing::TestWithParam<int> {};

TEST_P(EvaluationOutputs, EverySampleComesOnceInOrderWithItsLogits) {
  const Counted source(23, {});
  const Judged judged = evaluateCounted(source, GetParam(), 4);
  ASSERT_THAT(judged.outputs.samples, ElementsAreArray(upTo(23, {})));
  EXPECT_EQ(judged.others, 0U);
  ASSERT_EQ(judged.outputs.logits.size(), 69U);
  double correct = 0;
  for (std::size_t i = 0; i < 23; ++i) {
    const auto value = static_cast<float>(i);
    EXPECT_EQ(judged.outputs.labels[i], static_cast<std::int32_t>(i % 3)) << i;
    EXPECT_NEAR(judged.outputs.logits[3 * i], 10 - value, 1e-5) << i;
    EXPECT_NEAR(judged.outputs.logits[3 * i + 1], 0, 1e-5) << i;
    EXPECT_NEAR(judged.outputs.logits[3 * i + 2], 5 + value, 1e-5) << i;
    correct += i % 3 == (i < 3 ? 0U : 2U) ? 1 : 0;  // 10 - i is the largest below 2.5
  }
  EXPECT_EQ(judged.evaluation.samples, 23);
  EXPECT_DOUBLE_EQ(judged.evaluation.accuracy, correct / 23);
}

TEST_P(EvaluationOutputs, WhatCannotBeReadIsLeftOut) {
  const std::set<std::uint32_t> broken{0, 5, 6, 7, 8, 9, 10, 11, 22};
  const Judged judged = evaluateCounted(Counted(23, broken), GetParam(), 4);
  ASSERT_THAT(judged.outputs.samples, ElementsAreArray(upTo(23, broken)));
  for (std::size_t i = 0; i < judged.outputs.samples.size(); ++i) {
    const std::uint32_t sample = judged.outputs.samples[i];
    EXPECT_EQ(judged.outputs.labels[i], static_cast<std::int32_t>(sample % 3));
    EXPECT_NEAR(judged.outputs.logits[3 * i + 2], 5 + static_cast<float>(sample), 1e-5);
  }
  EXPECT_EQ(judged.evaluation.unreadable, 9);
}

INSTANTIATE_TEST_SUITE_P(Ranks, EvaluationOutputs, testing::Values(1, 2, 3, 4, 8, 30));

}  // namespace
}  // namespace slipstream
