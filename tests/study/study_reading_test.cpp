// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown of a study, by value: the matrix, and the figures of each view.
#include "engine/study_results/study_reading.h"

#include <cmath>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/analysis/run_colours.h"
#include "engine/base/process_identity.h"
#include "engine/study_results/study_document.h"
#include "tests/support/sample_study.h"

namespace slipstream {
namespace {

using test::CellOutcome;
using test::SampleStudy;
using ::testing::HasSubstr;
using ::testing::StartsWith;

nlohmann::json toTargetOverRanks() {
  return {{"variants", {{{"name", "mean"}}, {{"name", "adasum"}}}},
          {"factors", {{"parallel.ranks", {2, 4}}}},
          {"seeds", {{"least", 4}, {"most", 8}}},
          {"question", {{"measure", "steps_to_target"}, {"target", 0.9}, {"margin", 0.05}}}};
}

class StudyReadings : public ::testing::Test {
 protected:
  StudyReading read(const SampleStudy& sample) { return readingOf(*store, sample.number(), known).value(); }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
  KnownRuns known;
};

/// recordRun evaluates every 20 steps; an accuracy of 0.99 reaches 0.9 at 80, of 0.93 at 120, of 0.89 never.
CellOutcome reaches(const StudyCell& cell) {
  const bool adasum = cell.variant == "adasum";
  CellOutcome outcome{.run = {.ranks = test::ranksOf(cell)}};
  outcome.run.accuracy = adasum ? (cell.seed == 2 ? 0.95 : 0.99) : cell.seed == 1 ? 0.89 : 0.93;
  if (adasum && cell.seed == 4 && outcome.run.ranks == 4) outcome.state = RunState::failed;
  return outcome;
}

TEST_F(StudyReadings, TheMatrixHasAStateForEverySeed) {
  SampleStudy sample(*store, toTargetOverRanks());
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome = reaches(cell);
    if (cell.seed == 3) outcome.state = cell.variant == "mean" ? RunState::draft : RunState::stopped;
    return outcome;
  });
  const std::vector<StudyCell> cells = store->studies().cells(sample.number());
  for (const StudyCell& cell : cells) {
    if (cell.variant == "mean" && cell.seed == 4 && test::ranksOf(cell) == 4) store->removeRun(cell.run);
    if (cell.variant == "adasum" && cell.seed == 1 && test::ranksOf(cell) == 2)
      store->setState(cell.run, RunState::running, "");
  }
  const StudyReading reading = read(sample);
  ASSERT_EQ(reading.matrices.size(), 1U);
  const StudyMatrix& matrix = reading.matrices.front();
  ASSERT_EQ(matrix.rows.size(), 2U);
  ASSERT_EQ(matrix.columns.size(), 2U);
  EXPECT_TRUE(matrix.rows[0].isReference);
  EXPECT_FALSE(matrix.rows[1].isReference);
  const auto states = [&](std::size_t row, std::size_t column) {
    std::vector<SeedState> found;
    for (const StudySeed& seed : matrix.rows[row].cells[column].seeds) found.push_back(seed.state);
    return found;
  };
  using enum SeedState;
  EXPECT_EQ(states(0, 0), (std::vector{never, reached, waiting, reached}));
  EXPECT_EQ(states(0, 1), (std::vector{never, reached, waiting, deleted}));
  EXPECT_EQ(states(1, 0), (std::vector{running, reached, stopped, reached}));
  EXPECT_EQ(states(1, 1), (std::vector{reached, reached, stopped, failed}));
  EXPECT_NE(matrix.rows[0].colourSlot, matrix.rows[1].colourSlot);
  EXPECT_THAT(sentenceOf(reading.verdict).in(), StartsWith("So far "));
}

TEST_F(StudyReadings, VariantsHaveDifferentColoursWhateverTheirRunsHave) {
  nlohmann::json study = toTargetOverRanks();
  // Of one variant there are as many runs as colours before the first of the other, which has the same colour then.
  constexpr int seedsOfOne = runColourCount / 2;
  study["seeds"] = {{"least", seedsOfOne + 1}, {"most", seedsOfOne + 1}};
  SampleStudy sample(*store, study);
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome = reaches(cell);
    const bool isOfOne = cell.variant == "mean";
    if (isOfOne == (cell.seed > seedsOfOne)) outcome.state = RunState::draft;
    return outcome;
  });
  std::set<int> colours, firsts;
  const StudyReading reading = read(sample);
  for (const StudyMatrixRow& row : reading.matrices.front().rows) {
    colours.insert(row.colourSlot % runColourCount);
    const auto& seeds = row.cells.front().seeds;
    const auto first = std::ranges::find_if(seeds, [](const StudySeed& seed) { return !seed.run.empty(); });
    ASSERT_NE(first, seeds.end());
    firsts.insert(store->find(first->run)->colourSlot % runColourCount);
  }
  EXPECT_EQ(firsts.size(), 1U) << "or this says nothing";
  EXPECT_EQ(colours.size(), 2U);
}

TEST_F(StudyReadings, AStandingKnowsTheStatesAlone) {
  SampleStudy sample(*store, toTargetOverRanks());
  sample.finish(reaches);
  const StudyStanding standing = standingOf(*store, sample.number()).value();
  for (const StudyMatrixRow& row : standing.matrix.rows) {
    for (const StudyMatrixCell& cell : row.cells) {
      EXPECT_FALSE(cell.comparison);
      EXPECT_FALSE(cell.mean);
      for (const StudySeed& seed : cell.seeds) EXPECT_NE(seed.state, SeedState::never) << "nothing was read of it";
    }
  }
  EXPECT_EQ(standing.state, StudyState::waiting) << "nobody is its queue";
  EXPECT_FALSE(standingOf(*store, 77));
}

TEST_F(StudyReadings, TimeToTargetIsTheProductLimitEstimate) {
  SampleStudy sample(*store, toTargetOverRanks());
  sample.finish(reaches);
  const StudyReading reading = read(sample);
  ASSERT_EQ(reading.reached.size(), 2U);
  const TimeToTarget& on2 = reading.reached[0];
  EXPECT_EQ(on2.measure.key, "steps_to_target");
  ASSERT_EQ(on2.curves.size(), 2U);
  const ReachedCurve& mean = on2.curves[0];
  EXPECT_EQ(mean.seeds, 4);
  EXPECT_EQ(mean.reached, 3);
  EXPECT_EQ(mean.never, 1);
  ASSERT_EQ(mean.steps.size(), 1U);
  EXPECT_EQ(mean.steps[0].time, 120);
  EXPECT_NEAR(mean.steps[0].survival, 0.25, 1e-12);
  EXPECT_EQ(mean.median, 120);
  EXPECT_EQ(on2.horizon, 200) << "as far as the one that never did was watched";
  EXPECT_TRUE(on2.isCut);
  EXPECT_NEAR(mean.restrictedMean, (3 * 120 + 200) / 4.0, 1e-9);
  const ReachedCurve& adasum = on2.curves[1];
  EXPECT_EQ(adasum.reached, 4);
  EXPECT_NEAR(adasum.restrictedMean, (3 * 80 + 100) / 4.0, 1e-9);
  // On 4 ranks one failed: it never gets there, however long the others are watched.
  const ReachedCurve& failed = reading.reached[1].curves[1];
  EXPECT_EQ(failed.failed, 1);
  EXPECT_EQ(failed.reached, 3);
  EXPECT_NEAR(failed.steps.back().survival, 0.25, 1e-12);

  const ChartModel chart = reachedChart(on2, reading.standing.study, reading.pens, {"mean"});
  ASSERT_EQ(chart.curves.size(), 2U);
  EXPECT_EQ(chart.curves[0].line.front().y.back(), 75);
  EXPECT_TRUE(chart.curves[0].censored);
  EXPECT_FALSE(chart.curves[0].lowest.empty());
  EXPECT_TRUE(chart.curves[1].lowest.empty()) << "bands of those that were asked for alone";
  EXPECT_EQ(chart.curves[0].note.in(), "1 never reached it");
}

TEST_F(StudyReadings, ScalingIsRelativeToTheFewestRanksSeedBySeed) {
  SampleStudy sample(*store, toTargetOverRanks());
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome{.run = {.ranks = test::ranksOf(cell)}};
    outcome.run.accuracy = 0.99;
    // Steps on 4 ranks take as long as on 2, and a quarter longer where the seed is 4.
    outcome.run.stepSeconds = outcome.run.ranks == 4 && cell.seed == 4 ? 0.0125 : 0.010;
    return outcome;
  });
  const StudyReading reading = read(sample);
  ASSERT_EQ(reading.scaling.size(), 1U);
  const Scaling& scaling = reading.scaling.front().second;
  EXPECT_EQ(scaling.ranks, (std::vector{2, 4}));
  EXPECT_TRUE(scaling.toTarget);
  EXPECT_TRUE(scaling.growingBatch);
  ASSERT_EQ(scaling.curves.size(), 2U);
  const ScalingCurve& mean = scaling.curves[0];
  ASSERT_EQ(mean.throughput.size(), 2U);
  const double batch = 2.0 * 32;  // of both ranks
  EXPECT_NEAR(mean.throughput[0].value, batch / 0.010, 1e-6);
  EXPECT_NEAR(mean.throughput[1].value, 2 * batch / 0.010 * (3 + 0.8) / 4, 1e-6);
  EXPECT_NEAR(mean.weakEfficiency[0].value, 1, 1e-12);
  EXPECT_NEAR(mean.weakEfficiency[1].low, 0.8, 1e-9);
  EXPECT_NEAR(mean.weakEfficiency[1].high, 1, 1e-9);
  EXPECT_NEAR(mean.weakEfficiency[1].value, std::pow(0.8, 0.25), 1e-9) << "the geometric mean";
  // As many steps to the target take as long: no speed-up, which is half of what the ranks would give.
  EXPECT_NEAR(mean.speedUp[1].high, 1, 1e-9);
  EXPECT_NEAR(mean.strongEfficiency[1].high, 0.5, 1e-9);
  const auto charts = scalingCharts(scaling, reading.pens);
  ASSERT_EQ(charts.size(), 4U);
  EXPECT_TRUE(charts[0].curves.front().ideal);
  EXPECT_EQ(charts[0].curves.front().line.front().y.back(), 2 * charts[0].curves.front().line.front().y.front());
  EXPECT_EQ(charts[1].bounds.front().value, 100);
}

TEST_F(StudyReadings, ATradeOffNamesWhatNothingBeats) {
  SampleStudy sample(*store, {{"variants", {{{"name", "mean"}}, {{"name", "adasum"}}, {{"name", "worst"}}}},
                              {"seeds", {{"least", 3}}},
                              {"question", {{"measure", "accuracy"}}}});
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome;
    outcome.run.accuracy = (cell.variant == "adasum" ? 0.98
                            : cell.variant == "mean" ? 0.95
                                                     : 0.90) +
                           test::seedJitter(cell);
    outcome.run.stepSeconds = cell.variant == "mean" ? 0.010 : 0.012;
    return outcome;
  });
  const StudyReading reading = read(sample);
  ASSERT_EQ(reading.tradeOff.size(), 3U);
  EXPECT_NEAR(reading.tradeOff[0].seconds->mean, 2.0, 1e-6);
  EXPECT_NEAR(reading.tradeOff[1].seconds->mean, 2.4, 1e-6);
  EXPECT_NEAR(reading.tradeOff[1].accuracy->mean, 98, 0.1);
  EXPECT_NEAR(reading.tradeOff[0].bytes->mean, 180'000 + 180'000 + 791'000, 1);
  EXPECT_TRUE(reading.tradeOff[0].onFront);
  EXPECT_TRUE(reading.tradeOff[1].onFront);
  EXPECT_FALSE(reading.tradeOff[2].onFront) << "slower than mean, and less accurate";
  EXPECT_TRUE(reading.reached.empty()) << "the study names no target";
  EXPECT_TRUE(reading.scaling.empty()) << "the ranks are no factor";
  EXPECT_TRUE(reading.profile.empty());
}

TEST_F(StudyReadings, TheProfileIsTheOneOfTheVerdict) {
  SampleStudy sample(*store, toTargetOverRanks());
  sample.finish(reaches);
  const StudyReading reading = read(sample);
  ASSERT_EQ(reading.profile.size(), 2U);
  ASSERT_EQ(reading.verdict.profile.size(), 2U);
  for (std::size_t i = 0; i < 2; ++i) EXPECT_EQ(reading.profile[i].score, reading.verdict.profile[i].score);
  // Of eight workloads adasum is the first in all but the one that failed.
  EXPECT_NEAR(reading.profile[1].shares.front(), 7 / 8.0, 1e-12);
}

/// As many seeds of each variant have ended, but not the same ones.
TEST_F(StudyReadings, AProfileNeedsTheSameSeedsOfEveryVariant) {
  SampleStudy sample(*store, toTargetOverRanks());
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome = reaches(cell);
    if (cell.seed == (cell.variant == "mean" ? 3U : 4U)) outcome.state = RunState::draft;
    return outcome;
  });
  StudyRuns runs(*store, store->studies().cells(sample.number()));
  EXPECT_TRUE(profileOf(runs, sample.study(), *targetMeasureOf(sample.study())).empty());
  const StudyReading reading = read(sample);
  EXPECT_TRUE(reading.profile.empty());
  for (const TimeToTarget& one : reading.reached) EXPECT_TRUE(one.curves.empty()) << "no round is complete";
}

TEST_F(StudyReadings, WhatNextTellsThePowerAndTheCostOfMoreSeeds) {
  SampleStudy sample(*store, {{"variants", {{{"name", "mean"}}, {{"name", "adasum"}}}},
                              {"seeds", {{"least", 4}, {"most", 8}}},
                              {"budget", {{"cores", 1}}},
                              {"question", {{"measure", "final_loss"}, {"margin", 0.02}}}});
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome;
    outcome.run.accuracy = 0.93 + 0.03 * std::sin(3.0 * static_cast<double>(cell.seed * 7 + cell.variant.size()));
    outcome.seconds = 90;
    return outcome;
  });
  const StudyReading reading = read(sample);
  const WhatNext& next = reading.next;
  EXPECT_EQ(next.seeds, 4);
  EXPECT_EQ(next.most, 8);
  EXPECT_EQ(next.looksLeft, 4);
  EXPECT_EQ(next.runsOfSeed, 2);
  ASSERT_TRUE(next.hoursOfSeed);
  EXPECT_NEAR(*next.hoursOfSeed, 2 * 90 / 3600.0, 1e-9);
  EXPECT_NEAR(reading.hours, 8 * 90 / 3600.0, 1e-9);
  ASSERT_EQ(next.comparisons.size(), 1U);
  const NextSeeds& one = next.comparisons.front();
  EXPECT_TRUE(one.ofMargin);
  EXPECT_EQ(one.effect, 0.02);
  EXPECT_EQ(one.power.front().seeds, 3);
  for (std::size_t i = 1; i < one.power.size(); ++i) EXPECT_GT(one.power[i].power, one.power[i - 1].power) << i;
  ASSERT_TRUE(one.needed);
  if (*one.needed <= one.power.back().seeds) {
    EXPECT_GE(one.power[static_cast<std::size_t>(*one.needed - 3)].power, 0.79);
  }
  const ChartModel chart = powerChart(next, {}, reading.pens);
  EXPECT_EQ(chart.curves.size(), 1U);
  EXPECT_EQ(chart.bounds.front().value, 80);
}

TEST_F(StudyReadings, KnownRunsAreReadOnce) {
  SampleStudy sample(*store, toTargetOverRanks());
  sample.finish(reaches);
  const StudyReading before = read(sample);
  // What is known is not looked at again: values that go unseen change nothing, until another attempt is seen.
  const std::string run = store->studies().cells(sample.number()).front().run;
  store->appendMetrics(run, 1, 0, 999, test::block(200, 1, {"accuracy"}, [](auto, auto) { return 0.5; }));
  EXPECT_EQ(read(sample).verdict.comparisons.front().effect, before.verdict.comparisons.front().effect);
  KnownRuns fresh;
  EXPECT_EQ(readingOf(*store, sample.number(), fresh).value().verdict.comparisons.size(), 2U);
}

TEST_F(StudyReadings, FilesThatHaveChangedAreNamed) {
  SampleStudy sample(*store, toTargetOverRanks());
  EXPECT_TRUE(read(sample).changed.empty());
  std::ofstream(sample.base()) << R"({"name": "base", "network": "mlp", "dataset": {"name": "digits"}})";
  const auto changed = read(sample).changed;
  ASSERT_FALSE(changed.empty());
  EXPECT_THAT(changed.front(), HasSubstr("base.json"));
}

TEST_F(StudyReadings, TheSentenceSaysTheStrongestClaimFirst) {
  SampleStudy sample(*store, {{"variants", {{{"name", "mean"}}, {{"name", "adasum"}}, {{"name", "alike"}}}},
                              {"factors", {{"parallel.ranks", {2, 4}}}},
                              {"seeds", {{"least", 5}}},
                              {"question", {{"measure", "accuracy"}, {"margin", 0.02}}}});
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome{.run = {.ranks = test::ranksOf(cell)}};
    const double more = cell.variant == "adasum" ? (outcome.run.ranks == 4 ? 0.06 : 0.05) : 0;
    outcome.run.accuracy = 0.90 + more + test::seedJitter(cell);
    return outcome;
  });
  const std::string sentence = sentenceOf(read(sample).verdict).in();
  EXPECT_THAT(sentence, StartsWith("At 4 ranks, adasum ends 6."));
  EXPECT_THAT(sentence, HasSubstr("points higher in accuracy ["));
  EXPECT_THAT(sentence, HasSubstr("At 2 ranks, adasum ends"));
  EXPECT_THAT(sentence, HasSubstr("The same within the margin: alike (2 ranks), alike (4 ranks)."));
  const std::string chinese = sentenceOf(read(sample).verdict).in(Language::chinese);
  EXPECT_THAT(chinese, HasSubstr("adasum"));
  EXPECT_THAT(chinese, ::testing::Not(HasSubstr("points of accuracy")));
}

StudyComparison claimed(const char* measure, const char* variant, double effect, StudyVerdictKind verdict) {
  StudyComparison one{.measure = *findStudyMeasure(measure), .factors = {}, .variant = variant, .reference = "mean"};
  one.pairs = 5;
  one.effect = effect;
  one.verdict = verdict;
  return one;
}

/// Measures come in the order of the question: 3 points of accuracy and half the time are not compared.
TEST(StudySentences, SayWhatIsWorseBesideWhatIsBetter) {
  using enum StudyVerdictKind;
  StudyVerdict verdict;
  verdict.study.question.primary = {"seconds_to_target", "accuracy"};
  verdict.comparisons = {claimed("accuracy", "a", 3, better),
                         claimed("accuracy", "b", 5, better),
                         claimed("seconds_to_target", "a", 0.8, better),
                         claimed("seconds_to_target", "b", 0.5, better),
                         claimed("accuracy", "c", -4, worse),
                         claimed("accuracy", "d", -2, worse)};
  EXPECT_EQ(sentenceOf(verdict).in(),
            "b reaches the target in 50 % less time than mean. c ends 4.00 points lower in accuracy than mean. Also "
            "better: a (Time to target, s), b (Test accuracy, %), a (Test accuracy, %). Also worse: d (Test accuracy, "
            "%).");
  const std::string all = sentenceOf(verdict, 6).in();
  EXPECT_THAT(all, StartsWith("b reaches the target in 50 % less time than mean. a reaches the target in 20 % less "
                              "time than mean. b ends 5.00 points higher in accuracy than mean. a ends 3.00"));
  EXPECT_THAT(all, ::testing::Not(HasSubstr("Also")));
}

TEST_F(StudyReadings, SummariesCountCellsAndKnowWhoseQueueIsAlive) {
  SampleStudy sample(*store, toTargetOverRanks());
  sample.finish([](const StudyCell& cell) {
    CellOutcome outcome = reaches(cell);
    if (cell.seed == 3) outcome.state = RunState::draft;
    return outcome;
  });
  store->removeRun(store->studies().cells(sample.number()).front().run);
  std::vector<StudySummary> summaries = studySummaries(*store);
  ASSERT_EQ(summaries.size(), 1U);
  EXPECT_EQ(summaries[0].counts.cells, 16);
  EXPECT_EQ(summaries[0].counts.failed, 1);
  EXPECT_EQ(summaries[0].counts.deleted, 1);
  EXPECT_EQ(summaries[0].counts.done, 10);
  EXPECT_EQ(summaries[0].counts.open(), 4);
  EXPECT_TRUE(summaries[0].record.frozenText.empty());
  store->studies().setState(sample.number(), StudyState::running);
  EXPECT_EQ(studySummaries(*store)[0].state, StudyState::waiting) << "its queue is gone";
  store->studies().setSupervisor(sample.number(), thisProcess());
  EXPECT_EQ(studySummaries(*store)[0].state, StudyState::running);
  EXPECT_TRUE(studySummaries(*store)[0].carriedOn);
}

}  // namespace
}  // namespace slipstream
