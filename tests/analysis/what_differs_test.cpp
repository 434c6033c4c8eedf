// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/analysis/comparison.h"
#include "engine/analysis/layer_differences.h"
#include "engine/boost/algorithms.h"
#include "engine/report/comparison_document.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Comparison comparisonOf(std::vector<PlanDifference> differences) {
  Comparison comparison;
  comparison.variants = {{"mean", 0, {}}, {"adasum", 1, {}}, {"tuned", 2, {}}};
  comparison.differences = std::move(differences);
  return comparison;
}

TEST(WhatDiffers, AlgorithmsAreNamedAndWhatFollowsFromThemIsNot) {
  const Comparison comparison =
      comparisonOf({{"boost.boost.adasum", {"false", "true", "false"}},
                    {"boost.boost.less_bn", {"false", "true", "false"}},
                    {"boost.boost.mode", {"auto", "manual", "auto"}},
                    {"boost.less_bn.gc_flag", {"", "true", ""}},
                    {"boost.level", {"O0", "O2", "O0"}},
                    {"network.layers", {"head: dense", "head: normalized_dense", "head: dense"}},
                    {"optimizer.learning_rate.lr_max", {"0.1", "0.1", "0.8"}}});
  EXPECT_THAT(changesOf(comparison, 1), ElementsAre("adasum", "less_bn"));
  EXPECT_THAT(changesOf(comparison, 2), ElementsAre("optimizer.learning_rate.lr_max"));
}

TEST(WhatDiffers, WhatBelongsToAnAlgorithmIsToldFromWhatWasChosen) {
  const auto belongs = [](std::vector<PlanDifference> differences, std::size_t place) {
    const Comparison comparison = comparisonOf(std::move(differences));
    return followsFromAlgorithm(comparison, comparison.differences.at(place));
  };
  const PlanDifference adasum{"boost.boost.adasum", {"false", "true", "false"}};
  EXPECT_FALSE(belongs({adasum}, 0)) << "the switch itself";
  EXPECT_TRUE(belongs({adasum, {"boost.boost.mode", {"auto", "manual", "auto"}}}, 1));
  EXPECT_TRUE(belongs({adasum, {"boost.adasum.scope", {"", "all", ""}}}, 1));
  EXPECT_FALSE(belongs({adasum, {"optimizer.name", {"sgd", "momentum", "sgd"}}}, 1));
  const PlanDifference both{"boost.boost.adasum", {"false", "true", "true"}};
  EXPECT_FALSE(belongs({both, {"boost.adasum.scope", {"", "all", "servers"}}}, 1)) << "that is what is compared";
  EXPECT_TRUE(belongs({both, {"boost.adasum.scope", {"", "all", "all"}}}, 1));
  EXPECT_FALSE(belongs({{"boost.level", {"O0", "O1", "O0"}}}, 0)) << "no algorithm names it";
}

TEST(WhatDiffers, ASettingOfAnAlgorithmThatBothHaveIsNamed) {
  const Comparison comparison = comparisonOf({{"boost.adasum.mode", {"deltas", "gradients", "deltas"}},
                                              {"stages.space.boost.dim_reduce.rho", {"0.5", "0.6", "0.5"}},
                                              {"stages", {"a", "a, b", "a"}}});
  EXPECT_THAT(changesOf(comparison, 1), ElementsAre("adasum.mode", "dim_reduce.rho", "stages"));
  EXPECT_THAT(changesOf(comparison, 2), IsEmpty());
}

TEST(WhatDiffers, AnEffectOfSeveralIsGivenToNoneOfThem) {
  const Comparison several = comparisonOf({{"boost.boost.adasum", {"false", "true", "false"}},
                                           {"boost.boost.grad_freeze", {"false", "true", "false"}},
                                           {"seed_of_data", {"1", "2", "1"}}});
  EXPECT_EQ(
      changesSentence(several, 1).in(),
      "adasum and mean differ in adasum, grad_freeze and seed_of_data: what is found is the effect of all of them "
      "together.");
  EXPECT_EQ(changesSentence(several, 2).in(), "tuned and mean were asked to do the same.");
  const Comparison one = comparisonOf({{"boost.boost.adasum", {"false", "true", "false"}}});
  EXPECT_EQ(changesSentence(one, 1).in(), "adasum and mean differ in adasum alone.");
  const Comparison switched = comparisonOf({{"boost.boost.adasum", {"false", "true", "false"}},
                                            {"boost.boost.mode", {"auto", "manual", "auto"}},
                                            {"boost.level", {"O0", "O2", "O0"}}});
  EXPECT_EQ(changesSentence(switched, 1).in(),
            "adasum and mean differ in one choice, adasum; the other keys that differ follow from it.");
  Comparison two = switched;
  two.variants.resize(2);
  EXPECT_EQ(changesSentence(two, 1).in(), "The plans differ only in adasum and what follows from it.");
}

/// Plans have the key only where conventions are not the usual ones.
TEST(WhatDiffers, ConventionsAreNamedOnBothSides) {
  const RunPlan usual = test::planOf(test::FinishedRun{});
  RunPlan other = usual;
  other.experiment.network.conventions = Conventions::torchvision;
  const auto compared = comparePlans({askedOf(toJsonText(usual)), askedOf(toJsonText(other))});
  ASSERT_EQ(compared.differences.size(), 1U);
  EXPECT_EQ(compared.differences.front().key, "network.conventions");
  EXPECT_THAT(compared.differences.front().values, ElementsAre("mindspore", "torchvision"));
  const auto same = comparePlans({askedOf(toJsonText(usual)), askedOf(toJsonText(usual))});
  EXPECT_THAT(same.differences, IsEmpty());
}

TEST(WhatDiffers, SettingsOfAnAlgorithmThatIsOffAreNoDifference) {
  RunPlan off = test::planOf(test::FinishedRun{});
  RunPlan other = off;
  other.experiment.boost.edit<AdasumOptions>().mode = AdasumMode::gradients;
  EXPECT_EQ(askedOf(toJsonText(off)), askedOf(toJsonText(other)));
  RunPlan on = off;
  on.experiment.boost.setOn("adasum", true);
  const auto compared = comparePlans({askedOf(toJsonText(off)), askedOf(toJsonText(on))});
  ASSERT_EQ(compared.differences.size(), 1U);
  EXPECT_EQ(compared.differences.front().key, "boost.boost.adasum");
  RunPlan gradients = on;
  gradients.experiment.boost.edit<AdasumOptions>().mode = AdasumMode::gradients;
  EXPECT_EQ(comparePlans({askedOf(toJsonText(on)), askedOf(toJsonText(gradients))}).differences.front().key,
            "boost.adasum.mode");
}

TEST(WhatDiffers, LayersAreToldWhereTheyDiffer) {
  const std::string plain = R"([{"type": "relu", "name": ""}, {"type": "dense", "name": "fc", "bias": true}])";
  const std::string head =
      R"([{"type": "relu", "name": ""}, {"type": "normalized_dense", "name": "fc", "bias": false}])";
  EXPECT_THAT(layerTexts({plain, head}), ElementsAre("fc: dense, bias true", "fc: normalized_dense, bias false"));
  EXPECT_THAT(layerTexts({plain, plain}), ElementsAre("2 layers", "2 layers"));
  EXPECT_THAT(layerTexts({plain, R"([{"type": "relu", "name": ""}])"}), ElementsAre("fc: dense", "no fc"));
  EXPECT_THAT(layerTexts({plain, "", "{"}), ElementsAre(plain, "", "{"));
  std::string many = "[";
  for (int i = 0; i < 40; ++i) {
    many += (i == 0 ? "" : ", ") + std::string(R"({"type": "batch_norm", "name": "bn)") + std::to_string(i) + "\"}";
  }
  EXPECT_THAT(layerTexts({many + "]", "[]"}).back(), HasSubstr("no bn0; no bn1; no bn2; and 37 more"));
}

TEST(WhatDiffers, ComparisonsAndReportsSayIt) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  test::recordRun(*store, {.variant = "mean", .accuracy = 0.9});
  test::recordRun(*store, {.variant = "adasum", .accuracy = 0.92, .adasum = true});
  const Comparison comparison = compareRuns(*store, store->runs()).value();
  EXPECT_THAT(toText(comparison), HasSubstr("adasum and mean differ in adasum alone"));
  EXPECT_THAT(toJsonText(comparison), HasSubstr("\"differs_in\""));
}

}  // namespace
}  // namespace slipstream
