// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/runs/run_selection.h"
#include "tests/support/damaged_values.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using test::FinishedRun;

class RunQueryTest : public testing::Test {
 protected:
  RunQueryTest() {
    mean_ = test::recordRun(*store_, FinishedRun{"mean", 1, 0.95, 200, 2, false});
    adasum_ = test::recordRun(*store_, FinishedRun{"adasum", 2, 0.98, 200, 4, true});
    store_->setLabel(adasum_, {"", "watch the tail", {"keep", "paper"}, true, false});
    store_->setState(mean_, RunState::failed, "rank 1 ended");
  }

  /// The variants that match, in order.
  std::string matching(const std::string& text) {
    const auto query = RunQuery::parse(text);
    if (!query) return toText(query.error());
    const auto labels = store_->labels();
    std::string names;
    for (const RunRecord& run : store_->heads()) {
      const auto label = labels.find(run.id);
      if (query->matches(*store_, run, label == labels.end() ? RunLabel{} : label->second)) names += run.variant + " ";
    }
    return names;
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<RunStore> store_ = test::openStore(folder_.path());
  std::string mean_, adasum_;
};

TEST_F(RunQueryTest, NothingAskedMatchesAll) {
  EXPECT_EQ(matching(""), "mean adasum ");
  EXPECT_EQ(matching("   "), "mean adasum ");
  EXPECT_TRUE(RunQuery::parse(" ")->isEmpty());
}

TEST_F(RunQueryTest, SeedsAreComparedInAllTheirDigits) {
  test::recordRun(*store_, FinishedRun{"large", 9007199254740993, 0.9, 200, 2, false});
  test::recordRun(*store_, FinishedRun{"largest", 18446744073709551615U, 0.9, 200, 2, false});
  EXPECT_EQ(matching("seed:9007199254740993"), "large ");
  EXPECT_EQ(matching("seed:9007199254740992"), "");
  EXPECT_EQ(matching("seed>9007199254740993"), "largest ");
  EXPECT_EQ(matching("seed:18446744073709551615"), "largest ");
  EXPECT_EQ(matching("seed<1.5"), "mean ");
}

TEST_F(RunQueryTest, WordsAreLookedForInNamesTagsAndNotes) {
  EXPECT_EQ(matching("ADASUM"), "adasum ");
  EXPECT_EQ(matching("paper"), "adasum ");
  EXPECT_EQ(matching("\"the tail\""), "adasum ");
  EXPECT_EQ(matching("the tail"), "adasum ");
  EXPECT_EQ(matching("nowhere"), "");
  EXPECT_EQ(matching(adasum_), "adasum ");
}

TEST_F(RunQueryTest, KeysNarrowOneThing) {
  EXPECT_EQ(matching("state:failed"), "mean ");
  EXPECT_EQ(matching("algo:adasum"), "adasum ");
  EXPECT_EQ(matching("tag:paper"), "adasum ");
  EXPECT_EQ(matching("tag:pap"), "");
  EXPECT_EQ(matching("seed:2"), "adasum ");
  EXPECT_EQ(matching("ranks>2"), "adasum ");
  EXPECT_EQ(matching("ranks>=2"), "mean adasum ");
  EXPECT_EQ(matching("is:pinned"), "adasum ");
  EXPECT_EQ(matching("note:\"watch the\""), "adasum ");
  EXPECT_EQ(matching("variant:Adasum"), "adasum ");
  EXPECT_EQ(matching("variant:ada"), "") << "a variant is meant as a whole: x is not x_2";
  EXPECT_EQ(matching("experiment:small"), "mean adasum ");
  EXPECT_EQ(matching("experiment:smal"), "");
  EXPECT_EQ(matching("name:smal"), "mean adasum ");
  EXPECT_TRUE(RunQuery::parse("IS:Pinned ranks>2")->asksFor("is", "pinned"));
  EXPECT_FALSE(RunQuery::parse("-is:pinned")->asksFor("is", "pinned"));
}

TEST_F(RunQueryTest, ColumnsWhoseNumbersAreBoundedAreKnown) {
  const auto columns =
      RunQuery::parse("training<10 accuracy>90% training>1 seed:2 variant:mean -memory>3")->boundedColumns();
  EXPECT_EQ(columns, (std::vector<std::size_t>{*findRunColumn("training"), *findRunColumn("accuracy"),
                                               *findRunColumn("memory")}));
  EXPECT_TRUE(RunQuery::parse("adasum seed:2")->boundedColumns().empty());
}

TEST_F(RunQueryTest, MetricsStandForWhatTheyEndedWith) {
  EXPECT_EQ(matching("accuracy>0.97"), "adasum ");
  EXPECT_EQ(matching("accuracy>97%"), "adasum ");
  EXPECT_EQ(matching("accuracy<=97%"), "mean ");
  EXPECT_NE(matching("accuracy>=97")
                .find("accuracy is a fraction of 1 (found accuracy>=97); write accuracy>=97% or "
                      "accuracy>=0.97"),
            std::string::npos);
  EXPECT_EQ(matching("loss<0.0001"), "");
  EXPECT_EQ(matching("never_measured>0"), "");
}

TEST_F(RunQueryTest, ColumnsOfListsAreKeysInTheirUnits) {
  // 200 steps of 10 ms each.
  EXPECT_EQ(matching("steps:200"), "mean adasum ");
  EXPECT_EQ(matching("steps<200"), "");
  for (const char* holds : {"training_seconds>1.9s", "training_seconds<2.1", "training<2100ms", "training>0.03min",
                            "training_seconds<1h", "step_seconds<=10ms", "step_seconds>9ms"}) {
    EXPECT_EQ(matching(holds), "mean adasum ") << holds;
  }
  for (const char* fails : {"training_seconds>2.1s", "training>1h", "step_seconds>10ms", "test_loss>0"}) {
    EXPECT_EQ(matching(fails), "") << fails;
  }
  EXPECT_NE(matching("loss<5ms").find("5ms is no number (found"), std::string::npos) << matching("loss<5ms");
  EXPECT_NE(matching("training>2x").find("2x is no number of ms, min, h or s"), std::string::npos);
}

TEST_F(RunQueryTest, TimesAreAsListsShowThem) {
  const std::string day = wallText(store_->find(mean_)->createdAt).substr(0, 10);
  const std::string year = std::to_string(std::stoi(day.substr(0, 4)) + 1);
  for (const std::string& holds : std::vector<std::string>{
           "created:" + day, "created>=" + day, "created<=" + day, "created<" + year, "created>2020-01-31",
           "created>\"2020-01-31 09:30\"", "created>2020-01-31T09:30:15", "created>2020-01", "-created:" + year}) {
    EXPECT_EQ(matching(holds), "mean adasum ") << holds;
  }
  for (const std::string& fails :
       std::vector<std::string>{"created>" + day, "created<" + day, "created>=" + year, "created:2020"}) {
    EXPECT_EQ(matching(fails), "") << fails;
  }
  for (const char* wrong : {"created>yesterday", "created>2020-1-1", "created>14:00"}) {
    EXPECT_NE(matching(wrong).find("is no time"), std::string::npos) << wrong;
  }
}

TEST_F(RunQueryTest, AMinusTurnsATermRound) {
  EXPECT_EQ(matching("-state:failed"), "adasum ");
  EXPECT_EQ(matching("-paper -adasum"), "mean ");
  EXPECT_EQ(matching("small -is:pinned"), "mean ");
}

TEST_F(RunQueryTest, MistakesAreNamed) {
  EXPECT_NE(matching("state:faild").find("did you mean failed?"), std::string::npos);
  EXPECT_NE(matching("stat:failed").find("stat is no key (found stat:failed); did you mean state?"), std::string::npos);
  EXPECT_NE(matching("ranks>many").find("many is no number"), std::string::npos);
  EXPECT_NE(matching("seed:one").find("one is no number"), std::string::npos);
  EXPECT_NE(matching("state>failed")
                .find("state is a text (found state>failed); write state:failed, or -state:failed for all other runs"),
            std::string::npos);
  EXPECT_NE(matching("\"open").find("not closed"), std::string::npos);
  EXPECT_NE(matching("tag:").find("nothing is after tag"), std::string::npos);
  EXPECT_NE(matching("tag: state:x").find("x is no state"), std::string::npos) << "all mistakes are told";
}

TEST_F(RunQueryTest, WhatIsNoOperatorIsNamedWithItsPlace) {
  const std::string remedy = "; write one of : = == < <= > >=, for example ";
  EXPECT_NE(matching("accuracy>>14")
                .find("'>>' at character 9 is no operator (found accuracy>>14)" + remedy + "accuracy>0.9"),
            std::string::npos)
      << matching("accuracy>>14");
  EXPECT_NE(matching("\"the täil\" -seed=>2").find("'=>' at character 17"), std::string::npos)
      << matching("\"the täil\" -seed=>2");
  EXPECT_NE(matching("loss=>0.1").find("'=>' at character 5 is no operator"), std::string::npos);
  EXPECT_NE(matching("state!=done").find("'!=' at character 6 is no operator"), std::string::npos);
  EXPECT_NE(matching("tag!=x").find("; write tag:x, or -tag:x for all other runs"), std::string::npos)
      << "a text has no comparisons: " << matching("tag!=x");
  EXPECT_NE(matching("tag!=").find("; write tag:TEXT, or -tag:TEXT for"), std::string::npos) << matching("tag!=");
  EXPECT_NE(matching("seed!=1").find("a minus before a term turns it round"), std::string::npos);
  EXPECT_EQ(matching("seed==2"), "adasum ");
  EXPECT_EQ(matching("note:=>"), "") << "a text may hold such signs";
}

TEST_F(RunQueryTest, DamagedValuesOfOneRunHideNoOther) {
  const std::string broken = test::recordRun(*store_, FinishedRun{"broken", 3, 0.99});
  EXPECT_EQ(matching("accuracy>90%"), "mean adasum broken ");
  test::damageValues(*store_, broken, "accuracy");
  EXPECT_EQ(matching("accuracy>90%"), "mean adasum ");
  EXPECT_EQ(matching("loss<9"), "mean adasum broken ") << "what is sound of it counts";
}

}  // namespace
}  // namespace slipstream
