// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/verdict.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/store/run_store.h"
#include "engine/study_results/study_document.h"
#include "tests/support/written_study.h"

namespace slipstream {
namespace {

using ::testing::HasSubstr;

class StudyVerdicts : public ::testing::Test, protected test::WrittenStudy {
 protected:
  /// Three trials of one variant.
  TunedCells beginTuned() {
    sources.write("base.json", R"({"network": "lenet5", "dataset": "digits"})");
    const nlohmann::json document{{"name", "study"},
                                  {"base", "base.json"},
                                  {"question", {{"measure", "accuracy"}}},
                                  {"variants", {{{"name", "mean"}}, {{"name", "adasum"}}}},
                                  {"tuning",
                                   {{"rule", "external"},
                                    {"trials", 3},
                                    {"variants", {"adasum"}},
                                    {"space", {{"optimizer.learning_rate", {0.1, 0.2, 0.3}}}}}}};
    study = readStudy(sources.write("study.json", document.dump())).value();
    StudyRecord record;
    record.name = study.name;
    record.frozenText = frozenTextOf(study);
    record.frozenHash = std::string(64, 'a');
    number = store->studies().create(record, cellsOf(study));
    return {number, "adasum", storedForm(StudySettings{})};
  }
  void endTrials(const std::vector<double>& accuracies) {
    for (const StudyCell& cell : store->studies().cells(number)) {
      if (cell.trial == 0) continue;
      const double accuracy = accuracies.at(static_cast<std::size_t>(cell.trial - 1));
      const std::string id = test::recordRun(*store, {.variant = cell.variant,
                                                      .seed = cell.seed,
                                                      .accuracy = accuracy,
                                                      .noise = static_cast<std::uint64_t>(cell.trial)});
      store->studies().setRun(number, cell.cell, id, "{}", 100);
    }
  }
};

/// About as much as seeds of a small network differ.
double jitter(std::uint64_t seed) {
  return 0.0006 * std::sin(7.0 * static_cast<double>(seed));
}

TEST_F(StudyVerdicts, ALargeDifferenceIsBetter) {
  begin({{"measure", "accuracy"}, {"margin", 0.002}}, {{"least", 5}});
  finish([](const StudyCell& cell) {
    return (cell.variant == "mean" ? 0.92 : 0.97) + jitter(cell.seed + cell.variant.size());
  });
  const StudyVerdict found = verdict();
  ASSERT_EQ(found.comparisons.size(), 1U);
  const StudyComparison& one = found.comparisons.front();
  EXPECT_EQ(one.verdict, StudyVerdictKind::better);
  EXPECT_EQ(one.pairs, 5);
  EXPECT_NEAR(one.effect, 5, 0.2);
  EXPECT_LT(*one.low, 5);
  EXPECT_GT(*one.low, 0);
  EXPECT_THAT(found.badges.front().in(), HasSubstr("was tuned"));
  EXPECT_THAT(toTerminal(studyDocument(found), Language::english), HasSubstr("Of 1 comparison: 1 better."));
  const auto json = nlohmann::json::parse(toJsonText(found));
  EXPECT_EQ(json["comparisons"][0]["verdict"], "better");
  EXPECT_NEAR(json["comparisons"][0]["effect"].get<double>(), 0.05, 0.002);
  EXPECT_THAT(toCsvText(found), HasSubstr("adasum,mean,,\"Test accuracy, %\",5,"));
}

TEST_F(StudyVerdicts, NothingIsShownUntilARoundIsComplete) {
  begin({{"measure", "accuracy"}}, {{"least", 3}});
  const std::string id = test::recordRun(*store, {.variant = "mean"});
  store->studies().setRun(number, 1, id, "{}", 100);
  const StudyVerdict found = verdict();
  EXPECT_EQ(found.comparisons.front().pairs, 0);
  EXPECT_EQ(found.comparisons.front().verdict, StudyVerdictKind::notShown);
  EXPECT_THAT(toTerminal(studyDocument(found), Language::english), HasSubstr("1 of 6 cells are done"));
}

TEST_F(StudyVerdicts, TheTestSetsOwnErrorIsAFloor) {
  // 10,000 samples: no three seeds show a tenth of a point, however little they differ.
  begin({{"measure", "accuracy"}, {"margin", 0.001}}, {{"least", 3}});
  finish([](const StudyCell& cell) {
    return (cell.variant == "mean" ? 0.95 : 0.951) + 0.01 * jitter(cell.seed + cell.variant.size());
  });
  const StudyComparison one = verdict().comparisons.front();
  EXPECT_EQ(one.verdict, StudyVerdictKind::notShown);
  EXPECT_LT(*one.low, 0);
}

TEST_F(StudyVerdicts, TimeToTheTargetIsARatioWithCensoring) {
  begin({{"measure", "steps_to_target"}, {"target", 0.9}, {"margin", 0.05}}, {{"least", 4}});
  // recordRun evaluates ten times; one accuracy never reaches the target of 0.9.
  finish([](const StudyCell& cell) { return cell.variant == "mean" ? (cell.seed == 1 ? 0.89 : 0.93) : 0.99; });
  const StudyComparison one = verdict().comparisons.front();
  EXPECT_EQ(one.pairs, 4);
  EXPECT_EQ(one.referenceReached, 3);
  EXPECT_EQ(one.reached, 4);
  ASSERT_TRUE(one.horizon);
  EXPECT_EQ(*one.horizon, 200);
  EXPECT_LT(one.effect, 1);
}

TEST_F(StudyVerdicts, AFailedRunIsAnOutcome) {
  begin({{"measure", "accuracy"}}, {{"least", 3}});
  finish([](const StudyCell& cell) { return 0.9 + jitter(cell.seed); });
  store->setState(store->studies().cells(number).front().run, RunState::failed, "the loss is no number");
  const StudyVerdict found = verdict();
  EXPECT_EQ(found.failed, 1);
  EXPECT_EQ(found.comparisons.front().verdict, StudyVerdictKind::notComparable);
  EXPECT_THAT(toTerminal(studyDocument(found), Language::english), HasSubstr("the loss is no number"));
}

TEST_F(StudyVerdicts, DeletingARunMakesNoVerdictBetter) {
  begin({{"measure", "accuracy"}}, {{"least", 4}});
  finish([](const StudyCell& cell) {
    return (cell.variant == "mean" ? 0.92 : 0.97) + jitter(cell.seed + cell.variant.size());
  });
  EXPECT_EQ(verdict().comparisons.front().verdict, StudyVerdictKind::better);
  store->removeRun(store->studies().cells(number).front().run);
  const StudyVerdict found = verdict();
  EXPECT_EQ(found.comparisons.front().verdict, StudyVerdictKind::notComparable);
  ASSERT_FALSE(found.losses.empty());
  EXPECT_THAT(found.losses.back().in(), HasSubstr("was deleted"));
}

/// The trial that was best when the study went on is what its measured cells were given.
TEST_F(StudyVerdicts, DeletingATrialsRunChangesNoChoice) {
  const TunedCells tuned = beginTuned();
  EXPECT_EQ(chosenTrial(*store, study, tuned), std::nullopt) << "no trial has ended";
  endTrials({0.90, 0.96, 0.93});
  EXPECT_EQ(chosenTrial(*store, study, tuned), 2);
  EXPECT_EQ(decideTrial(*store, study, tuned), 2);
  const auto runOf = [&](int trial) {
    const auto cells = store->studies().cells(number);
    return std::ranges::find(cells, trial, &StudyCell::trial)->run;
  };
  store->removeRun(runOf(2));
  EXPECT_EQ(chosenTrial(*store, study, tuned), 2);
  EXPECT_EQ(decideTrial(*store, study, tuned), 2);
  ASSERT_EQ(verdict().tuned.size(), 1U);
  EXPECT_EQ(verdict().tuned.front().chosen, 2);
  EXPECT_EQ(store->studies().choose(number, tuned.variant, tuned.factors, 3), 2) << "the first choice counts";
}

TEST_F(StudyVerdicts, BeforeAChoiceADeletedTrialIsNone) {
  const TunedCells tuned = beginTuned();
  endTrials({0.90, 0.96, 0.93});
  const auto cells = store->studies().cells(number);
  store->removeRun(std::ranges::find(cells, 2, &StudyCell::trial)->run);
  EXPECT_EQ(decideTrial(*store, study, tuned), 3);
}

TEST_F(StudyVerdicts, SeedsAreAddedOnlyWithinTheFrozenNumber) {
  begin({{"measure", "accuracy"}}, {{"least", 3}, {"most", 6}});
  finish([](const StudyCell& cell) {
    return (cell.variant == "mean" ? 0.93 : 0.95) + 2 * jitter(cell.seed + cell.variant.size());
  });
  const double early = verdict().comparisons.front().miss;
  EXPECT_LT(early, 0.004);  // half of the seeds: O'Brien and Fleming's first of two levels
  const StudyRecord record = store->studies().find("study").value();
  EXPECT_FALSE(addSeeds(*store, record, study, 4));
  EXPECT_EQ(addSeeds(*store, record, study, 3).value(), 6);
  EXPECT_EQ(verdict().look, 1) << "the round is not complete";
  finish([](const StudyCell& cell) {
    return (cell.variant == "mean" ? 0.93 : 0.95) + 2 * jitter(cell.seed + cell.variant.size());
  });
  const StudyVerdict late = verdict();
  EXPECT_EQ(late.look, 2);
  EXPECT_EQ(late.comparisons.front().pairs, 6);
  EXPECT_GT(late.comparisons.front().miss, 0.04);
  EXPECT_FALSE(addSeeds(*store, record, study, 1));
}

TEST_F(StudyVerdicts, CopiesOfTheReferenceShowNothing) {
  std::vector<std::string> copies{"mean"};
  for (int i = 0; i < 10; ++i) copies.push_back("copy " + std::to_string(i));
  begin({{"measure", "accuracy"}}, {{"least", 5}}, copies);
  Random random(4, RandomStream::test);
  finish([&](const StudyCell&) { return 0.95 + 0.003 * random.normal(); });
  for (const StudyComparison& one : verdict().comparisons) EXPECT_EQ(one.verdict, StudyVerdictKind::notShown);
}

/// Each measure that is not primary has its means, a spread and an interval of its own, and no verdict.
TEST_F(StudyVerdicts, SecondaryMeasuresAreShownAndNotJudged) {
  begin({{"measure", "accuracy"}, {"margin", 0.002}, {"alpha", 0.1}}, {{"least", 5}});
  finish([](const StudyCell& cell) {
    return (cell.variant == "mean" ? 0.92 : 0.97) + jitter(cell.seed + cell.variant.size());
  });
  const StudyVerdict found = verdict();
  ASSERT_EQ(found.comparisons.size(), 1U);
  EXPECT_EQ(found.judged, 1) << "secondary measures take no share of alpha";
  std::map<std::string, StudyComparison> by;
  for (const StudyComparison& one : found.secondary) by[one.measure.key] = one;
  EXPECT_FALSE(by.contains("accuracy")) << "that is the primary one";
  ASSERT_TRUE(by.contains("final_loss"));
  const StudyComparison& loss = by.at("final_loss");
  EXPECT_EQ(loss.pairs, 5);
  EXPECT_GT(loss.spread, 0);
  ASSERT_TRUE(loss.low);
  EXPECT_EQ(loss.miss, 0.1) << "by itself, whatever there is beside it";
  const double middle = (*loss.low + *loss.high) / 2;
  EXPECT_NEAR(middle, loss.effect, 1e-9);
  EXPECT_FALSE(loss.p);
  ASSERT_TRUE(by.contains("best_accuracy"));
  EXPECT_FALSE(by.at("best_accuracy").low) << "the best of many has no interval";

  const std::string text = toTerminal(studyDocument(found), Language::english);
  EXPECT_THAT(text, HasSubstr("they get no verdict"));
  EXPECT_THAT(text, HasSubstr("Final loss, mean of 20 steps"));
  const auto json = nlohmann::json::parse(toJsonText(found));
  EXPECT_EQ(json["comparisons"].size(), 1U);
  EXPECT_EQ(json["secondary"].size(), found.secondary.size());
  for (const auto& one : json["secondary"]) EXPECT_FALSE(one.contains("verdict")) << one.dump();
  EXPECT_THAT(toCsvText(found), HasSubstr(",,0,0,secondary,"));
}

TEST_F(StudyVerdicts, SecondaryMeasuresSayWhyTheyHaveNoInterval) {
  begin({{"measure", "accuracy"}}, {{"least", 4}});
  finish([](const StudyCell& cell) { return 0.9 + jitter(cell.seed + cell.variant.size()); });
  store->setState(cells().front().run, RunState::failed, "the loss is no number");
  for (const StudyComparison& one : verdict().secondary) {
    if (one.measure.countsToTarget) continue;
    EXPECT_FALSE(one.low) << one.measure.key;
    EXPECT_THAT(one.why.in(), HasSubstr("failed")) << one.measure.key;
  }
}

/// By hand: accuracies of 0.90, 0.92 and 0.94 have a mean of 92 % and a standard deviation of 2 points.
TEST_F(StudyVerdicts, SpreadsAreThoseOfTheSeeds) {
  begin({{"measure", "accuracy"}}, {{"least", 3}});
  finish([](const StudyCell& cell) {
    return cell.variant == "mean" ? 0.88 + 0.02 * static_cast<double>(cell.seed) : 0.95;
  });
  const StudyComparison one = verdict().comparisons.front();
  EXPECT_NEAR(one.referenceMean, 92, 1e-9);
  EXPECT_NEAR(one.referenceSpread, 2, 1e-9);
  EXPECT_NEAR(one.spread, 0, 1e-9);
  EXPECT_THAT(toTerminal(studyDocument(verdict()), Language::english), HasSubstr("92.00 ± 2.00"));
}

TEST_F(StudyVerdicts, WhatIsNotOverSaysSo) {
  begin({{"measure", "accuracy"}}, {{"least", 3}, {"most", 6}});
  EXPECT_THAT(summaryOf(verdict()).in(), HasSubstr("So far 0 of 6 cells have ended"));
  finish([](const StudyCell& cell) { return (cell.variant == "mean" ? 0.90 : 0.98) + jitter(cell.seed); });
  EXPECT_THAT(summaryOf(verdict()).in(), HasSubstr("Of 1 comparison"));
  ASSERT_TRUE(addSeeds(*store, record(), study, 3));
  EXPECT_THAT(summaryOf(verdict()).in(), HasSubstr("So far, at look 1, of 1 comparison"));
}

}  // namespace
}  // namespace slipstream
