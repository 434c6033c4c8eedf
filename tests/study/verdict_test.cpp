// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/verdict.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/store/run_store.h"
#include "engine/study/study_document.h"
#include "tests/support/finished_runs.h"
#include "tests/support/text_files.h"

namespace slipstream {
namespace {

using ::testing::HasSubstr;

/// A study in a store, whose runs are written rather than trained.
class StudyVerdicts : public ::testing::Test {
 protected:
  void begin(nlohmann::json question, nlohmann::json seeds,
             const std::vector<std::string>& variants = {"mean", "adasum"}) {
    files.write("base.json", R"({"network": "lenet5", "dataset": "digits"})");
    nlohmann::json document{
        {"name", "study"}, {"base", "base.json"}, {"question", std::move(question)}, {"seeds", std::move(seeds)}};
    for (const std::string& variant : variants) document["variants"].push_back({{"name", variant}});
    study = readStudy(files.write("study.json", document.dump())).value();
    StudyRecord record;
    record.name = study.name;
    record.frozenText = frozenTextOf(study);
    record.frozenHash = std::string(64, 'a');
    number = store->studies().create(record, cellsOf(study));
  }
  /// Ends the cells of all seeds: the accuracy of each variant by seed.
  template <class Accuracy>
  void finish(const Accuracy& accuracyOf) {
    for (const StudyCell& cell : store->studies().cells(number)) {
      if (!cell.run.empty()) continue;
      const std::string id = test::recordRun(
          *store, {.variant = cell.variant, .seed = cell.seed, .accuracy = accuracyOf(cell), .noise = noiseOf(cell)});
      store->studies().setRun(number, cell.cell, id, "{}", 100);
    }
  }
  static std::uint64_t noiseOf(const StudyCell& cell) {
    return cell.seed * 1000 + cell.variant.size() + static_cast<unsigned char>(cell.variant.back());
  }
  StudyVerdict verdict() { return verdictOf(*store, store->studies().find("study").value()).value(); }

  test::TextFiles files;
  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
  Study study;
  std::int64_t number = 0;
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
  EXPECT_THAT(found.badges.front().in(), HasSubstr("untuned"));
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
  ASSERT_FALSE(found.remarks.empty());
  EXPECT_THAT(found.remarks.back().in(), HasSubstr("was deleted"));
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

}  // namespace
}  // namespace slipstream
