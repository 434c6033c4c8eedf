// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/plan/forecast.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

constexpr std::int64_t lenetValues = 61706;

class Forecast : public testing::Test {
 protected:
  RunForecast of(const std::string& keys) {
    const std::string text =
        R"({"network": "lenet5", "dataset": {"name": "digits", "train_samples": 6400},)" + keys + "}";
    const auto planned = planFile(files_.write("case.json", text), {}, test::environmentOf());
    if (!planned) throw std::runtime_error(toText(planned.error()));
    return forecastRun(planned->plans.front(), stagesOf(planned->plans.front()).front());
  }
  std::int64_t boostBytes(const std::string& keys) {
    const std::string text =
        R"({"network": "lenet5", "dataset": {"name": "digits", "train_samples": 6400},)" + keys + "}";
    const auto planned = planFile(files_.write("case.json", text), {}, test::environmentOf());
    if (!planned) throw std::runtime_error(toText(planned.error()));
    return planned->plans.front().memoryPerRank.at("boost");
  }
  test::TextFiles files_;
};

TEST_F(Forecast, OneRankSendsNothing) {
  EXPECT_EQ(of(R"("parallel": {"ranks": 1})").trafficPerStep, 0);
}

TEST_F(Forecast, AGpusQueueKeepsMemoryForKernels) {
  EXPECT_EQ(boostBytes(R"("device": "cuda")"), std::int64_t{2} << 20);
  EXPECT_EQ(boostBytes(R"("device": "cpu")"), 0);
}

TEST_F(Forecast, AnAllReduceSendsEveryGradientTwiceButForTheOwnShare) {
  EXPECT_EQ(of(R"("parallel": {"ranks": 4})").trafficPerStep, 2 * 4 * lenetValues * 3 / 4);
}

TEST_F(Forecast, ShardingSendsWhatItsReadmeSays) {
  const auto sharded = [&](const std::string& level) {
    return of(R"("parallel": {"ranks": 2, "optimizer_parallel": ")" + level + R"("}, "train": {"micro_size": 3})")
        .trafficPerStep;
  };
  EXPECT_EQ(sharded("level1"), 4 * lenetValues);
  EXPECT_EQ(sharded("level2"), 2 * 4 * lenetValues);
  EXPECT_EQ(sharded("level3"), 9 * 4 * lenetValues / 2);
}

TEST_F(Forecast, AShareOfTheStepsIsFrozen) {
  const RunForecast interval = of(R"("train": {"steps": 100}, "boost": {"level": "O1", "dictionary":
      {"grad_freeze": {"param_groups": 3, "freeze_p": 0.7}}})");
  EXPECT_EQ(interval.steps, 100);
  EXPECT_EQ(interval.frozenSteps, 30);
  // floor(0.7 * 2 / 0.3) = 4 full steps, then 2 frozen ones: 16 cycles and 4 steps.
  const RunForecast continuous = of(R"("train": {"steps": 100}, "boost": {"level": "O1", "dictionary":
      {"grad_freeze": {"param_groups": 3, "freeze_p": 0.7, "freeze_type": 0}}})");
  EXPECT_EQ(continuous.frozenSteps, 32);
  EXPECT_EQ(of(R"("train": {"steps": 100})").frozenSteps, 0);
}

TEST_F(Forecast, CheckpointsHoldWeightsAndEveryMomentum) {
  const RunForecast plain = of(R"("train": {"steps": 100, "checkpoint": {"save_checkpoint_steps": 40}})");
  EXPECT_EQ(plain.checkpointBytes, 8 * lenetValues);
  EXPECT_EQ(plain.checkpointsKept, 3);
  EXPECT_EQ(plain.storedBytes(), 24 * lenetValues);
  const RunForecast deltas = of(R"("parallel": {"ranks": 4}, "boost": {"level": "O2", "dictionary": {"boost":
      {"mode": "manual", "less_bn": false, "grad_freeze": false, "adasum": true}}})");
  EXPECT_EQ(deltas.checkpointBytes, 4 * 5 * lenetValues);
  EXPECT_EQ(of(R"("train": {"steps": 80, "checkpoint": {"save_checkpoint_steps": 40, "weights_only": true,
      "keep_checkpoint_max": 1}})")
                .storedBytes(),
            4 * lenetValues);
}

TEST_F(Forecast, AStageThatTrainsNothingSendsNothing) {
  const std::string text = R"({"network": "lenet5", "dataset": {"name": "digits", "train_samples": 6400},
      "parallel": {"ranks": 2}, "stages": [{"name": "train", "train": {"epochs": 1}},
      {"name": "refresh", "train": {"steps": 0, "refresh_statistics": true}}]})";
  const auto planned = planFile(files_.write("case.json", text), {}, test::environmentOf());
  ASSERT_TRUE(planned) << toText(planned.error());
  const RunPlan& plan = planned->plans.front();
  EXPECT_EQ(forecastRun(plan, plan.stages[0]).trafficPerStep, 4 * lenetValues);
  EXPECT_EQ(forecastRun(plan, plan.stages[1]).trafficPerStep, 0);
}

}  // namespace
}  // namespace slipstream
