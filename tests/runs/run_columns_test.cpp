// SPDX-License-Identifier: GPL-3.0-or-later
// What lists of runs show in columns, and filters in the units of the columns.
#include "engine/runs/run_columns.h"

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/runs/run_selection.h"
#include "engine/store/study_table.h"
#include "tests/support/damaged_values.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using test::FinishedRun;

class RunColumnsTest : public testing::Test {
 protected:
  RunColumnsTest() {
    mean_ = test::recordRun(*store_, FinishedRun{"mean", 1, 0.85, 200, 2, false});
    adasum_ = test::recordRun(*store_, FinishedRun{"adasum", 2, 0.98, 100, 4, true});
    store_->setLabel(adasum_, {"", "watch the tail", {"keep", "paper"}, true, false});
  }

  RunValues valuesOf(const std::string& run) {
    const auto whole = store_->find(run);
    return readRunValues(*store_, *whole, store_->labels()[run], studiesOfRuns(*store_));
  }
  std::string textOf(const std::string& run, const char* key) {
    return valueText(runColumns()[*findRunColumn(key)], valuesOf(run).at(key));
  }

  /// The variants that match, asked of the store; the same runs as by what was read before.
  std::string matching(const std::string& text) {
    const auto query = RunQuery::parse(text);
    if (!query) return toText(query.error());
    const auto labels = store_->labels();
    std::string names;
    for (const RunRecord& run : store_->heads()) {
      const auto label = labels.find(run.id);
      const RunLabel known = label == labels.end() ? RunLabel{} : label->second;
      const bool matches = query->matches(*store_, run, known);
      EXPECT_EQ(query->needsStore() ? matches : query->matches(valuesOf(run.id), run, known), matches) << text;
      if (matches) names += run.variant + " ";
    }
    return names;
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<RunStore> store_ = test::openStore(folder_.path());
  std::string mean_, adasum_;
};

TEST_F(RunColumnsTest, EachColumnHasAKeyOfItsOwnThatFiltersKnow) {
  std::set<std::string_view> keys;
  for (const RunColumn& column : runColumns()) {
    EXPECT_TRUE(keys.insert(column.key).second) << column.key;
    EXPECT_NE(std::string(column.title), "");
    const std::string term = std::string(column.key) + (column.isText()          ? ":x"
                                                        : column.unit() == "UTC" ? ">2026-01-01"
                                                                                 : ">=0");
    EXPECT_TRUE(column.key == "state" || RunQuery::parse(term)) << term;
  }
}

TEST_F(RunColumnsTest, ValuesSayWhatTheRunWasAndCameTo) {
  EXPECT_EQ(textOf(adasum_, "algorithms"), "adasum");
  EXPECT_EQ(textOf(mean_, "algorithms"), "averaged");
  EXPECT_EQ(textOf(adasum_, "network"), "lenet5");
  EXPECT_EQ(textOf(adasum_, "ranks"), "4");
  EXPECT_EQ(textOf(adasum_, "batch"), "32");
  EXPECT_EQ(textOf(adasum_, "global_batch"), "128") << "32 of each of 4 ranks";
  EXPECT_EQ(textOf(adasum_, "accuracy"), "98.00");
  EXPECT_EQ(textOf(adasum_, "target"), "90.00");
  EXPECT_EQ(textOf(adasum_, "steps"), "100");
  EXPECT_EQ(textOf(adasum_, "training_seconds"), "1.00") << "100 steps of 10 ms";
  EXPECT_EQ(textOf(adasum_, "step_milliseconds"), "10.0");
  EXPECT_EQ(textOf(adasum_, "memory"), "1.15") << "180 + 180 + 793 kB of rank 3";
  EXPECT_EQ(textOf(adasum_, "tag"), "keep, paper");
  EXPECT_EQ(textOf(adasum_, "study"), "–");
  // 0.98 (1 - exp(-0.6 i)) / (1 - exp(-6)) passes 0.9 at i = 5: after 50 steps of 10 ms.
  EXPECT_NEAR(*valuesOf(adasum_).at("seconds_to_target").number, 0.5, 1e-9);
  EXPECT_EQ(textOf(mean_, "seconds_to_target"), "never") << "it ended at 85 %";
}

TEST_F(RunColumnsTest, WhatWasNotMeasuredIsMissing) {
  const std::string planned = store_->createRun(test::sampleRun());
  EXPECT_EQ(textOf(planned, "accuracy"), "–");
  EXPECT_EQ(textOf(planned, "network"), "–") << "its plan cannot be read";
  EXPECT_EQ(textOf(planned, "ranks"), "2") << "its record says so";
  EXPECT_TRUE(plainText(runColumns()[*findRunColumn("accuracy")], valuesOf(planned).at("accuracy")).empty());
  test::damageValues(*store_, adasum_, "accuracy");
  EXPECT_EQ(textOf(adasum_, "accuracy"), "–");
  EXPECT_EQ(textOf(adasum_, "steps"), "100") << "what is sound of it is shown";
}

TEST_F(RunColumnsTest, FiltersTakeNumbersInTheUnitsOfColumns) {
  EXPECT_EQ(matching("best_accuracy>97%"), "adasum ");
  EXPECT_EQ(matching("target:90%"), "mean adasum ");
  EXPECT_EQ(matching("training_seconds>1.5s"), "mean ");
  EXPECT_EQ(matching("training_seconds<0.02min"), "adasum ");
  EXPECT_EQ(matching("training_seconds>=1000ms training_seconds<1500ms"), "adasum ");
  EXPECT_EQ(matching("memory<1"), "") << "of megabytes";
  EXPECT_EQ(matching("memory<0.002GB"), "mean adasum ");
  EXPECT_EQ(matching("memory>1151kB"), "adasum ");
  EXPECT_EQ(matching("global_batch:128"), "adasum ");
  EXPECT_EQ(matching("network:lenet5 dataset:digits optimizer:momentum"), "mean adasum ");
  EXPECT_EQ(matching("-network:mlp ranks>2"), "adasum ");
  EXPECT_EQ(matching("seconds_to_target<10s"), "adasum ") << "what never came is no number";
  EXPECT_NE(matching("memory>4 stones").find("find"), 0u);
  EXPECT_NE(matching("memory>4pounds").find("4pounds is no number"), std::string::npos);
  EXPECT_NE(matching("memory>4pounds").find("for example memory>4MB"), std::string::npos) << matching("memory>4pounds");
  EXPECT_NE(matching("best_accuracy>97").find("best_accuracy is a fraction of 1"), std::string::npos);
  EXPECT_EQ(matching("never_measured>97%"), "") << "a metric of another version may be a fraction";
  EXPECT_NE(matching("network>3").find("network is a text"), std::string::npos);
}

TEST_F(RunColumnsTest, DaysAreInUtcAndLastUntilTheirEnd) {
  EXPECT_EQ(matching("created>=2020-01-01"), "mean adasum ");
  EXPECT_EQ(matching("created<2020-01-01"), "");
  const std::string today = wallText(store_->heads().front().createdAt).substr(0, 10);
  EXPECT_EQ(matching("created:" + today), "mean adasum ");
  EXPECT_EQ(matching("created<=" + today), "mean adasum ");
  EXPECT_EQ(matching("created>" + today), "");
  EXPECT_NE(matching("created>yesterday").find("yesterday is no time"), std::string::npos);
  EXPECT_NE(matching("created>2026-02-30").find("2026-02-30 is no time"), std::string::npos);
  EXPECT_NE(matching("date>=2026-13-01").find("is no time"), std::string::npos);
}

TEST_F(RunColumnsTest, StudiesNameTheirRuns) {
  StudyRecord study;
  study.name = "ranks";
  study.frozenText = "{}";
  StudyCell cell;
  cell.variant = "a";
  cell.factors = "{}";
  store_->studies().create(study, {cell});
  store_->studies().setRun(store_->studies().all().front().number, 0, mean_, "{}", -1);
  EXPECT_EQ(textOf(mean_, "study"), "ranks");
  EXPECT_EQ(matching("study:ranks"), "mean ");
}

TEST_F(RunColumnsTest, NumbersAreOrderedBelowWhatNeverCame) {
  const RunColumn& column = runColumns()[*findRunColumn("seconds_to_target")];
  const RunValue one{1.0, {}, false}, two{2.0, {}, false}, never{std::nullopt, {}, true},
      nan{std::numeric_limits<double>::quiet_NaN(), {}, false};
  EXPECT_LT(compareValues(column, one, two), 0);
  EXPECT_GT(compareValues(column, never, two), 0);
  EXPECT_GT(compareValues(column, nan, two), 0);
  EXPECT_LT(compareValues(column, nan, never), 0);
  EXPECT_EQ(compareValues(column, nan, nan), 0);
  EXPECT_EQ(valueText(column, nan), "nan");
}

}  // namespace
}  // namespace slipstream
