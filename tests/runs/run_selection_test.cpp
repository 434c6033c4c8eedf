// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/run_selection.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using test::FinishedRun;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Three seeds of "mean", then one of "adasum" and an archived one.
class RunSelectionTest : public testing::Test {
 protected:
  RunSelectionTest() {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) add(FinishedRun{"mean", seed, 0.90 + 0.01 * double(seed), 40});
    add(FinishedRun{"adasum", 1, 0.97, 40, 4, true});
    add(FinishedRun{"old", 1, 0.5, 40});
    store_->setLabel(ids_[1], {"the good one", "", {"paper"}, false, false});
    store_->setLabel(ids_[4], {"", "", {"paper"}, false, true});
  }
  void add(const FinishedRun& run) { ids_.push_back(test::recordRun(*store_, run)); }

  std::vector<std::string> selected(const std::vector<std::string>& words, const std::string& filter = "",
                                    RunScope scope = RunScope::listed) {
    const auto runs = findRuns(*store_, words, filter, scope);
    if (!runs) return {toText(runs.error())};
    std::vector<std::string> ids;
    for (const RunRecord& run : *runs) ids.push_back(run.id);
    return ids;
  }
  std::string found(const std::string& word) {
    const auto run = findRun(*store_, word);
    return run ? run->id : toText(run.error());
  }

  test::TemporaryFolder folder_;
  std::unique_ptr<RunStore> store_ = test::openStore(folder_.path());
  std::vector<std::string> ids_;
};

TEST_F(RunSelectionTest, IdsAndTheNewest) {
  EXPECT_THAT(selected({ids_[2], ids_[0]}), ElementsAre(ids_[2], ids_[0])) << "in the order of the words";
  EXPECT_THAT(selected({ids_[3].substr(0, 7)}), ElementsAre(ids_[3]));
  EXPECT_THAT(selected({"last"}), ElementsAre(ids_[3])) << "the archived one is passed over";
  EXPECT_THAT(selected({"last:2"}), ElementsAre(ids_[2], ids_[3])) << "oldest first";
  EXPECT_THAT(selected({"last:99"}), ElementsAre(ids_[0], ids_[1], ids_[2], ids_[3]));
  EXPECT_THAT(selected({ids_[4]}), ElementsAre(ids_[4])) << "an id names an archived run too";
  EXPECT_EQ(found("last"), ids_[3]);
}

TEST_F(RunSelectionTest, NamesOfEveryKind) {
  EXPECT_THAT(selected({"mean"}), ElementsAre(ids_[0], ids_[1], ids_[2])) << "a variant";
  EXPECT_THAT(selected({"ADASUM"}), ElementsAre(ids_[3]));
  EXPECT_THAT(selected({"small"}), ElementsAre(ids_[0], ids_[1], ids_[2], ids_[3])) << "an experiment";
  EXPECT_THAT(selected({"small adasum"}), ElementsAre(ids_[3])) << "a run";
  EXPECT_THAT(selected({"small adasum / adasum"}), ElementsAre(ids_[3]));
  EXPECT_THAT(selected({"paper"}), ElementsAre(ids_[1])) << "a tag";
  EXPECT_THAT(selected({"the good one"}), ElementsAre(ids_[1])) << "a title";
}

TEST_F(RunSelectionTest, FiltersAndUnions) {
  EXPECT_THAT(selected({"variant:mean seed>1"}), ElementsAre(ids_[1], ids_[2]));
  EXPECT_THAT(selected({"is:archived"}), ElementsAre(ids_[4]));
  EXPECT_THAT(selected({"adasum", "small"}), ElementsAre(ids_[3], ids_[0], ids_[1], ids_[2])) << "each once";
  EXPECT_THAT(selected({"mean"}, "accuracy>91.5%"), ElementsAre(ids_[1], ids_[2]));
  EXPECT_THAT(selected({}, "ranks>2"), ElementsAre(ids_[3]));
  EXPECT_EQ(findHeads(*store_, {}, "", RunScope::all)->size(), 5U);
  EXPECT_EQ(findHeads(*store_, {}, "")->size(), 4U);
}

TEST_F(RunSelectionTest, AListMayBeEmptyButAnUnknownNameIsAMistake) {
  EXPECT_THAT(*findHeads(*store_, {}, "seed:77"), IsEmpty());
  EXPECT_THAT(*findHeads(*store_, {"seed:77"}, ""), IsEmpty()) << "the same filter as a word";
  EXPECT_EQ(findHeads(*store_, {"seed:77", "adasum"}, "")->size(), 1U);
  EXPECT_FALSE(findHeads(*store_, {"nobody"}, ""));
  EXPECT_THAT(selected({"seed:77", "adasum"})[0], HasSubstr("no run matches (found seed:77)"))
      << "whoever works on the runs hears of it";
  EXPECT_THAT(found("seed:77"), HasSubstr("no run matches (found seed:77)"));
}

TEST_F(RunSelectionTest, ArchivedRunsHaveAScopeOfTheirOwn) {
  EXPECT_THAT(selected({"old"}, "", RunScope::archived), ElementsAre(ids_[4]));
  EXPECT_THAT(selected({"last"}, "", RunScope::archived), ElementsAre(ids_[4]));
  EXPECT_THAT(selected({"paper"}, "", RunScope::archived), ElementsAre(ids_[4]));
  EXPECT_THAT(selected({"seed:1"}, "", RunScope::archived), ElementsAre(ids_[4]));
  EXPECT_THAT(selected({"last"}, "", RunScope::all), ElementsAre(ids_[4]));
  EXPECT_THAT(selected({"paper"}, "", RunScope::all), ElementsAre(ids_[1], ids_[4]));
  EXPECT_THAT(selected({"mean"}, "", RunScope::archived)[0], HasSubstr("is not archived"));
  EXPECT_THAT(selected({"olf"}, "", RunScope::archived)[0], HasSubstr("did you mean old?"));
  EXPECT_THAT(found("old"),
              HasSubstr("the runs of this name are archived (found old); name one by its id, which "
                        "slipstream runs --archived tells, or list them again: slipstream unarchive old"));
}

TEST_F(RunSelectionTest, WhereAllAreArchivedARemedyFindsThem) {
  for (const std::string& id : ids_) store_->setLabel(id, {"", "", {}, false, true});
  EXPECT_THAT(found("last"), HasSubstr("all runs are archived (found last); name one by its id, which slipstream runs "
                                       "--archived tells, or list them again: slipstream unarchive last"));
  EXPECT_THAT(found("mean"), HasSubstr("slipstream unarchive mean"));
  EXPECT_THAT(found("small adasum"), HasSubstr("slipstream unarchive 'small adasum'"));
  for (const std::string& id : ids_) store_->setLabel(id, {});
  EXPECT_THAT(selected({"last"}, "", RunScope::archived)[0], HasSubstr("no run is archived (found last)"));
  EXPECT_THAT(selected({"last:2"}, "", RunScope::archived)[0], HasSubstr("no run is archived (found last:2)"));
  EXPECT_THAT(selected({"mean"}, "", RunScope::archived)[0], HasSubstr("nothing to do: slipstream runs lists it"));
}

TEST_F(RunSelectionTest, WhereNothingMatchesTheRemedyListsTheSameScope) {
  EXPECT_THAT(selected({"seed:77"})[0], HasSubstr("no run matches (found seed:77); see slipstream runs, which"));
  EXPECT_THAT(selected({"seed:77"}, "", RunScope::archived)[0],
              HasSubstr("no archived run matches (found seed:77); see slipstream runs --archived, which"));
}

TEST_F(RunSelectionTest, AFilterThatAsksForArchivedRunsWidensTheScopeOfNames) {
  EXPECT_THAT(selected({"old"}, "is:archived"), ElementsAre(ids_[4]));
  EXPECT_THAT(selected({"paper"}, "is:archived"), ElementsAre(ids_[4]));
  EXPECT_THAT(selected({"paper"}, "-is:archived"), ElementsAre(ids_[1]));
  EXPECT_THAT(*findHeads(*store_, {"mean"}, "is:archived"), IsEmpty());
}

TEST_F(RunSelectionTest, AMetricThatNoRunHasIsAMistake) {
  const auto problem = [&](const std::vector<std::string>& words, const std::string& filter) {
    const auto heads = findHeads(*store_, words, filter);
    return heads ? "" : toText(heads.error());
  };
  EXPECT_THAT(problem({"cosine>0"}, ""), HasSubstr("names many metrics"));
  EXPECT_THAT(problem({"acuracy>0.5"}, ""), HasSubstr("no run has such a metric (found acuracy); did you mean accu"));
  EXPECT_THAT(problem({}, "-acuracy>0.5"), HasSubstr("did you mean accuracy?")) << "it would hold for all runs";
  EXPECT_THAT(problem({"sed>1"}, ""), HasSubstr("did you mean seed?"));
  EXPECT_THAT(problem({}, "quite_unknown>1"), HasSubstr("slipstream show RUN"));
  EXPECT_EQ(problem({}, "skipped_samples>0"), "") << "one that runs have only now and then";
}

TEST(RunSelection, NamesThatWouldSelectSomethingElse) {
  for (const char* word : {"last", "last:2", "last:x", "0123abcd", "tag:x", "a=b", "seed>2"}) {
    EXPECT_TRUE(readsAsSelection(word)) << word;
  }
  for (const char* word : {"paper", "lasting", "0123abc", "0123abcde", "0123ABCD", "two words"}) {
    EXPECT_FALSE(readsAsSelection(word)) << word;
  }
}

TEST_F(RunSelectionTest, WhatCannotBeMeantIsSaid) {
  EXPECT_THAT(found("mean"), HasSubstr("names 3 runs, and one is wanted: " + ids_[2]));
  EXPECT_THAT(found("adasun"), HasSubstr("did you mean adasum?"));
  EXPECT_THAT(found("nobody_at_all"), HasSubstr("slipstream runs, which lists them"));
  EXPECT_THAT(selected({"state:faild"})[0], HasSubstr("did you mean failed?"));
  EXPECT_THAT(selected({"seed>9"})[0], HasSubstr("no run matches (found seed>9)"));
  EXPECT_THAT(selected({"last:x"})[0], HasSubstr("write last:3"));
  EXPECT_THAT(selected({"last:0"})[0], HasSubstr("write last:3"));
  EXPECT_THAT(selected({ids_[0], ids_[0]})[0], HasSubstr("named already"));
  EXPECT_THAT(selected({"", "nobody"})[0], HasSubstr("nobody")) << "every mistake is told";
  EXPECT_THAT(selected({}, "seed:77")[0], HasSubstr("--filter: no run matches"));
}

TEST_F(RunSelectionTest, AnIdIsStrongerThanABeginning) {
  NewRun named = test::sampleRun(ids_[0].substr(0, 3));
  const std::string id = store_->createRun(named);
  EXPECT_EQ(found(ids_[0].substr(0, 3)), id) << "a name is stronger than the beginning of an id";
  EXPECT_EQ(found(ids_[0]), ids_[0]);
}

TEST(RunSelection, AnEmptyStoreSaysSo) {
  test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  EXPECT_THAT(toText(findRun(*store, "last").error()), HasSubstr("the store holds no run"));
}

}  // namespace
}  // namespace slipstream
