// SPDX-License-Identifier: GPL-3.0-or-later
// What algorithms become once the network is known: on, off with a reason, or a mistake where they were demanded.
#include "engine/plan/resolve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "engine/plan/plan_file.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::HasSubstr;

class ResolvedPlan : public testing::Test {
 protected:
  Result<PlannedFile> plan(const std::string& network, const std::string& boost) {
    const std::string text = R"({"network": ")" + network +
                             R"(", "dataset": {"name": "digits", "train_samples": 640, "batch_size": 16}, "boost": )" +
                             boost + "}";
    return planFile(files_.write("case.json", text), {}, test::environmentOf({}));
  }
  static Decision decisionOn(const RunPlan& plan, const std::string& subject) {
    for (const Decision& decision : allDecisions(plan)) {
      if (decision.subject == subject) return decision;
    }
    return {};
  }
  static int batchNorms(const RunPlan& plan) {
    const auto& layers = plan.experiment.network.layers;
    return static_cast<int>(std::ranges::count(layers, LayerKind::batchNorm, &LayerSpec::kind));
  }

  static constexpr const char* lessBnOnly =
      R"({"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": true, "grad_freeze": false}}})";
  test::TextFiles files_;
};

TEST_F(ResolvedPlan, LessBnRewritesTheNetworkOfThePlan) {
  const auto plain = plan("small_resnet_bottleneck", R"("O0")");
  const auto planned = plan("small_resnet_bottleneck", lessBnOnly);
  ASSERT_TRUE(plain && planned) << toText(planned ? plain.error() : planned.error());
  const RunPlan& run = planned->plans.front();
  EXPECT_EQ(batchNorms(run), batchNorms(plain->plans.front()) - 2 * 3);
  EXPECT_EQ(decisionOn(run, "less_bn").state, "on");
  EXPECT_EQ(decisionOn(run, "less_bn.fn_flag").state, "on");
  EXPECT_EQ(run.experiment.boost.of<LessBnOptions>().removedBatchNorms, 6);
  const auto again = parseRunPlan(toJsonText(run));
  ASSERT_TRUE(again) << toText(again.error());
  EXPECT_EQ(toJsonText(*again), toJsonText(run));
  EXPECT_LT(run.memoryPerRank.at("activations"), plain->plans.front().memoryPerRank.at("activations"));
}

TEST_F(ResolvedPlan, LessBnIsOnWhereItChangesHeadAndGradientsAlone) {
  const char* byLevel = R"({"level": "O1", "dictionary": {"boost": {"mode": "manual", "grad_freeze": false}}})";
  for (const char* asked : {byLevel, lessBnOnly}) {
    for (const char* network : {"mlp", "lenet5", "small_resnet"}) {
      const auto planned = plan(network, asked);
      ASSERT_TRUE(planned) << toText(planned.error());
      const RunPlan& run = planned->plans.front();
      const Decision& decision = decisionOn(run, "less_bn");
      EXPECT_EQ(decision.effect, Effect::on);
      EXPECT_EQ(decision.reason, Reason::network);
      EXPECT_EQ(decision.why.in(),
                "last dense layer normalised, gradients centralised; no bottleneck block, so no batch norm removed");
      EXPECT_EQ(run.experiment.network.layers.back().kind, LayerKind::normalizedDense);
      EXPECT_TRUE(run.experiment.boost.isOn("less_bn"));
      EXPECT_EQ(run.experiment.boost.of<LessBnOptions>().removedBatchNorms, 0);
    }
  }
}

TEST_F(ResolvedPlan, LessBnThatChangesNothingIsOff) {
  const auto planned = plan("mlp", R"({"level": "O1", "dictionary": {"boost": {"mode": "manual", "grad_freeze": false},
      "less_bn": {"fn_flag": false, "gc_flag": false}}})");
  ASSERT_TRUE(planned) << toText(planned.error());
  const RunPlan& run = planned->plans.front();
  EXPECT_EQ(decisionOn(run, "less_bn").state, "off");
  EXPECT_THAT(decisionOn(run, "less_bn").why.in(), HasSubstr("neither fn_flag nor gc_flag acts"));
  EXPECT_FALSE(run.experiment.boost.isOn("less_bn"));
  EXPECT_EQ(run.experiment.network.layers.back().kind, LayerKind::dense);
}

TEST_F(ResolvedPlan, WhereEnableAllTurnsAdasumOnItComesBeforeOptimizerParallel) {
  const auto planOfMode = [&](const std::string& mode) {
    const std::string text = R"({"network": "mlp", "parallel": {"ranks": 2, "optimizer_parallel": "level1"},
        "dataset": {"name": "digits", "train_samples": 640, "batch_size": 16},
        "boost": {"level": "O2", "dictionary": {"boost": {"mode": ")" +
                             mode + R"("}}}})";
    return planFile(files_.write("case.json", text), {}, test::environmentOf({}));
  };
  const auto planned = planOfMode("enable_all");
  ASSERT_TRUE(planned) << toText(planned.error());
  const RunPlan& run = planned->plans.front();
  EXPECT_TRUE(run.experiment.boost.isOn("adasum"));
  EXPECT_EQ(run.experiment.parallel.optimizerParallel.level, ShardingLevel::off);
  EXPECT_EQ(decisionOn(run, "parallel.optimizer_parallel").state, "off");
  EXPECT_THAT(decisionOn(run, "parallel.optimizer_parallel").why.in(), HasSubstr("enable_all"));
  EXPECT_THAT(toText(planOfMode("auto").error()), HasSubstr("flat Adasum of deltas"));
}

TEST_F(ResolvedPlan, LessBnThatIsDemandedAndCannotActIsAMistake) {
  const auto planned = plan("small_resnet", R"({"level": "O1", "dictionary": {
      "boost": {"mode": "manual", "less_bn": true, "grad_freeze": false},
      "less_bn": {"fn_flag": false, "gc_flag": false}}})");
  ASSERT_FALSE(planned);
  EXPECT_THAT(toText(planned.error()), HasSubstr("boost.dictionary.boost.less_bn"));
  EXPECT_THAT(toText(planned.error()), HasSubstr("small_resnet_bottleneck"));
}

TEST_F(ResolvedPlan, WhatTakesThePlaceOfTheMeanSaysWhatItExchanges) {
  const auto whyWith = [&](const std::string& mode) {
    const std::string text =
        R"({"network": "mlp", "dataset": {"name": "digits", "train_samples": 640, "batch_size": 16},
        "parallel": {"ranks": 2}, "boost": {"level": "O1", "dictionary": {"boost": {"mode": "manual", "less_bn": false,
        "grad_freeze": false, "adasum": true}, "adasum": {"mode": ")" +
        mode + R"("}}}})";
    const auto planned = planFile(files_.write("case.json", text), {}, test::environmentOf());
    EXPECT_TRUE(planned) << toText(planned.error());
    return decisionOn(planned->plans.front(), "averaged").why.in();
  };
  EXPECT_EQ(whyWith("deltas"), "adasum exchanges the weight differences");
  EXPECT_EQ(whyWith("gradients"), "adasum exchanges the gradients");
}

}  // namespace
}  // namespace slipstream
