// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of several stages, as outcomes, comparisons and reports show them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/analysis/comparison.h"
#include "engine/boost/algorithms.h"
#include "engine/document/text_table.h"
#include "engine/report/comparison_document.h"
#include "engine/report/report.h"
#include "engine/report/stage_text.h"
#include "tests/support/finished_runs.h"
#include "tests/support/staged_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using test::StagedRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class StagedRuns : public ::testing::Test {
 protected:
  RunOutcome outcome(const StagedRun& staged) {
    const RunRecord run = store->find(test::recordStagedRun(*store, staged)).value();
    return outcomeOf(*store, run, parseRunPlan(run.planText).value());
  }
  Comparison compare() { return compareRuns(*store, store->runs()).value(); }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
};

TEST_F(StagedRuns, EveryStageHasWhatItCameToItself) {
  const RunOutcome run = outcome({});
  ASSERT_EQ(run.stages.size(), 3U);
  EXPECT_TRUE(run.staged);
  EXPECT_EQ(run.steps, 151);
  const auto& first = run.stages[0].measured;
  EXPECT_NEAR(first.at("accuracy"), 50, 1e-9);
  EXPECT_NEAR(first.at("best_accuracy"), 60, 1e-9);
  EXPECT_NEAR(first.at("test_loss"), 0.5, 1e-9);
  EXPECT_NEAR(first.at("final_loss"), 89.5, 1e-9) << "the mean of steps 80 to 99";
  EXPECT_NEAR(first.at("training_seconds"), 1.0, 1e-9);
  const auto& second = run.stages[1].measured;
  EXPECT_NEAR(second.at("accuracy"), 80, 1e-9);
  EXPECT_NEAR(second.at("best_accuracy"), 80, 1e-9);
  EXPECT_NEAR(second.at("best_loss"), 100, 1e-9);
  EXPECT_NEAR(second.at("step_milliseconds"), 20, 1e-9);
  EXPECT_NEAR(run.stages[2].measured.at("accuracy"), 70, 1e-9);
  EXPECT_FALSE(run.stages[2].measured.contains("final_loss")) << "it updates nothing";
  EXPECT_NEAR(run.trainingSeconds(), 2.0, 1e-9);
  for (const StageOutcome& stage : run.stages) EXPECT_TRUE(stage.ended()) << stage.stage.name;
}

TEST_F(StagedRuns, AStageThatWasCutShortHasNotEndedAndLaterOnesHaveNothing) {
  const RunOutcome run = outcome({.stepsDone = 120});
  EXPECT_TRUE(run.stages[0].ended());
  EXPECT_EQ(run.stages[1].steps, 20);
  EXPECT_FALSE(run.stages[1].ended());
  EXPECT_EQ(run.stages[2].steps, 0);
  EXPECT_TRUE(run.stages[2].measured.empty());
}

TEST_F(StagedRuns, StagesOfOneNameArePairedBySeed) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    test::recordStagedRun(*store, StagedRun{.seed = seed, .variant = "a"});
    const double accuracy = 0.895 + 0.005 * static_cast<double>(seed);
    test::recordStagedRun(*store,
                          StagedRun{.seed = seed, .variant = "b", .secondRate = 0.02, .secondAccuracy = accuracy});
  }
  const Comparison comparison = compare();
  ASSERT_EQ(comparison.compared.size(), 3U);
  const ComparedVariant& second = comparison.compared[1];
  EXPECT_EQ(second.stage, "second");
  EXPECT_EQ(second.measures[0].measure.key, "accuracy");
  EXPECT_EQ(second.measures[0].pairs, 3);
  EXPECT_NEAR(second.measures[0].difference, 10.5, 1e-9);
  EXPECT_EQ(second.measures[0].verdict, ComparisonVerdict::better);
  EXPECT_NEAR(comparison.compared[0].measures[0].difference, 0, 1e-9);
  EXPECT_THAT(toText(comparison), HasSubstr("stage second, paired by seed, n = 3"));
  const auto json = nlohmann::json::parse(toJsonText(comparison));
  EXPECT_EQ(json["compared"][1]["stage"], "second");
  EXPECT_NEAR(json["variants"][0]["runs"][0]["stages"][2]["accuracy"].get<double>(), 0.7, 1e-9);
}

TEST_F(StagedRuns, WhatDiffersStandsOnceAndUnderItsStage) {
  test::recordStagedRun(*store, StagedRun{.variant = "a"});
  test::recordStagedRun(*store, StagedRun{.variant = "b", .momentum = 0.8, .secondRate = 0.02});
  std::vector<std::string> keys;
  for (const PlanDifference& difference : compare().differences) keys.push_back(difference.key);
  EXPECT_THAT(keys, ElementsAre("stages.second.optimizer.learning_rate.lr_max", "optimizer.momentum"));
}

TEST_F(StagedRuns, BesideARunWithoutStagesNothingIsPairedAndThatIsSaid) {
  test::recordStagedRun(*store, StagedRun{});
  test::recordRun(*store, test::FinishedRun{.variant = "plain"});
  const Comparison comparison = compare();
  EXPECT_TRUE(comparison.compared.empty());
  EXPECT_THAT(toText(comparison), HasSubstr("no stage of one name"));
  EXPECT_EQ(comparison.differences.front().key, "stages");
}

TEST_F(StagedRuns, TheReportShowsStagesAndNotTheExperimentThatTheyOverride) {
  test::recordStagedRun(*store, StagedRun{});
  const std::string page = reportHtml(*store, store->runs()).value();
  for (const char* part : {"first 50.00 %, second 80.00 %, refresh 70.00 %", "learning rate 0.01<",
                           "a pass that refreshes statistics", "class=\"border\"", ">second</text>", "1 of 1"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
  const std::string asked = page.substr(0, page.find("Repeat it"));
  EXPECT_THAT(asked, Not(HasSubstr("0.777"))) << "a rate that no stage has";
}

TEST(StageText, SaysWhatAStageIsAskedToDo) {
  RunPlan plan = test::planOf(StagedRun{});
  EXPECT_EQ(startText(plan.stages[0]).in(), "random weights");
  EXPECT_EQ(startText(plan.stages[1]).in(), "first");
  EXPECT_EQ(lengthText(plan.stages[0], 2).in(), "100 updates of 2 × 32 samples");
  EXPECT_EQ(lengthText(plan.stages[2], 2).in(), "a pass that refreshes statistics");
  EXPECT_EQ(optimizerText(plan.stages[2]).in(), "–");
  Experiment& asked = plan.stages[0].experiment;
  asked.train.steps.reset();
  asked.train.epochs = 2;
  asked.boost.setOn("grad_accumulation", true);
  asked.boost.edit<GradAccumulationOptions>().gradAccumulationStep = 3;
  EXPECT_EQ(lengthText(plan.stages[0], 1).in(), "2 epochs = 100 updates of 3 × 32 samples");
  EXPECT_EQ(algorithmsText(asked).in(), "grad_accumulation");
  asked.boost.setOn("loss_scale_group", true);
  asked.boost.decisions = {
      switchedOff("loss_scale_group", Reason::other, phrase("precision.loss_scale names another kind"))};
  EXPECT_EQ(algorithmsText(asked).in(), "grad_accumulation") << "what has no effect does not act";
  EXPECT_EQ(algorithmsText(Experiment{}).in(), "none");
  asked.optimizer.schedule = {.mode = ScheduleMode::cosine, .maximum = 0.1, .warmupEpochs = 0.5, .totalEpochs = 9};
  EXPECT_EQ(optimizerText(plan.stages[0]).in(),
            "momentum 0.9, learning rate cosine up to 0.1 in 9 epochs, warm-up 0.5");
  asked.train.averageDecay = 0.999;
  EXPECT_EQ(optimizerText(plan.stages[0]).in(),
            "momentum 0.9, learning rate cosine up to 0.1 in 9 epochs, warm-up 0.5, evaluated as an average of decay "
            "0.999");
  asked.train.averageDecay.reset();
  asked.boost.setOn("dim_reduce", true);
  EXPECT_EQ(optimizerText(plan.stages[0]).in(), "dim_reduce's own steps");
}

TEST(StageText, AStageThatReadsWeightsNamesTheirFile) {
  RunPlan plan = test::planOf(StagedRun{});
  plan.stages[0].experiment.preTrained.file = "/data/stage1_last.ckpt";
  EXPECT_EQ(startText(plan.stages[0]).in(), "the weights of /data/stage1_last.ckpt");
  plan.stages[1].experiment.preTrained.file = "/data/stage1_last.ckpt";
  EXPECT_EQ(startText(plan.stages[1]).in(), "first") << "a later stage goes on from an earlier one";
}

TEST(StageText, NamesWhatLessBnDoesWhereNoBatchNormGoes) {
  Experiment asked;
  asked.boost.setOn("less_bn", true);
  asked.network.layers = {{.kind = LayerKind::normalizedDense, .name = "head"}};
  asked.boost.decisions = {switchedOff("less_bn", Reason::other, phrase("as an earlier version recorded it"))};
  EXPECT_EQ(algorithmsText(asked).in(), "less_bn (normalised head, centralised gradients)");
  asked.boost.edit<LessBnOptions>().removedBatchNorms = 6;
  EXPECT_EQ(algorithmsText(asked).in(), "less_bn (6 batch norms fewer, normalised head, centralised gradients)");
  asked.boost.edit<LessBnOptions>().removedBatchNorms = 0;
  asked.boost.edit<LessBnOptions>().gcFlag = false;
  EXPECT_EQ(algorithmsText(asked).in(), "less_bn (normalised head)");
  asked.network.layers.front().kind = LayerKind::dense;
  EXPECT_EQ(algorithmsText(asked).in(), "none");
}

TEST(StageText, CentralisationOfOneGroupIsNamed) {
  Experiment asked;
  asked.optimizer.groups = {{.match = {"*.weight"}, .gradCentralization = true}};
  EXPECT_EQ(algorithmsText(asked).in(), "grad_centralization");
}

TEST(StageText, ADecisionThatHoldsInNoStageIsNotTold) {
  RunPlan plan = test::planOf(StagedRun{});
  plan.experiment.boost.decisions = {switchedOff("adasum", Reason::level, phrase("by level")),
                                     switchedOff("less_bn", Reason::level, phrase("by level"))};
  for (StagePlan& stage : plan.stages) {
    stage.experiment.boost.decisions = {switchedOff("adasum", Reason::level, phrase("by level")),
                                        switchedOn("less_bn", Reason::other, phrase("asked for"))};
  }
  const std::string text = decisionsText(plan);
  EXPECT_THAT(text, HasSubstr("  adasum   off  by level\n"));
  EXPECT_THAT(text, HasSubstr("  less_bn  on   asked for\n"));
  EXPECT_THAT(text, Not(HasSubstr("less_bn  off")));
}

TEST(TextTable, AlignsCharactersNotBytes) {
  EXPECT_EQ(tableText({{"a", "–", "1"}, {"bcd", "e", "22"}, {"f"}}, 2), "a    –   1\nbcd  e  22\nf\n");
  EXPECT_EQ(tableText({{"a", "x"}, {"b", ""}}, 2, "  "), "  a  x\n  b\n");
}

}  // namespace
}  // namespace slipstream
