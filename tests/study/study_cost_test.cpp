// SPDX-License-Identifier: GPL-3.0-or-later
// What a study will cost and can show, from the runs that a store has already.
#include "engine/study_results/study_cost.h"

#include <cmath>

#include <gtest/gtest.h>

#include "engine/statistics/power.h"
#include "tests/support/sample_study.h"

namespace slipstream {
namespace {

class StudyCosts : public ::testing::Test {
 protected:
  StudyCost costOf(nlohmann::json asked) {
    files.write("base.json", nlohmann::json{{"name", "base"},
                                            {"network", "lenet5"},
                                            {"dataset", {{"name", "digits"}, {"train_samples", 6400}}},
                                            {"optimizer", {{"name", "momentum"}, {"learning_rate", 0.02}}},
                                            {"parallel", {{"ranks", 2}}},
                                            {"train", {{"steps", 200}}}}
                                 .dump());
    asked["base"] = "base.json";
    asked["variants"] = {{{"name", "slow"}}, {{"name", "fast"}, {"optimizer", {{"learning_rate", 0.05}}}}};
    asked["budget"]["cores"] = 1;
    study = readStudy(files.write("study.json", asked.dump())).value();
    check = checkStudy(study);
    EXPECT_EQ(check.failures, Failures{});
    return costOfStudy(*store, study, check, earlier);
  }
  std::string earlierRun(std::uint64_t seed, double accuracy, double seconds, int ranks = 2) {
    const std::string run = test::recordRun(
        *store, {.variant = "before", .seed = seed, .accuracy = accuracy, .ranks = ranks, .noise = 7 * seed});
    test::setTimes(*store, run, seconds);
    return run;
  }

  test::TextFiles files;
  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
  EarlierRuns earlier;
  Study study;
  StudyCheck check;
};

TEST_F(StudyCosts, WithoutEarlierRunsOnlyTheRunsAreKnown) {
  const StudyCost cost = costOf(
      {{"seeds", {{"least", 3}}}, {"factors", {{"parallel.ranks", {1, 2}}}}, {"question", {{"measure", "accuracy"}}}});
  EXPECT_EQ(cost.runs, 12);
  EXPECT_EQ(cost.measuredRuns, 12);
  EXPECT_EQ(cost.tuningRuns, 0);
  EXPECT_EQ(cost.comparisons, 2);
  EXPECT_EQ(cost.earlierRuns, 0);
  EXPECT_FALSE(cost.seconds);
  EXPECT_FALSE(cost.spread);
  EXPECT_GT(cost.memory, 0);
  ASSERT_EQ(cost.choices.front().seeds, 3);
  EXPECT_FALSE(cost.choices.front().detectable);
  EXPECT_NEAR(cost.choices.front().timesSpread, detectableDifference(std::sqrt(2.0), 0, 0.05 / 2, 3), 1e-9);
}

TEST_F(StudyCosts, TimesAreThoseOfRunsWithAsManyRanksElseBySamples) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) earlierRun(seed, 0.95, 20 + static_cast<double>(seed));
  const nlohmann::json asked{{"seeds", {{"least", 5}}},
                             {"question", {{"measure", "accuracy"}}},
                             {"tuning",
                              {{"rule", "external"},
                               {"trials", 2},
                               {"variants", {"slow"}},
                               {"space", {{"optimizer.learning_rate", {0.01, 0.02}}}}}}};
  const StudyCost cost = costOf(asked);
  EXPECT_EQ(cost.runs, 12);
  EXPECT_EQ(cost.tuningRuns, 2);
  EXPECT_EQ(cost.earlierRuns, 3);
  ASSERT_TRUE(cost.seconds);
  // Both train on as many samples as the earlier ones did: 200 steps of two ranks.
  EXPECT_NEAR(cost.seconds->middle, 12 * 22, 1e-6);
  EXPECT_NEAR(cost.seconds->low, 12 * 21, 1e-6);
  EXPECT_NEAR(cost.seconds->high, 12 * 23, 1e-6);
  EXPECT_NEAR(*cost.measuredSeconds, 10 * 22, 1e-6);
  EXPECT_NEAR(*cost.tuningSeconds, 2 * 22, 1e-6);
  // Four ranks see twice the samples, on the same cores.
  nlohmann::json wider = asked;
  wider.erase("tuning");
  wider["factors"] = {{"parallel.ranks", {4}}};
  EXPECT_NEAR(costOf(wider).seconds->middle, 10 * 44, 1e-6);
}

TEST_F(StudyCosts, WhatSeedsCanShowFollowsFromHowEarlierOnesDiffer) {
  const double accuracies[] = {0.950, 0.956, 0.953, 0.947};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) earlierRun(seed, accuracies[seed - 1], 20);
  const StudyCost cost =
      costOf({{"seeds", {{"least", 3}}}, {"question", {{"measure", "accuracy"}, {"target", 0.952}}}});
  ASSERT_TRUE(cost.spread);
  EXPECT_NEAR(*cost.spread, std::sqrt((0.15 * 0.15 + 0.45 * 0.45 + 0.15 * 0.15 + 0.45 * 0.45) / 3), 1e-6);
  EXPECT_EQ(cost.targetOf, 4);
  EXPECT_EQ(cost.targetReached, 2);
  ASSERT_EQ(cost.choices.size(), 4U);
  EXPECT_EQ(cost.choices[0].seeds, 3);
  EXPECT_EQ(cost.choices[1].seeds, 5);
  EXPECT_EQ(cost.choices[1].runs, 10);
  EXPECT_NEAR(*cost.choices[1].seconds - *cost.choices[0].seconds, 4 * 20, 1e-6);
  EXPECT_GT(*cost.choices[0].detectable, *cost.choices[1].detectable);
  EXPECT_GT(*cost.choices[0].detectable, std::sqrt(2.0) * *cost.spread);
}

TEST_F(StudyCosts, CopiesOfOtherMachinesAndFailedRunsSayNothing) {
  const std::string failed = earlierRun(1, 0.95, 20);
  store->setState(failed, RunState::failed, "");
  test::recordRun(*store, {.variant = "elsewhere", .device = "npu-twin"});
  EXPECT_EQ(costOf({{"seeds", {{"least", 3}}}, {"question", {{"measure", "accuracy"}}}}).earlierRuns, 0);
}

TEST_F(StudyCosts, AControlIsAsManyRunsAsCopies) {
  const StudyCost cost = costOf({{"seeds", {{"least", 3}}}, {"control", 4}, {"question", {{"measure", "accuracy"}}}});
  EXPECT_EQ(cost.runs, 15);
  EXPECT_EQ(cost.comparisons, 4);
}

}  // namespace
}  // namespace slipstream
