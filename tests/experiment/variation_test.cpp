// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/config/json_edit.h"
#include "engine/experiment/experiment_choices.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using testing::ElementsAre;

const std::string base = R"({"seed": 3, "network": "lenet5", "dataset": {"name": "digits"},
  "boost": {"level": "O2", "dictionary": {"adasum": {"mode": "gradients"}, "grad_freeze": {"param_groups": 2}}}})";

std::vector<std::string> namesFor(const Variation& variation) {
  std::vector<std::string> names;
  for (const Json& variant : variantsFor(*parseJson(base, ""), variation)) names.push_back(variant["name"]);
  return names;
}

TEST(Variation, NoneAndEachAlone) {
  EXPECT_THAT(namesFor({.algorithms = {"adasum", "less_bn"}}), ElementsAre("baseline", "adasum", "less_bn"));
}

TEST(Variation, EveryCombination) {
  EXPECT_THAT(namesFor({.algorithms = {"adasum", "less_bn"}, .combinations = true}),
              ElementsAre("baseline", "adasum", "less_bn", "adasum + less_bn"));
}

TEST(Variation, TimesRanksTimesSeeds) {
  const Variation variation{.algorithms = {}, .seeds = 2, .ranks = {1, 4}};
  EXPECT_THAT(namesFor(variation), ElementsAre("1 rank", "4 ranks"));
  EXPECT_EQ(runCount(variation), 4U);
  const auto text = variedExperiment(base, variation);
  ASSERT_TRUE(text);
  EXPECT_EQ(parseJson(*text, "")->at("seeds"), (Json{3, 4}));
  const auto one = variedExperiment(*text, {.ranks = {1, 4}});
  EXPECT_FALSE(parseJson(*one, "")->contains("seeds"));
  EXPECT_EQ(parseJson(*one, "")->at("seed"), 3);
}

TEST(Variation, AnyKeyOneAtATimeBesideTheFile) {
  EXPECT_THAT(namesFor({.keys = {{"optimizer.learning_rate.lr_max", {0.01, 0.03}}, {"dataset.batch_size", {64}}}}),
              ElementsAre("as the file says", "lr_max 0.01", "lr_max 0.03", "batch_size 64"));
}

TEST(Variation, NothingIsLeftThatActsInNoVariant) {
  const auto text = variedExperiment(base, {.algorithms = {"adasum"}});
  ASSERT_TRUE(text);
  const Json root = *parseJson(*text, "");
  EXPECT_FALSE(root.contains("boost"));
  EXPECT_EQ(root["variants"][1]["boost"]["dictionary"]["adasum"]["mode"], "gradients");
  EXPECT_TRUE(parseJson(*variedExperiment(base, {.ranks = {1, 2}}), "")->contains("boost"));
}

TEST(Variation, KeysThatEndAlikeAreToldApart) {
  EXPECT_THAT(namesFor({.keys = {{"dataset.name", {"digits"}}, {"optimizer.name", {"adam"}}}}),
              ElementsAre("as the file says", "dataset.name digits", "optimizer.name adam"));
}

TEST(Variation, AGridHasOneValueOfEachKey) {
  const Variation grid{.algorithms = {"adasum"},
                       .keys = {{"optimizer.learning_rate.lr_max", {0.01, 0.03}}, {"dataset.batch_size", {32, 64}}},
                       .combinations = true};
  EXPECT_EQ(variantCount(grid), 8U);
  EXPECT_THAT(namesFor(grid),
              ElementsAre("baseline, lr_max 0.01, batch_size 32", "baseline, lr_max 0.01, batch_size 64",
                          "baseline, lr_max 0.03, batch_size 32", "baseline, lr_max 0.03, batch_size 64",
                          "adasum, lr_max 0.01, batch_size 32", "adasum, lr_max 0.01, batch_size 64",
                          "adasum, lr_max 0.03, batch_size 32", "adasum, lr_max 0.03, batch_size 64"));
}

TEST(Variation, ValuesOfKeysReachThePlans) {
  const Variation grid{.keys = {{"optimizer.learning_rate.lr_max", {0.01, 0.03}},
                                {"dataset.batch_size", {16}},
                                {"optimizer.name", {"adam"}}},
                       .combinations = true,
                       .ranks = {2}};
  const auto text = setValue(base, "variants", variantsFor(*parseJson(base, ""), grid));
  ASSERT_TRUE(text);
  const test::TextFiles files;
  const auto planned = planFile(files.write("vary.json", *text), {}, test::environmentOf());
  ASSERT_TRUE(planned) << toText(planned.error());
  ASSERT_EQ(planned->plans.size(), 2U);
  const Experiment& second = planned->plans[1].experiment;
  EXPECT_EQ(second.optimizer.schedule.maximum, 0.03);
  EXPECT_EQ(second.dataset.batchSize, 16);
  EXPECT_EQ(second.optimizer.kind, OptimizerKind::adam);
  EXPECT_EQ(planned->plans[1].ranks(), 2);
}

TEST(Variation, AnAlgorithmKeepsItsSettingsAndNoOtherHasAny) {
  const Json variants = variantsFor(*parseJson(base, ""), {.algorithms = {"adasum"}});
  const Json& dictionary = variants[1]["boost"]["dictionary"];
  EXPECT_EQ(dictionary["adasum"]["mode"], "gradients");
  EXPECT_EQ(dictionary["boost"]["adasum"], true);
  EXPECT_EQ(dictionary["boost"]["grad_freeze"], false);
  EXPECT_FALSE(dictionary.contains("grad_freeze"));
}

TEST(Variation, WhatItWritesCanBePlanned) {
  const Variation variation{.algorithms = {"adasum", "grad_freeze"}, .combinations = true, .seeds = 3, .ranks = {1, 2}};
  const auto text = variedExperiment(base, variation);
  ASSERT_TRUE(text);
  const test::TextFiles files;
  const auto planned = planFile(files.write("vary.json", *text), {}, test::environmentOf());
  ASSERT_TRUE(planned) << toText(planned.error());
  EXPECT_EQ(planned->plans.size(), 24U);
  EXPECT_EQ(runCount(variation), 24U);
}

}  // namespace
}  // namespace slipstream
