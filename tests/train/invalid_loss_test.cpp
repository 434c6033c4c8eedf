// SPDX-License-Identifier: GPL-3.0-or-later
// Who is named where a loss is no number, and when a loss scale makes it cost a step instead of the run. Ranks run as
// threads, some of which read infinite inputs at some steps.
#include <cmath>
#include <limits>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/devices/open_device.h"
#include "engine/train/trainer.h"
#include "tests/support/error_of.h"
#include "tests/support/spawn_ranks.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::errorOf;
using test::MemoryStore;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// The first step at which this thread's inputs are infinite, and how many there are.
struct BrokenSteps {
  std::int64_t first = 0;
  std::int64_t count = 0;
};
thread_local BrokenSteps broken;

class BreakingInput final : public ImageInput {
 public:
  BreakingInput(std::unique_ptr<ImageInput> whole, BrokenSteps steps) : whole_(std::move(whole)), steps_(steps) {}
  void normalize(std::span<const std::uint8_t> pictures, Activation to) override {
    whole_->normalize(pictures, to);
    const std::int64_t step = passes_++ - steps_.first;
    if (step < 0 || step >= steps_.count) return;
    to.as<float>()[0] = std::numeric_limits<float>::infinity();
  }

 private:
  std::unique_ptr<ImageInput> whole_;
  BrokenSteps steps_;
  std::int64_t passes_ = 0;
};

std::unique_ptr<ImageInput> makeBreakingInput(Device& device, const ImageNormalization& normalization) {
  return std::make_unique<BreakingInput>(makeImageInput(device, normalization), broken);
}

void trainBroken(MemoryStore& store, const RunPlan& plan, const std::map<int, BrokenSteps>& ranks) {
  const WorkerTask task{plan, std::nullopt};
  test::spawnRanks(plan.ranks(), [&](Communicator& communicator) {
    const auto found = ranks.find(communicator.rank());
    broken = found == ranks.end() ? BrokenSteps{} : found->second;
    test::MemoryLink link(store, task, communicator.rank());
    MemoryMeter meter;
    const auto device = openDevice(cpuKind(), 0, meter);
    TrainingTools tools = trainingTools(**device);
    tools.makeImageInput = makeBreakingInput;
    train(link, communicator, **device, tools, shareTrainingData(plan.experiment, communicator));
  });
}

RunPlan brokenPlan(int ranks) {
  RunPlan plan = test::digitsPlan(ranks, 8);
  plan.experiment.train.evaluateEverySteps = 100;
  return plan;
}

TEST(InvalidLoss, IsThatOfTheRankWhoseDataItIs) {
  for (const int ranks : {2, 3, 4, 8}) {
    for (const int failedRank : {0, 1, ranks - 1}) {
      MemoryStore store;
      const std::string text = errorOf([&] { trainBroken(store, brokenPlan(ranks), {{failedRank, {3, 1}}}); });
      EXPECT_THAT(text, HasSubstr("epoch: 1 step: 4. Invalid loss, terminating training."));
      EXPECT_THAT(text, HasSubstr(fmt::format("Rank {} of {} is the first", failedRank, ranks)));
    }
  }
}

TEST(InvalidLoss, OfSeveralRanksTheFirstIsNamed) {
  MemoryStore store;
  EXPECT_THAT(errorOf([&] {
                trainBroken(store, brokenPlan(4), {{3, {2, 1}}, {2, {2, 1}}, {1, {5, 1}}});
              }),
              AllOf(HasSubstr("step: 3."), HasSubstr("Rank 2 of 4 is the first")));
}

TEST(InvalidLoss, OfAllRanksAtOnceIsToldWithoutACause) {
  RunPlan plan = brokenPlan(3);
  plan.experiment.optimizer.schedule.maximum = 1e30;
  MemoryStore store;
  EXPECT_THAT(
      errorOf([&] { trainBroken(store, plan, {}); }),
      AllOf(testing::EndsWith("The losses of all 3 ranks are invalid at once."), Not(HasSubstr("is the first"))));
  EXPECT_THAT(errorOf([&] {
                trainBroken(store, brokenPlan(2), {{0, {2, 1}}, {1, {2, 1}}});
              }),
              testing::EndsWith("The losses of all 2 ranks are invalid at once."))
      << "by the inputs of both: the weights are as they were";
}

TEST(InvalidLoss, OfOneRankAloneNamesNobody) {
  MemoryStore store;
  EXPECT_THAT(errorOf([&] {
                trainBroken(store, brokenPlan(1), {{0, {0, 1}}});
              }),
              testing::EndsWith("Invalid loss, terminating training."));
}

/// A batch that overflows costs as many steps as it comes in; at a scale of 1 the run ends.
TEST(InvalidLoss, CostsAStepWhereTheScaleCanShrink) {
  for (const LossScaleKind kind : {LossScaleKind::dynamic, LossScaleKind::group}) {
    RunPlan plan = brokenPlan(2);
    plan.experiment.lossScale = {kind, 4};
    MemoryStore store;
    trainBroken(store, plan, {{1, {2, 2}}});
    EXPECT_FALSE(std::isfinite(store.metrics["loss"].at(2).at(1)));
    EXPECT_TRUE(std::isfinite(store.meanOf("loss").back()));
    EXPECT_EQ(store.meanOf("skipped_updates").back(), 2);
  }
}

TEST(InvalidLoss, EndsTheRunWhereTheScaleCannotShrink) {
  RunPlan plan = brokenPlan(2);
  plan.experiment.lossScale = {LossScaleKind::dynamic, 4};
  MemoryStore store;
  EXPECT_THAT(errorOf([&] {
                trainBroken(store, plan, {{1, {2, 3}}});
              }),
              AllOf(HasSubstr("step: 5."), HasSubstr("Rank 1 of 2")))
      << "at 4, at 2, and at 1";
  plan.experiment.lossScale = {LossScaleKind::fixed, 4};
  EXPECT_THAT(errorOf([&] { trainBroken(store, plan, {{1, {2, 1}}}); }), HasSubstr("step: 3."));
}

}  // namespace
}  // namespace slipstream
