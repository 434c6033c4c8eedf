// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/report/comparison_document.h"
#include "engine/statistics/distributions.h"
#include "tests/support/damaged_values.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class ComparisonTest : public ::testing::Test {
 protected:
  Comparison compare() { return compareRuns(*store, store->runs()).value(); }
  const ComparedMeasure& measure(const Comparison& comparison, const std::string& key) {
    for (const ComparedMeasure& one : comparison.compared.at(0).measures) {
      if (one.measure.key == key) return one;
    }
    throw std::runtime_error("no measure " + key);
  }
  void pair(std::uint64_t seed, double before, double after) {
    test::recordRun(*store, {.variant = "mean", .seed = seed, .accuracy = before});
    test::recordRun(*store, {.variant = "adasum", .seed = seed, .accuracy = after, .adasum = true});
  }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
};

TEST_F(ComparisonTest, ThreeSeedsWorkedOnPaper) {
  pair(1, 0.80, 0.90);
  pair(2, 0.81, 0.92);
  pair(3, 0.82, 0.94);
  const Comparison comparison = compare();
  ASSERT_EQ(comparison.variants.size(), 2U);
  EXPECT_EQ(comparison.variants[0].label, "mean");
  EXPECT_EQ(comparison.variants[0].outcomes.size(), 3U);
  const ComparedMeasure& accuracy = measure(comparison, "accuracy");
  // Differences 10, 11, 12 points: mean 11, standard deviation 1. Quantiles at one of k comparisons: Student's of two
  // degrees of freedom in closed form.
  EXPECT_EQ(accuracy.pairs, 3);
  EXPECT_NEAR(accuracy.reference, 81, 1e-9);
  EXPECT_NEAR(accuracy.difference, 11, 1e-9);
  const double p = 1 - 0.025 / comparison.comparisons;
  const double seeds = (2 * p - 1) / std::sqrt(2 * p * (1 - p)) / std::sqrt(3);
  const double testSet = normalQuantile(p) * accuracy.replicas.testSetError;
  EXPECT_NEAR(*accuracy.low, 11 - std::hypot(seeds, testSet), 1e-6);
  EXPECT_NEAR(*accuracy.high, 11 + std::hypot(seeds, testSet), 1e-6);
  // 10,000 samples on both sides, about 81 and 92 % of them right.
  EXPECT_NEAR(accuracy.replicas.testSetError, 100 * std::sqrt((0.81 * 0.19 + 0.92 * 0.08) / 10'000), 1e-3);
  EXPECT_EQ(accuracy.verdict, ComparisonVerdict::better);
  EXPECT_EQ(verdictText(measure(comparison, "step_milliseconds")).in(), "no claim (no spread)");
  EXPECT_EQ(verdictText(measure(comparison, "best_accuracy")).in(), "no claim (best of many)");
}

TEST_F(ComparisonTest, NoClaimBelowThreeSeeds) {
  pair(1, 0.50, 0.99);
  pair(2, 0.50, 0.99);
  const Comparison comparison = compare();
  const ComparedMeasure& accuracy = measure(comparison, "accuracy");
  EXPECT_EQ(accuracy.pairs, 2);
  EXPECT_FALSE(accuracy.low);
  EXPECT_EQ(accuracy.verdict, ComparisonVerdict::noClaim);
  EXPECT_THAT(toText(comparison), HasSubstr("no claim (n < 3)"));
}

TEST_F(ComparisonTest, OnlySeedsThatBothHaveArePaired) {
  pair(1, 0.90, 0.92);
  test::recordRun(*store, {.variant = "mean", .seed = 2, .accuracy = 0.10});
  const ComparedMeasure accuracy = measure(compare(), "accuracy");
  EXPECT_EQ(accuracy.pairs, 1);
  EXPECT_NEAR(accuracy.reference, 90, 1e-9);
}

TEST_F(ComparisonTest, NamesWhatDiffersAndNothingElse) {
  pair(1, 0.9, 0.9);
  const Comparison comparison = compare();
  ASSERT_EQ(comparison.differences.size(), 1U);
  EXPECT_THAT(comparison.differences[0].key, HasSubstr("adasum"));
  EXPECT_EQ(comparison.differences[0].values, (std::vector<std::string>{"false", "true"}));
  EXPECT_FALSE(comparison.equals.empty());
  for (const PlanDifference& equal : comparison.equals) {
    EXPECT_EQ(equal.values[0], equal.values[1]) << equal.key;
    EXPECT_NE(equal.key, comparison.differences[0].key);
  }
}

TEST_F(ComparisonTest, VariantsThatComeToTheSameExperimentStayTwo) {
  for (const std::uint64_t seed : {1U, 2U}) {
    test::recordRun(*store, {.variant = "plain", .seed = seed, .accuracy = 0.90});
    test::recordRun(*store, {.variant = "the same again", .seed = seed, .accuracy = 0.92});
  }
  const Comparison comparison = compare();
  ASSERT_EQ(comparison.variants.size(), 2U);
  EXPECT_EQ(comparison.variants[1].label, "the same again");
  EXPECT_EQ(comparison.variants[1].outcomes.size(), 2U);
  EXPECT_TRUE(comparison.differences.empty());
  EXPECT_NEAR(measure(comparison, "accuracy").difference, 2, 1e-9);
}

TEST_F(ComparisonTest, VariantsOfOneNameAreToldApartByTheirExperiments) {
  test::recordRun(*store, {.variant = "mean"});
  test::recordRun(*store, {.variant = "mean", .ranks = 4});
  test::recordRun(*store, {.variant = "mean", .steps = 100});
  std::vector<RunRecord> runs = store->runs();
  runs[1].experimentName = "large";
  const Comparison comparison = compareRuns(*store, runs).value();
  ASSERT_EQ(comparison.variants.size(), 3U);
  EXPECT_EQ(comparison.variants[0].label, "mean (small)");
  EXPECT_EQ(comparison.variants[1].label, "mean (large)");
  EXPECT_EQ(comparison.variants[2].label, "mean (small) (2)");
}

TEST_F(ComparisonTest, ARunGivenTwiceCountsOnce) {
  pair(1, 0.90, 0.92);
  std::vector<RunRecord> runs = store->runs();
  runs.push_back(runs.front());
  runs.push_back(runs.back());
  const Comparison comparison = compareRuns(*store, runs).value();
  ASSERT_EQ(comparison.variants.size(), 2U);
  EXPECT_EQ(comparison.variants[0].outcomes.size(), 1U);
}

TEST_F(ComparisonTest, RunsThatDidNotEndInOrderAreNamedAndLeftOut) {
  pair(1, 0.9, 0.9);
  store->setState(store->runs()[1].id, RunState::failed, "rank 1 ran out of memory");
  const Comparison comparison = compare();
  EXPECT_TRUE(comparison.compared.at(0).measures.empty());
  EXPECT_THAT(toText(comparison), HasSubstr("no seed was finished on both sides"));
  ASSERT_EQ(remarksOn(comparison).size(), 1U);
  EXPECT_THAT(remarksOn(comparison)[0].in(), HasSubstr("rank 1 ran out of memory"));
}

TEST_F(ComparisonTest, ARunThatNeverReachedTheTargetCountsWithAllItsSteps) {
  pair(1, 0.5, 0.99);
  const Comparison comparison = compare();
  const ComparedMeasure& steps = measure(comparison, "steps_to_target");
  EXPECT_EQ(steps.reference, 200);
  EXPECT_LT(steps.value, 200);
  EXPECT_NEAR(measure(comparison, "seconds_to_target").value, steps.value * 0.010, 1e-9);
  EXPECT_EQ(steps.referenceReached, 0);
  EXPECT_EQ(steps.valueReached, 1);
  EXPECT_EQ(measure(comparison, "accuracy").referenceReached, std::nullopt);
  EXPECT_THAT(toText(comparison), HasSubstr("1 of 1 runs of mean never reached the target"));
  EXPECT_THAT(toText(comparison), HasSubstr("200 (0 of 1)"));
  EXPECT_THAT(toText(comparison), HasSubstr("> 200"));
  EXPECT_THAT(toText(comparison), HasSubstr("< −")) << "of a reference that is a bound, the difference is one, too";
  const auto json = nlohmann::json::parse(toJsonText(comparison));
  for (const auto& one : json["compared"][0]["measures"]) {
    if (one["measure"] != "steps_to_target") continue;
    EXPECT_EQ(one["reference_reached"], 0);
  }
}

TEST_F(ComparisonTest, WhatIsABoundIsGivenAsOne) {
  const auto cells = [&](const Comparison& comparison) {
    const Table table = comparedTables(comparison).at(0);
    for (const auto& row : table.rows) {
      if (row[0].text.in().find("Steps to") == std::string::npos) continue;
      return std::vector<std::string>{row[1].text.in(), row[2].text.in(), row[3].text.in(), row[4].text.in()};
    }
    return std::vector<std::string>{};
  };
  pair(1, 0.95, 0.99);
  pair(2, 0.96, 0.99);
  pair(3, 0.5, 0.98);  // the reference never reaches its target here
  const std::vector<std::string> one = cells(compare());
  ASSERT_EQ(one.size(), 4U);
  EXPECT_THAT(one[0], AllOf(HasSubstr("> "), HasSubstr("(2 of 3)")));
  EXPECT_THAT(one[1], Not(HasSubstr(">")));
  EXPECT_THAT(one[2], HasSubstr("< "));
  EXPECT_THAT(one[3], AllOf(HasSubstr("< "), Not(HasSubstr("…")))) << "its lower end is not known";
  pair(4, 0.5, 0.5);
  const std::vector<std::string> both = cells(compare());
  EXPECT_EQ(both[2], "–");
  EXPECT_EQ(both[3], "–");
}

TEST_F(ComparisonTest, JsonHoldsVariantsDifferencesAndVerdicts) {
  pair(1, 0.9, 0.95);
  const auto json = nlohmann::json::parse(toJsonText(compare()));
  EXPECT_EQ(json["variants"][1]["label"], "adasum");
  EXPECT_EQ(json["compared"][0]["variant"], "adasum");
  EXPECT_NEAR(json["variants"][1]["runs"][0]["accuracy"].get<double>(), 0.95, 1e-9) << "shares for programs";
  EXPECT_NEAR(json["compared"][0]["measures"][0]["value"].get<double>(), 0.95, 1e-9);
  EXPECT_THAT(toText(compare()), HasSubstr("95.00")) << "percent for people";
  EXPECT_EQ(json["compared"][0]["measures"][0]["verdict"], "no claim (n < 3)");
  EXPECT_EQ(json["differences"].size(), 1U);
}

TEST_F(ComparisonTest, CsvHoldsARowAMeasureAndQuotesWhatNeedsIt) {
  test::recordRun(*store, {.variant = "mean", .seed = 1, .accuracy = 0.5});
  test::recordRun(*store, {.variant = "adasum, \"new\"", .seed = 1, .accuracy = 0.75, .adasum = true});
  const std::string csv = toCsvText(compare());
  EXPECT_THAT(csv, HasSubstr("stage,against stage,reference,variant,measure"));
  EXPECT_THAT(csv, HasSubstr("\n,,mean,\"adasum, \"\"new\"\"\",\"Test accuracy, %\",50,75,25,,,,1,no claim (n < 3)\n"));
}

TEST_F(ComparisonTest, CsvOfOneVariantHoldsWhatItsRunsCameTo) {
  for (const std::uint64_t seed : {1U, 2U}) {
    test::recordRun(*store, {.variant = "mean, alone", .seed = seed, .accuracy = seed == 1 ? 0.55 : 0.57});
  }
  const std::string csv = toCsvText(compare());
  EXPECT_THAT(csv, testing::StartsWith("run,variant,seed,state,stage,steps,measure,value,reached\n"));
  const auto runs = store->runs();
  EXPECT_THAT(csv, HasSubstr("\n" + runs[0].id + ",\"mean, alone\",1,done,,200,\"Test accuracy, %\",55,\n"));
  EXPECT_THAT(csv, HasSubstr("\n" + runs[1].id + ",\"mean, alone\",2,done,,200,\"Test accuracy, %\",57,\n"));
  EXPECT_THAT(csv, HasSubstr("\"Training time, s\",2,\n"));
  EXPECT_THAT(csv, HasSubstr("Steps to target,200,false\n")) << "0.9 was never reached, and values are numbers";
}

TEST_F(ComparisonTest, CsvOfVariantsWithoutACommonSeedHoldsTheirRuns) {
  test::recordRun(*store, {.variant = "mean", .seed = 1, .accuracy = 0.5});
  test::recordRun(*store, {.variant = "adasum", .seed = 2, .accuracy = 0.75, .adasum = true});
  EXPECT_THAT(toCsvText(compare()), testing::AllOf(HasSubstr(",mean,1,done,"), HasSubstr(",adasum,2,done,")));
}

TEST_F(ComparisonTest, CsvSaysWhetherTheTargetWasReached) {
  test::recordRun(*store, {.variant = "mean", .seed = 1, .accuracy = 0.97});
  EXPECT_THAT(toCsvText(compare()), testing::ContainsRegex("Steps to target,[0-9]+,true\n"));
}

TEST_F(ComparisonTest, CsvNumbersHaveNoRoundingNoise) {
  pair(1, 0.9731, 0.9762);
  EXPECT_THAT(toCsvText(compare()), HasSubstr("\"Test accuracy, %\",97.31,97.62,0.31,"));
}

TEST(NumberFormat, FollowsTheHouseRules) {
  EXPECT_EQ(quantityText(0.0612, Quantity::loss), "0.0612");
  EXPECT_EQ(quantityText(2.301, Quantity::loss), "2.30");
  EXPECT_EQ(quantityText(98.936, Quantity::percent), "98.94");
  EXPECT_EQ(quantityText(12345, Quantity::count), "12,345");
  EXPECT_EQ(quantityText(38.64, Quantity::milliseconds), "38.6");
  EXPECT_EQ(quantityText(0, Quantity::seconds), "0.00");
  EXPECT_EQ(quantityText(0.0613, Quantity::seconds), "0.061");
  EXPECT_EQ(quantityText(0.9996, Quantity::seconds), "1.00");
  EXPECT_EQ(differenceText(-0.3, Quantity::seconds), "−0.300");
  EXPECT_EQ(differenceText(0.0004, Quantity::seconds), "0.000") << "as it is written it is none";
  EXPECT_EQ(differenceText(1.32, Quantity::percent), "+1.32");
  EXPECT_EQ(differenceText(-265, Quantity::count), "−265");
  EXPECT_EQ(differenceText(-0.001, Quantity::percent), "0.00");
  EXPECT_EQ(quantityText(std::nan(""), Quantity::loss), "nan");
  EXPECT_EQ(metricText(16777216), "16,777,216");
  EXPECT_EQ(metricText(-0.0612345678), "−0.0612346");
  EXPECT_EQ(metricText(-INFINITY), "−inf");
  EXPECT_EQ(metricText(1e300), "1e+300");
}

TEST_F(ComparisonTest, DamagedValuesAreRemarkedOnAndTheRestIsCompared) {
  pair(1, 0.90, 0.92);
  const std::string broken = store->runs().back().id;
  test::damageValues(*store, broken, "accuracy");
  const Comparison comparison = compare();
  EXPECT_THAT(toText(comparison), testing::AllOf(HasSubstr(broken), HasSubstr("accuracy")));
  EXPECT_EQ(measure(comparison, "final_loss").pairs, 1);
  EXPECT_THROW(measure(comparison, "accuracy"), std::runtime_error);
}

TEST_F(ComparisonTest, NothingIsClaimedThatStepsStillMissingCouldOverturn) {
  // Seeds differ a little in what they are worth, and each variant in another order.
  const auto record = [&](double before, double after, std::int64_t stepsAfter) {
    constexpr double less[] = {0.05, 0.01, 0, 0.05};
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      test::recordRun(*store, {.variant = "mean", .seed = seed, .accuracy = before - less[seed - 1]});
      test::recordRun(*store, {.variant = "adasum", .seed = seed, .accuracy = after - less[seed], .steps = stepsAfter});
    }
  };
  const auto verdict = [&](const char* key) {
    const ComparisonVerdict found = measure(compare(), key).verdict;
    for (const RunRecord& run : store->runs()) store->removeRun(run.id);
    return found;
  };
  record(0.98, 0.98, 200);
  EXPECT_EQ(verdict("steps_to_target"), ComparisonVerdict::noDifferenceShown) << "all arrive";
  record(0.5, 0.5, 200);
  EXPECT_EQ(verdict("steps_to_target"), ComparisonVerdict::notReached) << "nobody arrives";
  record(0.98, 0.5, 50);
  EXPECT_EQ(verdict("steps_to_target"), ComparisonVerdict::notReached) << "fewer steps, of a run that gave up";
  record(0.98, 0.5, 50);
  EXPECT_EQ(verdict("seconds_to_target"), ComparisonVerdict::notReached);
  record(0.5, 0.98, 200);
  EXPECT_EQ(verdict("steps_to_target"), ComparisonVerdict::better) << "more steps of the other would not change it";
  record(0.98, 0.5, 400);
  EXPECT_EQ(verdict("steps_to_target"), ComparisonVerdict::worse);
}

TEST_F(ComparisonTest, ARunThatWentOnWithFewerRanksIsLeftOutOfThePairs) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) pair(seed, 0.8, 0.9);
  const RunRecord shrunk = store->runs().back();
  store->addEvent(shrunk.id, {0, 1, 2, -1, EventLevel::warning, shrunkEvent, "1 of 2 ranks go on, without b"});
  const Comparison comparison = compare();
  EXPECT_EQ(measure(comparison, "accuracy").pairs, 2);
  EXPECT_THAT(toText(comparison),
              HasSubstr(shrunk.id + " (adasum) is left out of all pairs, since it lost hosts: 1 of 2 "
                                    "ranks go on, without b"));
}

}  // namespace
}  // namespace slipstream
