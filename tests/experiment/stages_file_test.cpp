// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/plan/run_plan.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using test::environmentOf;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// Twenty steps an epoch.
Json experiment() {
  return Json::parse(R"({
    "network": "lenet5",
    "dataset": {"name": "digits", "batch_size": 16, "train_samples": 320, "evaluation_samples": 32},
    "optimizer": {"learning_rate": {"mode": "linear", "lr_max": 0.1, "total_epochs": 9}},
    "stages": [
      {"name": "train", "train": {"epochs": 7, "snapshots": {"first_epoch": 2, "per_epoch": 2, "keep": 8}}},
      {"name": "on", "continue": true, "train": {"epochs": 2}},
      {"name": "mean", "start": {"stage": "train", "weights": "snapshot_mean"},
       "train": {"steps": 0, "refresh_statistics": true}}
    ]})");
}

ExperimentOverrides setting(const std::string& text) {
  ExperimentOverrides overrides;
  overrides.settings.push_back(text);
  return overrides;
}

class StagesFile : public testing::Test {
 protected:
  Result<PlannedFile> plan(const ExperimentOverrides& overrides = {}) {
    return planFile(files_.write("case.json", file.dump()), overrides, environmentOf());
  }
  RunPlan one() {
    auto planned = plan();
    if (!planned) throw std::runtime_error(toText(planned.error()));
    return planned->plans.front();
  }
  std::string problems(const ExperimentOverrides& overrides = {}) {
    const auto planned = plan(overrides);
    return planned ? "" : toText(planned.error());
  }
  /// The first stage keeps `snapshots`, the second is dim_reduce with so many components.
  std::string problemsOfSpace(int snapshots, int components) {
    file["stages"][0]["train"]["snapshots"] = {{"per_epoch", 10}, {"keep", snapshots}};
    file["stages"].erase(1);
    file["stages"][1] = Json::parse(R"({"name": "space", "train": {"epochs": 1}, "boost": {"level": "O1",
        "dictionary": {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false, "dim_reduce": true}}}})");
    file["stages"][1]["boost"]["dictionary"]["dim_reduce"]["n_components"] = components;
    return problems();
  }

  Json file = experiment();

 private:
  test::TextFiles files_;
};

TEST_F(StagesFile, StandBehindEachOtherWithTheirOwnKeysAboveTheFiles) {
  const RunPlan plan = one();
  ASSERT_EQ(plan.stages.size(), 3U);
  EXPECT_EQ(plan.totalSteps, 181);
  EXPECT_EQ(plan.stages[0].endStep, 140);
  EXPECT_EQ(plan.stages[1].firstStep, 140);
  EXPECT_EQ(plan.stages[1].start.stage, "train");
  EXPECT_EQ(plan.stages[1].scheduleStep, 140);
  EXPECT_EQ(plan.stages[1].dataStep, 140);
  EXPECT_EQ(plan.stages[2].endStep, 181) << "a pass that refreshes is one step";
  EXPECT_EQ(plan.stages[2].updates(), 0);
  EXPECT_EQ(plan.stages[2].experiment.optimizer.schedule.totalEpochs, 9);
  EXPECT_THAT(startingSteps(plan), ElementsAre(140));
}

TEST_F(StagesFile, SnapshotsAreTheNewestOfEvenParts) {
  EXPECT_THAT(one().stages[0].snapshotSteps, ElementsAre(70, 80, 90, 100, 110, 120, 130, 140));
  EXPECT_THAT(snapshotUpdates({0.5, 1, 40}, 10, 30), ElementsAre(15, 25));
  EXPECT_THAT(snapshotUpdates({3, 1, 40}, 10, 30), IsEmpty());
  EXPECT_THAT(snapshotUpdates({1e300, 1, 40}, 10, 30), IsEmpty());
  EXPECT_THAT(snapshotUpdates({0, 1, 2}, 10, 1'000'000'000'000), ElementsAre(999'999'999'990, 1'000'000'000'000));
  EXPECT_THAT(snapshotUpdates({0, 3, 5}, 10, 30), ElementsAre(17, 20, 23, 27, 30));
  EXPECT_THAT(snapshotUpdates({0, 1, 4, 0.5}, 10, 30), ElementsAre(19, 23, 26, 30));
  EXPECT_THAT(snapshotUpdates({0, 1, 4, 0.0}, 10, 4), ElementsAre(1, 2, 3, 4));
  EXPECT_THAT(snapshotUpdates({0, 1, 4, 0.5}, 10, 7), IsEmpty());
}

TEST_F(StagesFile, SharesOfAScheduleFollowTheLengthOfTheTraining) {
  file["optimizer"]["learning_rate"] = {
      {"mode", "linear"}, {"lr_max", 0.1}, {"warmup_fraction", 0.1}, {"covered_fraction", 0.5}};
  const double epochs = file["stages"][0]["train"]["epochs"].get<double>();
  const RunPlan plan = one();
  EXPECT_DOUBLE_EQ(plan.stages[0].experiment.optimizer.schedule.totalEpochs, 2 * epochs);
  EXPECT_DOUBLE_EQ(plan.stages[0].experiment.optimizer.schedule.warmupEpochs, 0.2 * epochs);
  EXPECT_EQ(plan.stages[0].experiment.optimizer.schedule.coveredFraction, 0);
  ASSERT_TRUE(plan.stages[1].start.continues);
  EXPECT_DOUBLE_EQ(plan.stages[1].experiment.optimizer.schedule.totalEpochs, 2 * epochs) << "of the same schedule";
  file["optimizer"]["learning_rate"]["total_epochs"] = 9;
  EXPECT_THAT(problems(), HasSubstr("total_epochs: conflicts with covered_fraction"));
}

TEST_F(StagesFile, AStageThatGoesOnPastItsScheduleSaysSo) {
  EXPECT_EQ(toJsonText(one()).find("past its end"), std::string::npos);
  file["stages"][1]["train"]["epochs"] = 3;
  const RunPlan plan = one();
  const auto said = std::ranges::find(plan.decisions, "on.learning_rate", &Decision::subject);
  ASSERT_NE(said, plan.decisions.end());
  EXPECT_EQ(said->state, "past its end");
  EXPECT_THAT(said->why.in(), HasSubstr("20 of 60 updates lie behind the schedule"));
}

TEST_F(StagesFile, SnapshotsSpreadOverAShareNeedAsManySteps) {
  file["stages"][0]["train"]["snapshots"] = {{"first_fraction", 0.5}, {"keep", 7}};
  EXPECT_THAT(one().stages[0].snapshotSteps, ElementsAre(80, 90, 100, 110, 120, 130, 140));
  file["stages"][0]["train"]["snapshots"]["keep"] = 71;
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[0].train.snapshots.keep"), HasSubstr("the stage has 140 steps")));
  file["stages"][0]["train"]["snapshots"]["per_epoch"] = 2;
  EXPECT_THAT(problems(), HasSubstr("stages[0].train.snapshots.per_epoch: conflicts with first_fraction"));
}

TEST_F(StagesFile, APlanSurvivesBeingStored) {
  const RunPlan plan = one();
  const auto again = parseRunPlan(toJsonText(plan));
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(toJsonText(*again), toJsonText(plan));
  EXPECT_EQ(again->stages[0].snapshotSteps, plan.stages[0].snapshotSteps);
}

TEST_F(StagesFile, APlainRunIsOneStage) {
  file.erase("stages");
  const RunPlan plan = one();
  EXPECT_THAT(plan.stages, IsEmpty());
  const auto stages = stagesOf(plan);
  ASSERT_EQ(stages.size(), 1U);
  EXPECT_EQ(stages[0].endStep, plan.totalSteps);
  EXPECT_EQ(toJsonText(plan).find("stages"), std::string::npos);
}

TEST_F(StagesFile, MoreSnapshotsThanComponentsOrARefusalWithBothNumbers) {
  EXPECT_THAT(problemsOfSpace(32, 32), AllOf(HasSubstr("stages[1].boost.dictionary.dim_reduce.n_components"),
                                             HasSubstr("at least 33"), HasSubstr("keeps 32")));
  EXPECT_THAT(problemsOfSpace(33, 32), testing::Not(HasSubstr("components need")));
}

TEST_F(StagesFile, MistakesInsideAStageHaveItsPath) {
  file["stages"][1]["train"]["epochs"] = -2;
  file["stages"][1]["trian"] = 1;
  file["stages"][2]["optimizer"]["momentun"] = 1;
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[1].train.epochs"), HasSubstr("stages[1].trian"),
                                HasSubstr("stages[2].optimizer.momentun")));
}

TEST_F(StagesFile, ASharedKeyThatDoesNotFitOneStageSaysWhich) {
  file["optimizer"]["learning_rate"].erase("total_epochs");
  file["optimizer"]["learning_rate"]["warmup_epochs"] = 3;
  EXPECT_THAT(problems(), AllOf(HasSubstr("optimizer.learning_rate.warmup_epochs"), HasSubstr("in stage on")));
}

TEST_F(StagesFile, ASharedMistakeIsToldOnce) {
  file["train"] = {{"micro_size", 400}};
  EXPECT_EQ(problems(),
            "train.micro_size: micro-batches need as many samples, but a batch has 16 (found 400); "
            "micro_size is their number, not their size: write a smaller one, or enlarge "
            "dataset.batch_size\n");
  file["stages"][0]["dataset"] = {{"batch_size", 400}};
  EXPECT_THAT(problems(), HasSubstr("but a batch has 16, in stages on, mean (found 400)"));
}

TEST_F(StagesFile, WhatCouldNotBeReadIsNotFoundToDifferToo) {
  file["stages"][1]["optimizer"] = {{"momentum", "much"}};
  EXPECT_EQ(problems(),
            "stages[1].optimizer.momentum: must be a number (found \"much\"); write a number at least 0 and "
            "below 1\n");
}

TEST_F(StagesFile, MistakesThatOnlyPlanningFindsAreToldOfEveryStage) {
  file["stages"][1].erase("continue");
  file["stages"][1]["dataset"] = {{"batch_size", 1000}};
  file["stages"][2]["dataset"] = {{"batch_size", 2000}};
  EXPECT_THAT(problems(), AllOf(HasSubstr("in stage on (found 1000)"), HasSubstr("in stage mean (found 2000)")));
}

TEST_F(StagesFile, NamesAreThereAndUniqueAndKnown) {
  file["stages"][1]["name"] = "train";
  file["stages"][2]["start"]["stage"] = "trian";
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[1].name"), HasSubstr("another stage"), HasSubstr("stages[2].start"),
                                HasSubstr("not the name of an earlier stage")));
  file["stages"][1].erase("name");
  EXPECT_THAT(problems(), HasSubstr("stages[1].name"));
  file = experiment();
  file["stages"][0]["start"] = "mean";
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[0].start"), HasSubstr("first stage starts afresh")));
}

TEST_F(StagesFile, SnapshotsAreKeptByThoseWhoAreReadAndNobodyElse) {
  file["stages"].erase(2);
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[0].train.snapshots"), HasSubstr("read by no stage")));
  file = experiment();
  file["stages"][0]["train"].erase("snapshots");
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[2].start.weights"), HasSubstr("keeps none")));
}

TEST_F(StagesFile, ARunWithoutStagesKeepsSnapshotsForOthersToRead) {
  file["train"] = {{"epochs", 2}, {"snapshots", {{"per_epoch", 2}, {"keep", 3}}}};
  file.erase("stages");
  const RunPlan plan = one();
  const StagePlan whole = stagesOf(plan).front();
  EXPECT_THAT(whole.snapshotSteps, testing::ElementsAre(20, 30, 40));
  EXPECT_EQ(whole.snapshotSteps, stagesOf(*parseRunPlan(toJsonText(plan))).front().snapshotSteps);
  file["train"]["snapshots"]["first_epoch"] = 7;
  EXPECT_THAT(problems(), AllOf(HasSubstr("train.snapshots.first_epoch"), HasSubstr("too late")));
}

TEST_F(StagesFile, SnapshotsThatTheStageHasNoRoomForAreRefused) {
  file["stages"][0]["train"]["snapshots"]["first_epoch"] = 7;
  EXPECT_THAT(problems(), HasSubstr("stages[0].train.snapshots.first_epoch"));
  file["stages"][0]["train"]["snapshots"] = {{"per_epoch", 21}};
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[0].train.snapshots.per_epoch"), HasSubstr("20 steps")));
}

TEST_F(StagesFile, WhatContinuesIsTheSameCourse) {
  file["stages"][1]["optimizer"] = {{"momentum", 0.5}};
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[1].continue"), HasSubstr("optimizer differs")));
  file = experiment();
  file["optimizer"]["learning_rate"].erase("total_epochs");
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[1].continue"), HasSubstr("total_epochs")));
}

TEST_F(StagesFile, WhatAllStagesShareStandsBesideThem) {
  file["stages"][1]["network"] = "mlp";
  file["stages"][1]["parallel"] = {{"ranks", 2}};
  file["stages"][1]["dataset"] = {{"train_samples", 100}};
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[1].network"), HasSubstr("stages[1].parallel.ranks"),
                                HasSubstr("stages[1].dataset.train_samples")));
}

TEST_F(StagesFile, WhatEveryStageOverridesIsNotToldAsIfItRan) {
  file["parallel"]["ranks"] = 2;
  file["stages"][1].erase("continue");
  file["boost"] = Json::parse(R"({"level": "O1", "dictionary":
      {"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false, "adasum": true}}})");
  const auto tellsOf = [&](const std::string& subject) {
    return std::ranges::any_of(allDecisions(one()),
                               [&](const Decision& decision) { return decision.subject == subject; });
  };
  EXPECT_TRUE(tellsOf("adasum.mode"));
  for (const std::size_t stage : {0U, 1U, 2U}) file["stages"][stage]["boost"] = "O0";
  EXPECT_FALSE(tellsOf("adasum.mode"));
  EXPECT_TRUE(tellsOf("adasum")) << "off in all of them";
  file["stages"][0].erase("boost");
  EXPECT_TRUE(tellsOf("adasum.mode")) << "the first stage does what the file says";
}

TEST_F(StagesFile, AStageThatRewritesTheNetworkAloneIsRefused) {
  file["stages"].erase(2);
  file["stages"][0]["train"].erase("snapshots");
  file["stages"][1] = Json::parse(R"({"name": "other", "boost": {"level": "O1", "dictionary": {
      "boost": {"mode": "manual", "less_bn": true, "grad_freeze": false}, "less_bn": {"gc_flag": false}}}})");
  file["network"] = "small_resnet_bottleneck";
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[1].boost"), HasSubstr("all stages share one network")));
}

TEST_F(StagesFile, NoStepsAreForRefreshingOnly) {
  file["stages"][2]["train"].erase("refresh_statistics");
  EXPECT_THAT(problems(), AllOf(HasSubstr("stages[2].train.steps"), HasSubstr("at least 1")));
}

TEST_F(StagesFile, StatisticsThatNothingChangesAreNotRefreshed) {
  file["stages"].erase(1);
  const auto network = [](double momentum) {
    return Json{{"layers",
                 {{{"type", "conv2d"}, {"name", "conv"}, {"outputs", 4}, {"kernel", 3}},
                  {{"type", "batch_norm"}, {"name", "fixed"}, {"momentum", momentum}},
                  {{"type", "flatten"}},
                  {{"type", "dense"}, {"name", "last"}, {"outputs", 10}}}}};
  };
  file["network"] = network(0.9);
  EXPECT_EQ(problems(), "");
  file["network"] = network(1);
  EXPECT_THAT(problems(), AllOf(HasSubstr("train.refresh_statistics"), HasSubstr("batch norm fixed"),
                                HasSubstr("momentum 1"), HasSubstr("below 1")));
}

TEST_F(StagesFile, AFlagReachesIntoAStage) {
  const auto planned = plan(setting("stages.0.train.epochs=6"));
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_EQ(planned->plans.front().stages[0].endStep, 120);
  EXPECT_THAT(problems(setting("stages.1.train.epochs=-1")), HasSubstr("--set stages.1.train.epochs"));
}

}  // namespace
}  // namespace slipstream
