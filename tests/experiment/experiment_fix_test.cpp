// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/experiment_fix.h"

#include <gtest/gtest.h>

#include "engine/config/fields.h"
#include "engine/config/json.h"

namespace slipstream {
namespace {

/// The text after the fix that a failure at this place gets; empty where there is none.
std::string mended(const std::string& text, const std::string& where, const std::string& problem = "is wrong") {
  const auto root = parseJson(text, "case");
  if (!root) throw std::runtime_error(toText(root.error()));
  const auto fix = experimentFix(*root, {where, "", problem, ""});
  return fix ? fixedExperiment(text, *fix).value() : "";
}

TEST(ExperimentFix, AKeyThatIsNearlyKnownIsRenamedInItsPlace) {
  EXPECT_EQ(mended(R"({"train": {"epoch" : 2, "steps": 3}})", "train.epoch", unknownKeyProblem),
            R"({"train": {"epochs" : 2, "steps": 3}})");
  EXPECT_EQ(mended(R"({"variants": [{"name": "a", "trian": {"steps": 3}}]})", "variants[0].trian", unknownKeyProblem),
            R"({"variants": [{"name": "a", "train": {"steps": 3}}]})");
}

TEST(ExperimentFix, AKeyOfAnotherSectionMovesThere) {
  EXPECT_EQ(mended(R"({"batch_size": 64, "dataset": {"name": "digits"}})", "batch_size", unknownKeyProblem),
            R"({"dataset": {"name": "digits", "batch_size": 64}})");
  EXPECT_EQ(mended(R"({"variants": [{"name": "a", "batch_size": 64}]})", "variants[0].batch_size", unknownKeyProblem),
            R"({"variants": [{"name": "a", "dataset": {"batch_size": 64}}]})");
}

TEST(ExperimentFix, AKeyBesideTheOneThatWasMeantGoes) {
  EXPECT_EQ(mended(R"({"train": {"epochs": 2}, "trian": 1})", "trian", unknownKeyProblem),
            R"({"train": {"epochs": 2}})");
}

TEST(ExperimentFix, AKeyThatNobodyKnowsGoes) {
  EXPECT_EQ(mended(R"({"zzzzzzzzzz": 1, "seed": 2})", "zzzzzzzzzz", unknownKeyProblem), R"({"seed": 2})");
  // A key of image folders beside generated digits.
  EXPECT_EQ(mended(R"({"dataset": {"name": "digits", "image_size": 32}})", "dataset.image_size", unknownKeyProblem),
            R"({"dataset": {"name": "digits"}})");
}

TEST(ExperimentFix, AWordBecomesTheNearestOne) {
  EXPECT_EQ(mended(R"({"network": "lenet6"})", "network"), R"({"network": "lenet5"})");
  EXPECT_EQ(mended(R"({"network": "lenet6"})", "network.name"), R"({"network": "lenet5"})");
  EXPECT_EQ(mended(R"({"network": {"name": "lenet6"}})", "network.name"), R"({"network": {"name": "lenet5"}})");
  EXPECT_EQ(mended(R"({"optimizer": {"name": "momentun"}})", "optimizer.name"),
            R"({"optimizer": {"name": "momentum"}})");
  EXPECT_EQ(mended(R"({"optimizer": {"name": "qqqqqqq"}})", "optimizer.name"), "");
}

TEST(ExperimentFix, ANumberGoesToTheLimitThatItPassed) {
  EXPECT_EQ(mended(R"({"dataset": {"batch_size": 0}})", "dataset.batch_size"), R"({"dataset": {"batch_size": 1}})");
  EXPECT_EQ(mended(R"({"optimizer": {"momentum": -1}})", "optimizer.momentum"), R"({"optimizer": {"momentum": 0.0}})");
  // One itself is not allowed.
  EXPECT_EQ(mended(R"({"optimizer": {"momentum": 1.5}})", "optimizer.momentum"), "");
}

TEST(ExperimentFix, WhatIsInQuotesBecomesWhatItSays) {
  EXPECT_EQ(mended(R"({"train": {"steps": "20"}})", "train.steps"), R"({"train": {"steps": 20}})");
  EXPECT_EQ(mended(R"({"train": {"epochs": "0.5"}})", "train.epochs"), R"({"train": {"epochs": 0.5}})");
  EXPECT_EQ(mended(R"({"dataset": {"shuffle": "true"}})", "dataset.shuffle"), R"({"dataset": {"shuffle": true}})");
  EXPECT_EQ(mended(R"({"train": {"steps": "many"}})", "train.steps"), "");
}

TEST(ExperimentFix, WhatIsNotThereIsNotMended) {
  EXPECT_EQ(mended(R"({"seed": 2})", "train.steps"), "");
  EXPECT_EQ(mended(R"({"seed": 2})", ""), "");
}

}  // namespace
}  // namespace slipstream
