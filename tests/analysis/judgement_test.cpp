// SPDX-License-Identifier: GPL-3.0-or-later
// When a comparison may say that there is a difference.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/analysis/comparison.h"
#include "engine/report/comparison_document.h"
#include "tests/support/finished_runs.h"
#include "tests/support/null_comparison.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

constexpr double exactly = 1e-9;

/// A run of stages that ended with these accuracies, and with nothing else.
RunOutcome runOf(std::uint64_t seed, const std::vector<double>& accuracies, double testSetError) {
  RunOutcome run;
  run.run.seed = seed;
  run.run.state = RunState::done;
  run.staged = accuracies.size() > 1;
  run.results = std::to_string(seed);
  for (std::size_t i = 0; i < accuracies.size(); ++i) {
    StageOutcome stage = test::null_study::stageOf({}, static_cast<int>(i));
    stage.testSetError = {{"accuracy", testSetError}};
    stage.measured = {{"accuracy", accuracies[i]}};
    run.stages.push_back(std::move(stage));
  }
  return run;
}

/// A reference that always ends at 90 % and a variant with these differences from it.
Comparison compared(const std::vector<double>& differences, double testSetError) {
  Comparison comparison;
  comparison.variants = {{"reference", 0, {}}, {"variant", 1, {}}};
  for (std::size_t i = 0; i < differences.size(); ++i) {
    comparison.variants[0].outcomes.push_back(runOf(i, {90}, testSetError));
    comparison.variants[1].outcomes.push_back(runOf(i, {90 + differences[i]}, testSetError));
    comparison.variants[1].outcomes.back().results += " of the variant";
  }
  judge(comparison);
  return comparison;
}

ComparedMeasure accuracyOf(const Comparison& comparison) {
  return comparison.compared.at(0).measures.at(0);
}

TEST(Judgement, OneComparisonIsStudentsInterval) {
  const Comparison comparison = compared({0.6, 0.3, 1.8}, 0);
  const ComparedMeasure one = accuracyOf(comparison);
  EXPECT_NEAR(one.difference, 0.9, exactly);
  EXPECT_NEAR(*one.low, -1.071724, 1e-5);
  EXPECT_NEAR(*one.high, 2.871724, 1e-5);
  EXPECT_EQ(one.verdict, ComparisonVerdict::noDifferenceShown);
  // Standard error 0.45826, noncentrality 5.65349 of two degrees of freedom.
  EXPECT_NEAR(*one.detectable, 2.5908, 1e-3);
  EXPECT_EQ(comparedTables(comparison).at(0).rows.at(0).back().note.in(), "±2.59");
}

TEST(Judgement, TablesHaveShownDifferencesBelowTheFirstRow) {
  Comparison comparison = compared({0.6, 0.3, 1.8}, 0);
  std::vector<ComparedMeasure>& measures = comparison.compared.at(0).measures;
  const std::pair<const char*, ComparisonVerdict> others[] = {
      {measure::testLoss, ComparisonVerdict::noDifferenceShown},
      {measure::trainingSeconds, ComparisonVerdict::better},
      {measure::finalLoss, ComparisonVerdict::noClaim},
      {measure::stepMilliseconds, ComparisonVerdict::costsMore}};
  for (const auto& [key, verdict] : others) {
    measures.push_back(measures.front());
    measures.back().measure = measureOf(key);
    measures.back().verdict = verdict;
  }
  std::vector<std::string> names;
  const std::vector<Table> tables = comparedTables(comparison);
  for (const auto& row : tables.at(0).rows) names.push_back(row.front().text.in());
  std::vector<std::string> wanted;
  for (const char* key :
       {measure::accuracy, measure::trainingSeconds, measure::stepMilliseconds, measure::testLoss, measure::finalLoss})
    wanted.push_back(measureOf(key).name());
  EXPECT_EQ(names, wanted);
}

TEST(Judgement, WithoutSpreadOnlyTheTestSetSpeaks) {
  // 0.5 points of error on both sides, replicas that agree to the last digit: 1.959964 x sqrt(0.5).
  const ComparedMeasure one = accuracyOf(compared({1, 1, 1}, 0.5));
  EXPECT_NEAR(*one.low, 1 - 1.385904, 1e-5);
  EXPECT_EQ(one.verdict, ComparisonVerdict::noDifferenceShown);
  EXPECT_EQ(accuracyOf(compared({2, 2, 2}, 0.5)).verdict, ComparisonVerdict::better);
}

TEST(Judgement, NeitherSpreadNorErrorIsNoCertainty) {
  const ComparedMeasure one = accuracyOf(compared({-5, -5, -5}, 0));
  EXPECT_FALSE(one.low);
  EXPECT_EQ(verdictText(one).in(), "no claim (no spread)");
}

TEST(Judgement, ATestSetOfUnknownSizeClaimsNothing) {
  EXPECT_EQ(verdictText(accuracyOf(compared({3, 4, 5}, NAN))).in(), "no claim (error of the test set unknown)");
}

TEST(Judgement, BothErrorsAreAddedInQuadrature) {
  const ComparedMeasure one = accuracyOf(compared({0.6, 0.3, 1.8}, 0.5));
  EXPECT_NEAR(*one.high - 0.9, std::hypot(1.971724, 1.385904), 1e-4);
}

TEST(Judgement, TheErrorOfAnAccuracyIsNeverZero) {
  EXPECT_NEAR(accuracyVariance(0.5, 98), 0.25 / 100, exactly);
  EXPECT_NEAR(accuracyVariance(1, 40), 41.0 / 42 * (1.0 / 42) / 42, exactly) << "all of 40 are right";
}

TEST(Judgement, IntervalsOfManyComparisonsAreWiderAndAgreeWithTheirVerdicts) {
  Random random(3, RandomStream::test);
  const Comparison one = test::drawNull({.variants = 1, .seeds = 5}, random);
  const Comparison quad = test::drawNull({.variants = 4, .seeds = 5}, random);
  EXPECT_EQ(one.comparisons, 5) << "neither of the best of many is judged";
  EXPECT_EQ(quad.comparisons, 20);
  EXPECT_THAT(methodText(quad).in(),
              HasSubstr("All 20 intervals hold together with 95 %: each of them is one of 99.75 %"));
  for (const ComparedVariant& compared : quad.compared) {
    for (const ComparedMeasure& measure : compared.measures) {
      if (measure.measure.bestOfMany) {
        EXPECT_FALSE(measure.low);
        EXPECT_EQ(verdictText(measure).in(), "no claim (best of many)");
        continue;
      }
      const bool holdsZero = *measure.low <= 0 && *measure.high >= 0;
      EXPECT_EQ(holdsZero, measure.verdict == ComparisonVerdict::noDifferenceShown);
      const double seedError = measure.replicas.spread() / std::sqrt(5);
      // Quantiles at 1 - 0.05 / 40: Student's of four degrees of freedom, the normal distribution's.
      EXPECT_NEAR(*measure.high - measure.difference,
                  std::hypot(6.758253 * seedError, 3.023341 * measure.replicas.testSetError),
                  1e-4 * (*measure.high - *measure.low));
    }
  }
}

TEST(Judgement, FalseVerdictsAreRareWhateverIsCompared) {
  constexpr int draws = 3000;
  constexpr double mostFalse = 0.055;
  for (const int seeds : {3, 5, 10}) {
    for (const double error : {0.0, 0.5}) {
      const double share = test::falseVerdicts({.variants = 3, .seeds = seeds, .testSetError = error}, draws, 7);
      EXPECT_LE(share, mostFalse) << seeds << " seeds, test set error " << error;
    }
  }
  EXPECT_LE(test::falseVerdicts({.variants = 0, .seeds = 5, .testSetError = 0, .stages = 4}, draws, 7), mostFalse);
  const double one = test::falseVerdicts({.variants = 1, .seeds = 5, .correlation = 0, .testSetError = 0}, draws, 7);
  EXPECT_GT(one, 0.03) << "independent measures use up what is allowed";
}

TEST(Judgement, StagesOfARunAreHeldAgainstEachOther) {
  Comparison comparison;
  comparison.variants = {{"only", 0, {}}};
  comparison.variants[0].outcomes = {runOf(1, {60, 65, 64.4}, 0), runOf(2, {59, 63, 62.7}, 0),
                                     runOf(3, {63, 69, 67.2}, 0)};
  judge(comparison);
  ASSERT_EQ(comparison.comparedStages.size(), 3U);
  const ComparedStages& last = comparison.comparedStages[2];
  EXPECT_EQ(last.reference, "stage 1");
  EXPECT_EQ(last.stage, "stage 2");
  const ComparedMeasure& one = last.measures.at(0);
  EXPECT_EQ(one.pairs, 3);
  EXPECT_NEAR(one.difference, -0.9, exactly);
  // Three comparisons: Student's quantile of two degrees of freedom at 1 - 0.05 / 6.
  EXPECT_NEAR(*one.high - one.difference, 7.648804 * 0.458258, 1e-4);
  EXPECT_THAT(toText(comparison), HasSubstr("stages of only"));
  EXPECT_THAT(toCsvText(comparison), HasSubstr("\nstage 2,stage 1,only,only,\"Test accuracy, %\","));
  const auto json = nlohmann::json::parse(toJsonText(comparison));
  EXPECT_EQ(json["stages"][2]["measures"][0]["verdict"], "no difference shown");
  EXPECT_EQ(json["stages"][2]["measures"][0]["text"], verdictText(one).in());
  EXPECT_EQ(json["comparisons"], 3);
}

TEST(Judgement, StagesThatDoNotStartFromTheSameWeightsAreNotHeldAgainstEachOther) {
  Comparison comparison;
  comparison.variants = {{"only", 0, {}}};
  comparison.variants[0].outcomes = {runOf(1, {60, 65, 64.4}, 0)};
  comparison.variants[0].outcomes[0].stages[2].stage.start.stage = "stage 1";
  judge(comparison);
  ASSERT_EQ(comparison.comparedStages.size(), 2U);
  EXPECT_EQ(comparison.comparedStages[0].stage, "stage 1");
  EXPECT_EQ(comparison.comparedStages[1].reference, "stage 1");
}

class Replicas : public ::testing::Test {
 protected:
  Comparison compare() { return compareRuns(*store, store->runs()).value(); }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
};

TEST_F(Replicas, ThatAreTheSameBitsCountOnceAndThatIsSaid) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    test::recordRun(*store, {.variant = "mean", .seed = seed, .accuracy = 0.95, .noise = 9});
    test::recordRun(*store, {.variant = "adasum", .seed = seed, .accuracy = 0.90, .adasum = true, .noise = 9});
  }
  const Comparison comparison = compare();
  EXPECT_EQ(accuracyOf(comparison).pairs, 1);
  EXPECT_EQ(verdictText(accuracyOf(comparison)).in(), "no claim (n < 3)");
  EXPECT_THAT(toText(comparison), HasSubstr("seeds 1, 2, 3 of mean gave the same losses and accuracies"));
  for (const ComparedMeasure& one : comparison.compared.at(0).measures) {
    if (!one.measure.cost) continue;
    EXPECT_EQ(one.pairs, 3) << "times are measured anew: " << one.measure.key;
  }
  EXPECT_THAT(toText(comparison), HasSubstr("Median step time, ms (n = 3)"));
}

TEST_F(Replicas, ThatAreTheSameOnOneSideAloneAreStillPairs) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    test::recordRun(*store, {.variant = "mean", .seed = seed, .accuracy = 0.95, .noise = 9});
    test::recordRun(*store, {.variant = "adasum", .seed = seed, .accuracy = 0.90, .adasum = true});
  }
  EXPECT_EQ(accuracyOf(compare()).pairs, 3);
}

}  // namespace
}  // namespace slipstream
