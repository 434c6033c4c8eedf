// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan makes of grad_freeze, grad_accumulation, loss_scale and grad_centralization.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/boost/algorithms.h"
#include "engine/boost/grad_freeze/spec.h"
#include "engine/experiment/boost_resolve.h"
#include "engine/experiment/experiment_check.h"
#include "engine/experiment/resolved_form.h"
#include "engine/plan/make_run_plan.h"

namespace slipstream {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr const char* frozen = R"({"boost": {"mode": "manual", "less_bn": false, "grad_freeze": true}})";

LoadedExperiment loadedWith(const std::string& level, const std::string& dictionary,
                            const std::string& network = "lenet5") {
  LoadedExperiment loaded;
  loaded.experiment.network = *builtInNetwork(network);
  loaded.experiment.boost = *resolveBoost(level, Json::parse(dictionary), "boost.dictionary");
  return loaded;
}

Result<RunPlan> planOf(const LoadedExperiment& loaded) {
  return makeRunPlan(loaded, {6000, 1000}, false, 2);
}

std::string failureOf(const LoadedExperiment& loaded) {
  const auto plan = planOf(loaded);
  return plan ? "" : toText(plan.error());
}

std::string decisionOn(const RunPlan& plan, const std::string& subject) {
  for (const Decision& decision : allDecisions(plan)) {
    if (decision.subject == subject) return decision.state + ": " + decision.why.in();
  }
  return "";
}

TEST(FreezeBlocks, NormsAndBiasesJoinTheBlockBeforeThem) {
  EXPECT_THAT(freezeBlocks({"conv1.weight", "bn1.gamma", "bn1.beta", "conv2.weight", "bn2.gamma", "bn2.beta",
                            "fc.weight", "fc.bias"}),
              ElementsAre(0, 3, 6));
  EXPECT_THAT(freezeBlocks({"a", "b", "c", "d"}), ElementsAre(0, 3));
  EXPECT_THAT(freezeGroups({"a", "b", "c", "d", "e", "f", "g"}, 2), ElementsAre(0, 3));
}

TEST(SettleFreeze, MoreGroupsThanBlocksIsAnErrorWhereItIsWritten) {
  EXPECT_THAT(failureOf(loadedWith("O1", R"({"grad_freeze": {"param_groups": 4}})")),
              AllOf(HasSubstr("boost.dictionary.grad_freeze.param_groups"), HasSubstr("3 blocks"),
                    HasSubstr("write 3 or fewer")));
  EXPECT_THAT(failureOf(loadedWith("O1", frozen)), HasSubstr("write 3 or fewer"));
}

TEST(SettleFreeze, WhatOnlyALevelTurnedOnIsCutToTheNetwork) {
  for (const char* dictionary : {"{}", R"({"boost": {"mode": "enable_all"}, "dim_reduce": {}})"}) {
    const auto loaded = loadedWith("O1", dictionary);
    if (!loaded.experiment.boost.isOn("grad_freeze")) continue;
    const auto plan = planOf(loaded);
    ASSERT_TRUE(plan) << toText(plan.error());
    EXPECT_EQ(plan->experiment.boost.of<GradFreezeOptions>().paramGroups, 3);
    EXPECT_THAT(decisionOn(*plan, "grad_freeze.param_groups"), HasSubstr("3 blocks"));
    EXPECT_THAT(decisionOn(*plan, "grad_freeze.groups"), HasSubstr("70 %"));
  }
}

TEST(SettleFreeze, ANetworkOfOneBlockIsNotFrozen) {
  auto loaded = loadedWith("O1", "{}");
  LayerSpec dense{.kind = LayerKind::dense, .name = "only", .outputs = 10};
  loaded.experiment.network = {"layers", {{.kind = LayerKind::flatten, .name = "flat"}, dense}};
  const auto plan = planOf(loaded);
  ASSERT_TRUE(plan) << toText(plan.error());
  EXPECT_FALSE(plan->experiment.boost.isOn("grad_freeze"));
  EXPECT_THAT(decisionOn(*plan, "grad_freeze"), HasSubstr("off: the network layers has 1 block"));
  auto demanded = loadedWith("O1", frozen);
  demanded.experiment.network = loaded.experiment.network;
  EXPECT_THAT(failureOf(demanded), HasSubstr("nothing to freeze"));
}

TEST(SettleFreeze, OneGroupIsPlainTraining) {
  const auto plan = planOf(loadedWith("O1", R"({"grad_freeze": {"param_groups": 1}})"));
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->experiment.boost.isOn("grad_freeze"));
}

TEST(SettleFreeze, AContinuousScheduleWithoutFullStepsIsSaid) {
  const auto plan =
      planOf(loadedWith("O1", R"({"grad_freeze": {"param_groups": 3, "freeze_type": 0, "freeze_p": 0.3}})"));
  ASSERT_TRUE(plan);
  EXPECT_THAT(decisionOn(*plan, "grad_freeze.freeze_p"), HasSubstr("no step trains the layers before"));
}

TEST(SettleAccumulation, AStepIsSeveralBatchesAndAnEpochHasAsManyFewerSteps) {
  const auto loaded = loadedWith("O1", R"({"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false,
      "grad_accumulation": true}, "grad_accumulation": {"grad_accumulation_step": 4}})");
  const auto plan = planOf(loaded);
  ASSERT_TRUE(plan) << toText(plan.error());
  EXPECT_EQ(plan->stepsPerEpoch, 47);  // 187 whole batches of 32
  EXPECT_EQ(plan->totalSteps, 47);
  EXPECT_THAT(decisionOn(*plan, "grad_accumulation.grad_accumulation_step"), HasSubstr("4 batches a rank"));
}

TEST(SettleAccumulation, MoreBatchesThanAnEpochHasAreRefusedWithBothNumbers) {
  const auto dictionary = [](int batches) {
    return R"({"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false, "grad_accumulation": true},
        "grad_accumulation": {"grad_accumulation_step": )" +
           std::to_string(batches) + "}}";
  };
  EXPECT_EQ(failureOf(loadedWith("O1", dictionary(187))), "");
  EXPECT_THAT(failureOf(loadedWith("O1", dictionary(188))),
              AllOf(HasSubstr("boost.dictionary.grad_accumulation.grad_accumulation_step"), HasSubstr("found 188"),
                    HasSubstr("the 187 batches"), HasSubstr("write 187 or fewer")));
}

TEST(SettleAccumulation, MicroBatchesTakeLessMemoryAndAreCheckedAgainstTheBatch) {
  auto loaded = loadedWith("O0", "{}");
  const auto whole = planOf(loaded);
  loaded.experiment.train.microSize = 3;
  const auto plan = planOf(loaded);
  ASSERT_TRUE(whole && plan);
  EXPECT_EQ(whole->memoryPerRank.at("activations") * 11, plan->memoryPerRank.at("activations") * 32);
  EXPECT_THAT(decisionOn(*plan, "train.micro_size"), HasSubstr("at most 11 samples at once"));
  loaded.experiment.train.microSize = 33;
  EXPECT_THAT(toText(checkExperiment(loaded.experiment)), HasSubstr("train.micro_size"));
}

TEST(SettleRemainder, SaysWhatAShortLastBatchCountsFor) {
  auto loaded = loadedWith("O0", "{}");
  Experiment& experiment = loaded.experiment;
  experiment.parallel.ranks = 4;
  experiment.dataset.batchSize = 2;
  experiment.dataset.dropRemainder = false;
  const auto said = [&](std::int64_t samples) {
    experiment.dataset.trainSamples = samples;
    const auto plan = planOf(loaded);
    return plan ? decisionOn(*plan, "dataset.drop_remainder") : toText(plan.error());
  };
  EXPECT_EQ(said(8 * 5), "") << "nothing is left";
  EXPECT_EQ(said(8 * 5 + 4), "") << "one for each";
  EXPECT_THAT(said(8 * 5 + 5), AllOf(HasSubstr("5 samples for 4 ranks"), HasSubstr("means over its samples"),
                                     Not(HasSubstr("without any"))));
  EXPECT_THAT(said(8 * 5 + 1), AllOf(HasSubstr("1 sample for 4 ranks"), HasSubstr("3 ranks without any of them")));
  experiment.boost.setOn("adasum", true);
  EXPECT_THAT(said(8 * 5 + 5), HasSubstr("adasum combines the means of the ranks as they are"));
  experiment.dataset.dropRemainder = true;
  EXPECT_EQ(said(8 * 5 + 5), "");
}

TEST(SettleLossScale, GradientsAreDividedOnce) {
  auto loaded = loadedWith("O0", "{}");
  Experiment& experiment = loaded.experiment;
  experiment.optimizer.lossScale = 128;
  EXPECT_EQ(optimizerDivisor(experiment), 128) << "nobody else divides";
  EXPECT_THAT(decisionOn(*planOf(loaded), "optimizer.loss_scale"), HasSubstr("128 times smaller"));
  experiment.lossScale = {LossScaleKind::fixed, 128};
  experiment.lossScale.dropOverflowUpdate = false;
  EXPECT_TRUE(checkExperiment(experiment).empty());
  EXPECT_EQ(optimizerDivisor(experiment), 1) << "the tutorials name the scale in both places";
  EXPECT_THAT(decisionOn(*planOf(loaded), "optimizer.loss_scale"), HasSubstr("divided out once"));
  experiment.optimizer.lossScale = 1;
  EXPECT_TRUE(checkExperiment(experiment).empty());
  experiment.optimizer.lossScale = 64;
  EXPECT_THAT(toText(checkExperiment(experiment)), HasSubstr("is another scale than precision.loss_scale's 128"));
  experiment.lossScale.dropOverflowUpdate = true;
  EXPECT_THAT(toText(checkExperiment(experiment)), HasSubstr("a second time"));
}

TEST(SettleLossScale, TheSwitchAndTheKindOfGroupsAreOne) {
  constexpr const char* dictionary =
      R"({"boost": {"mode": "manual", "less_bn": false, "grad_freeze": false, "loss_scale_group": true}})";
  auto loaded = loadedWith("O1", dictionary);
  auto plan = planOf(loaded);
  ASSERT_TRUE(plan) << toText(plan.error());
  EXPECT_EQ(plan->experiment.lossScale.kind, LossScaleKind::group);
  EXPECT_EQ(plan->experiment.lossScale.scale, 4096);
  loaded.experiment.lossScale = {LossScaleKind::dynamic, 1024};
  EXPECT_THAT(failureOf(loaded), HasSubstr("boost.dictionary.boost.loss_scale_group"));
  loaded = loadedWith("O1", dictionary);
  loaded.experiment.optimizer.lossScale = 2;
  EXPECT_THAT(failureOf(loaded), HasSubstr("a second time"));
  loaded = loadedWith("O0", "{}");
  loaded.experiment.lossScale = {LossScaleKind::group, 64};
  plan = planOf(loaded);
  ASSERT_TRUE(plan);
  EXPECT_THAT(decisionOn(*plan, "loss_scale_group"), HasSubstr("on: precision.loss_scale.kind is group"));
}

/// MindSpore evaluates int(p * (N - 1) // (1 - p) + 0.5) in double precision: where the exact quotient is whole, it may
/// come out one lower.
TEST(FreezeSteps, AreMindSporesToTheLastBit) {
  EXPECT_EQ(freezeFullSteps(0.72, 8), 17);
  EXPECT_EQ(freezeFullSteps(0.6, 11), 14);
  EXPECT_EQ(freezeFullSteps(0.7, 10), 20);
  EXPECT_EQ(freezeFullSteps(0.5, 3), 2);
  EXPECT_EQ(freezeFullSteps(0.1, 2), 0);
}

TEST(SettleCentralization, GcFlagTurnsItOnWithLessBn) {
  auto loaded = loadedWith("O1", R"({"boost": {"mode": "manual", "grad_freeze": false}})");
  const auto plan = planOf(loaded);
  ASSERT_TRUE(plan) << toText(plan.error());
  EXPECT_EQ(plan->experiment.boost.isOn("less_bn"), !decisionOn(*plan, "grad_centralization").empty());
}

/// The keys, through a file's JSON and back.
TEST(PolicyKeys, AreReadAndWritten) {
  Experiment experiment;
  experiment.network = *builtInNetwork("mlp");
  experiment.lossScale = {LossScaleKind::dynamic, 1, 4, 50};
  experiment.train.microSize = 4;
  experiment.train.microReduction = MicroReduction::sum;
  experiment.optimizer.gradCentralization = true;
  experiment.optimizer.groups = {{.match = {"dense1.*"}, .gradCentralization = false}};
  const auto again = parseResolved(toJsonText(experiment));
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(toJsonText(*again), toJsonText(experiment));
  EXPECT_EQ(again->lossScale.scale, 1);
  EXPECT_EQ(again->lossScale.window, 50);
  EXPECT_EQ(again->optimizer.groups[0].gradCentralization, false);
}

TEST(PolicyKeys, ALossScaleMayBeOneWordOrOneNumber) {
  const auto read = [](const Json& value) {
    Json experiment = toJson(Experiment{});
    experiment["network"] = {{"name", "mlp"}};
    experiment["precision"]["loss_scale"] = value;
    return experimentFromJson(experiment, "");
  };
  const auto scaleOf = [&](const Json& value) { return read(value).value().lossScale; };
  EXPECT_EQ(scaleOf("dynamic").kind, LossScaleKind::dynamic);
  EXPECT_EQ(scaleOf("dynamic").scale, 16777216);
  EXPECT_EQ(scaleOf("fixed").scale, 128);
  EXPECT_EQ(scaleOf("group").scale, 4096);
  EXPECT_EQ(scaleOf(1024).kind, LossScaleKind::fixed);
  EXPECT_EQ(scaleOf(1024).scale, 1024);
  EXPECT_THAT(toText(read("static").error()), HasSubstr("precision.loss_scale.kind"));
  EXPECT_THAT(toText(read(0.5).error()), HasSubstr("precision.loss_scale.scale"));
  EXPECT_THAT(toText(read(true).error()), HasSubstr("precision.loss_scale: must be an object"));
}

TEST(PolicyKeys, ValuesThatMindSporeRefusesAreRefused) {
  for (const char* section : {R"({"kind": "fixed", "scale": 0.5})", R"({"window": 0})", R"({"factor": 0})",
                              R"({"kind": "static"})", R"({"kind": "fixed", "window": 5})"}) {
    Json experiment = toJson(Experiment{});
    experiment["network"] = "mlp";
    experiment["precision"]["loss_scale"] = Json::parse(section);
    const auto read = experimentFromJson(experiment, "");
    ASSERT_FALSE(read) << section;
    EXPECT_THAT(toText(read.error()), HasSubstr("precision.loss_scale."));
  }
}

}  // namespace
}  // namespace slipstream
