// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/runs_dock.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"
#include "ui/runs/label_fields.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/run_filter.h"
#include "ui/runs/run_inspector.h"
#include "ui/runs/run_model.h"
#include "ui/runs/run_tree_view.h"
#include "ui/widgets/notice.h"
#include "ui/workspace/actions.h"

namespace slipstream::ui {
namespace {

using test::FinishedRun;
using test::SmallWorkspace;

class RunsDockTest : public testing::Test {
 protected:
  void SetUp() override {
    mean_ = test::recordRun(*small_.store, FinishedRun{"mean"});
    adasum_ = test::recordRun(*small_.store, FinishedRun{"adasum", 1, 0.98, 200, 2, true});
    small_.open();
    dock_ = std::make_unique<RunsDock>(small_.workspace, actions_, nullptr);
    dock_->show();
  }

  void choose(const std::string& run) { dock_->view().setCurrentIndex(dock_->model().indexOfRun(run)); }
  RunLabel labelOf(const std::string& run) {
    EXPECT_TRUE(small_.written());
    return small_.store->labels()[run];
  }
  RunSelection& selection() { return small_.workspace.selection(); }
  /// Eighty runs of one group, of which the list shows a dozen.
  std::vector<std::string> manyRuns() {
    small_.store->begin();
    NewRun asked = test::sampleRun();
    std::vector<std::string> runs;
    for (int i = 0; i < 80; ++i) {
      asked.variant = std::to_string(i);
      runs.push_back(small_.store->createRun(asked));
    }
    small_.store->commit();
    EXPECT_TRUE(small_.settled());
    dock_->resize(300, 400);
    return runs;
  }

  SmallWorkspace small_;
  QObject parent_;
  Actions actions_{&parent_};
  std::string mean_, adasum_;
  std::unique_ptr<RunsDock> dock_;
};

TEST_F(RunsDockTest, TheNewestLaunchIsShownAtFirst) {
  EXPECT_EQ(selection().current(), adasum_);
}

TEST_F(RunsDockTest, WhatIsChosenIsWhatPagesShow) {
  choose(mean_);
  EXPECT_EQ(selection().current(), mean_);
  EXPECT_EQ(selection().shown(), std::vector<std::string>{mean_});
  dock_->view().selectionModel()->select(dock_->model().indexOfRun(adasum_), QItemSelectionModel::Select);
  EXPECT_EQ(selection().shown(), (std::vector<std::string>{adasum_, mean_}));
  EXPECT_EQ(selection().current(), mean_);
  selection().setCurrent(adasum_);
  EXPECT_EQ(dock_->view().selectionModel()->selectedIndexes(), QModelIndexList{dock_->model().indexOfRun(adasum_)});
}

TEST_F(RunsDockTest, AVariantIsChosenByItsRowAndOpenedByItsArrow) {
  dock_->setGrouping(RunGrouping::seeds);
  std::vector<std::string> seeds;
  for (std::uint64_t seed = 2; seed <= 14; ++seed) {
    seeds.push_back(test::recordRun(*small_.store, FinishedRun{"mean", seed}));
  }
  ASSERT_TRUE(small_.settled());
  RunTreeView& view = dock_->view();
  const auto variant = [&] { return dock_->model().indexOfRun(seeds.front()).parent(); };
  ASSERT_EQ(dock_->model().kindOf(variant()), RunTreeEntry::Kind::variant);
  EXPECT_FALSE(view.isExpanded(variant())) << "a long list";
  selection().setShown({seeds[3]}, seeds[3]);
  EXPECT_TRUE(view.isExpanded(variant())) << "one of its seeds is to be seen";
  EXPECT_EQ(view.selectionModel()->selectedIndexes(), QModelIndexList{dock_->model().indexOfRun(seeds[3])});
  view.collapse(variant());
  const auto click = [&](int x) {
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {x, view.visualRect(variant()).center().y()});
  };
  click(100);
  EXPECT_EQ(selection().shown().size(), seeds.size() + 1);
  EXPECT_FALSE(view.isExpanded(variant()));
  const std::vector<std::string> chosen = selection().shown();
  selection().setShown({adasum_}, adasum_);
  click(10);
  EXPECT_TRUE(view.isExpanded(variant()));
  EXPECT_EQ(selection().shown(), std::vector<std::string>{adasum_}) << "the arrow chooses nothing";
  click(10);
  EXPECT_FALSE(view.isExpanded(variant()));
  selection().setShown(chosen, chosen.front());
  EXPECT_TRUE(view.selectionModel()->isSelected(variant())) << "all of it at once";
  EXPECT_EQ(view.selectionModel()->selectedIndexes().size(), 1 + static_cast<qsizetype>(chosen.size()));
  EXPECT_FALSE(view.isExpanded(variant()));
}

/// A variant with three seeds, below it adasum_.
class RunsDockOfSeeds : public RunsDockTest {
 protected:
  void SetUp() override {
    RunsDockTest::SetUp();
    dock_->setGrouping(RunGrouping::seeds);
    for (const std::uint64_t seed : {2U, 3U}) add(seed);
    dock_->view().setExpanded(variant(), true);
  }
  void add(std::uint64_t seed) {
    test::recordRun(*small_.store, FinishedRun{"mean", seed});
    ASSERT_TRUE(small_.settled());
  }
  QModelIndex variant() const { return dock_->model().indexOfRun(mean_).parent(); }
  bool isSelected(const QModelIndex& index) const { return dock_->view().selectionModel()->isSelected(index); }
  void click(const QModelIndex& index, Qt::KeyboardModifiers keys = {}, int x = 100) {
    QTest::mouseClick(dock_->view().viewport(), Qt::LeftButton, keys,
                      {x, dock_->view().visualRect(index).center().y()});
  }
};

TEST_F(RunsDockOfSeeds, ASeedIsTakenOutOfItsVariantAndTheVariantAsAWhole) {
  click(variant());
  ASSERT_EQ(selection().shown().size(), 3U);
  click(dock_->model().indexOfRun(mean_), Qt::ControlModifier);
  EXPECT_EQ(selection().shown().size(), 2U);
  EXPECT_FALSE(isSelected(variant()));
  click(dock_->model().indexOfRun(mean_), Qt::ControlModifier);
  EXPECT_TRUE(isSelected(variant())) << "all its seeds are chosen again";
  click(dock_->model().indexOfRun(adasum_), Qt::ControlModifier);
  EXPECT_EQ(selection().shown().size(), 4U);
  click(variant(), Qt::ControlModifier);
  EXPECT_EQ(selection().shown(), std::vector<std::string>{adasum_});
  click(variant());
  click(dock_->model().indexOfRun(mean_));
  EXPECT_EQ(selection().shown(), std::vector<std::string>{mean_}) << "a click chooses that run alone";
}

TEST_F(RunsDockOfSeeds, AVariantThatWasClosedStaysSoWhenASeedArrives) {
  click(variant(), {}, 10);
  ASSERT_FALSE(dock_->view().isExpanded(variant()));
  click(variant());
  ASSERT_EQ(selection().shown().size(), 3U);
  add(4);
  EXPECT_FALSE(dock_->view().isExpanded(variant()));
  EXPECT_EQ(selection().shown().size(), 3U) << "the new one was not chosen";
  EXPECT_FALSE(isSelected(variant()));
}

TEST_F(RunsDockOfSeeds, KeysGoOnFromAVariantThatIsClosedOverTheirPlace) {
  click(dock_->model().indexOfRun(mean_));
  click(variant(), {}, 10);
  EXPECT_EQ(dock_->view().currentIndex(), variant());
  QTest::keyClick(&dock_->view(), Qt::Key_Down);
  EXPECT_EQ(selection().current(), adasum_) << "the row below";
}

TEST_F(RunsDockTest, HowRunsAreGroupedIsRemembered) {
  dock_->setGrouping(RunGrouping::experiment);
  const std::string mean2 = test::recordRun(*small_.store, FinishedRun{"mean", 2});
  ASSERT_TRUE(small_.settled());
  const RunsDock next(small_.workspace, actions_, nullptr);
  EXPECT_EQ(next.model().kindOf(next.model().indexOfRun(mean2).parent()), RunTreeEntry::Kind::experiment);
  dock_->setGrouping(RunGrouping::seeds);
  EXPECT_EQ(dock_->model().kindOf(dock_->model().indexOfRun(mean2).parent()), RunTreeEntry::Kind::variant);
}

TEST_F(RunsDockTest, LabelsAreUndoable) {
  choose(mean_);
  RunActions& actions = dock_->runActions();
  actions.pin->trigger();
  ASSERT_TRUE(small_.settled());
  EXPECT_TRUE(labelOf(mean_).pinned);
  choose(adasum_);
  actions.pin->trigger();
  EXPECT_FALSE(labelOf(mean_).pinned) << "there is one baseline";
  EXPECT_TRUE(labelOf(adasum_).pinned);
  small_.workspace.labelUndo().undo();
  EXPECT_TRUE(labelOf(mean_).pinned);
  EXPECT_FALSE(labelOf(adasum_).pinned);
  ASSERT_TRUE(small_.settled());
  dock_->model().setData(dock_->model().indexOfRun(mean_), QStringLiteral("plain"), Qt::EditRole);
  EXPECT_EQ(labelOf(mean_).title, "plain");
  small_.workspace.labelUndo().undo();
  EXPECT_EQ(labelOf(mean_).title, "");
}

TEST_F(RunsDockTest, TheArchiveTakesEndedRunsAndGivesThemBack) {
  choose(mean_);
  dock_->runActions().archive->trigger();
  EXPECT_TRUE(labelOf(mean_).archived);
  ASSERT_TRUE(small_.settled());
  EXPECT_EQ(dock_->model().index(1, 0).data().toString(), QStringLiteral("Archived"));
  choose(mean_);
  EXPECT_FALSE(dock_->runActions().archive->isEnabled());
  dock_->runActions().unarchive->trigger();
  EXPECT_FALSE(labelOf(mean_).archived);
}

TEST_F(RunsDockTest, TheFilterNarrowsTheListAndTellsMistakes) {
  QLineEdit& line = *dock_->filter().line();
  line.setText(QStringLiteral("algo:adasum"));
  EXPECT_TRUE(test::eventually([&] { return dock_->model().runCount() == 1; }));
  EXPECT_TRUE(dock_->model().indexOfRun(adasum_).isValid());
  line.setText(QStringLiteral("state:nowhere"));
  const auto* mistake = dock_->filter().findChild<QLabel*>();
  EXPECT_TRUE(test::eventually([&] { return mistake->text().contains(QStringLiteral("no state")); }));
  EXPECT_EQ(dock_->model().runCount(), 1) << "a mistake leaves the list as it was";
  line.setText(QStringLiteral("acuracy>97%"));
  EXPECT_TRUE(test::eventually([&] { return mistake->text().contains(QStringLiteral("did you mean accuracy?")); }))
      << mistake->text().toStdString();
  EXPECT_EQ(dock_->model().runCount(), 1);
  line.clear();
  EXPECT_TRUE(test::eventually([&] { return dock_->model().runCount() == 2; }));
  EXPECT_TRUE(mistake->text().isEmpty());
}

TEST_F(RunsDockTest, DeletingForGoodAsksWithTheSizeFirst) {
  choose(mean_);
  dock_->runActions().remove->trigger();
  ASSERT_TRUE(test::eventually([&] { return dock_->notice().isVisible(); }));
  EXPECT_TRUE(dock_->notice().message().contains(QStringLiteral("kB"))) << dock_->notice().message().toStdString();
  EXPECT_TRUE(small_.store->find(mean_));
  for (QPushButton* button : dock_->notice().findChildren<QPushButton*>()) {
    if (button->text() == QStringLiteral("Delete permanently")) button->click();
  }
  EXPECT_TRUE(test::eventually([&] { return dock_->model().runCount() == 1; }));
  EXPECT_FALSE(small_.store->find(mean_));
}

TEST_F(RunsDockTest, ALivingRunCanBeStoppedAndNotRemoved) {
  const std::string living = small_.store->createRun(test::sampleRun());
  small_.store->setSupervisor(living, thisProcess());
  small_.store->setState(living, RunState::running, "");
  ASSERT_TRUE(small_.settled());
  choose(living);
  RunActions& actions = dock_->runActions();
  EXPECT_FALSE(actions.remove->isEnabled());
  EXPECT_FALSE(actions.archive->isEnabled());
  actions.stopAfterCheckpoint->trigger();
  ASSERT_TRUE(small_.written());
  EXPECT_EQ(small_.store->stopRequest(living), StopKind::afterCheckpoint);
}

TEST_F(RunsDockTest, ARefusedLaunchSaysWhy) {
  Q_EMIT small_.workspace.launcher().refused(QStringLiteral("train.epochs: must be positive"));
  EXPECT_TRUE(dock_->notice().isVisible());
  EXPECT_EQ(dock_->notice().message(), QStringLiteral("train.epochs: must be positive"));
}

TEST_F(RunsDockTest, RunsOfTheLaunchThatIsShownJoinIt) {
  NewRun asked = test::sampleRun();
  asked.group = "one launch";
  asked.variant = "first";
  const std::string first = small_.store->createRun(asked);
  ASSERT_TRUE(small_.settled());
  selection().setCurrent(first);
  asked.variant = "second";
  const std::string second = small_.store->createRun(asked);
  ASSERT_TRUE(small_.settled());
  EXPECT_EQ(selection().shown(), (std::vector<std::string>{first, second}));
  EXPECT_EQ(selection().current(), first);
}

TEST_F(RunsDockTest, TheInspectorEditsTagsAndShowsHowToRepeat) {
  RunInspector inspector(small_.workspace, nullptr);
  selection().setCurrent(mean_);
  inspector.editTags();
  auto* tags = inspector.findChild<QLineEdit*>();
  tags->setText(QStringLiteral("paper, keep ,paper"));
  Q_EMIT tags->editingFinished();
  EXPECT_EQ(labelOf(mean_).tags, (std::vector<std::string>{"paper", "keep"}));
  dock_->runActions().setChosen({mean_}, {});
  dock_->runActions().copyCommand->trigger();
  EXPECT_TRUE(test::eventually(
      [] { return QGuiApplication::clipboard()->text().startsWith(QStringLiteral("slipstream run")); }));
}

TEST_F(RunsDockTest, AnUndoneLabelGivesBackItsFieldAlone) {
  choose(mean_);
  dock_->runActions().archive->trigger();
  ASSERT_TRUE(small_.settled());
  RunLabel theirs = labelOf(mean_);
  theirs.note = "from another window";
  small_.store->setLabel(mean_, theirs);
  small_.workspace.labelUndo().undo();
  EXPECT_FALSE(labelOf(mean_).archived);
  EXPECT_EQ(labelOf(mean_).note, "from another window");
  small_.workspace.labelUndo().redo();
  EXPECT_TRUE(labelOf(mean_).archived);
  EXPECT_EQ(labelOf(mean_).note, "from another window");
}

TEST_F(RunsDockTest, ALabelIsWrittenOverWhatTheStoreHasNotOverWhatWasSeen) {
  editLabels(small_.workspace, {mean_}, QStringLiteral("Rename"), [&](RunLabel& label) { label.title = "mine"; });
  RunLabel theirs;
  theirs.tags = {"theirs"};
  small_.store->setLabel(adasum_, theirs);
  editLabels(small_.workspace, {adasum_}, QStringLiteral("Rename"), [](RunLabel& label) { label.title = "mine"; });
  EXPECT_EQ(labelOf(adasum_).tags, std::vector<std::string>{"theirs"});
  EXPECT_EQ(labelOf(adasum_).title, "mine");
}

TEST_F(RunsDockTest, WhatCannotBeWrittenLeavesNoStep) {
  QSignalSpy reported(&small_.workspace, &Workspace::reported);
  small_.store->begin();  // another program holds the store
  editLabels(small_.workspace, {mean_}, QStringLiteral("Rename"), [](RunLabel& label) { label.title = "mine"; });
  EXPECT_EQ(small_.workspace.labelUndo().count(), 1);
  ASSERT_TRUE(small_.written());
  small_.store->rollback();
  EXPECT_EQ(small_.workspace.labelUndo().count(), 0);
  ASSERT_EQ(reported.count(), 1);
  EXPECT_EQ(labelOf(mean_).title, "");
}

TEST_F(RunsDockTest, AnotherStoreHasNoStepsOfThisOne) {
  choose(mean_);
  dock_->runActions().archive->trigger();
  ASSERT_TRUE(small_.settled());
  ASSERT_EQ(small_.workspace.labelUndo().count(), 1);
  const test::TemporaryFolder other;
  ASSERT_TRUE(small_.workspace.store().open(other.path()));
  EXPECT_EQ(small_.workspace.labelUndo().count(), 0);
}

TEST_F(RunsDockTest, AQueuedRowStaysChosenWhileARunWrites) {
  const std::string living = small_.store->createRun(test::sampleRun());
  small_.store->setSupervisor(living, thisProcess());
  small_.store->setState(living, RunState::running, "");
  ASSERT_TRUE(small_.settled());
  Launcher& launcher = small_.workspace.launcher();
  launcher.runInTurn(QStringLiteral("later"), "{}", "/later.json");
  ASSERT_TRUE(test::eventually([&] { return launcher.queue().size() == 1; }));
  const int number = launcher.queue()[0].number;
  dock_->view().setCurrentIndex(dock_->model().indexOfQueued(number));
  EXPECT_TRUE(dock_->runActions().unqueue->isEnabled());
  small_.store->startAttempt(living, 0);
  small_.store->setState(living, RunState::stopping, "");
  ASSERT_TRUE(small_.settled());
  EXPECT_EQ(dock_->view().selectionModel()->selectedIndexes(), QModelIndexList{dock_->model().indexOfQueued(number)});
  EXPECT_TRUE(dock_->runActions().unqueue->isEnabled());
  dock_->runActions().unqueue->trigger();
  EXPECT_TRUE(launcher.queue().empty());
}

TEST_F(RunsDockTest, TheHeadOfAGroupStaysInSight) {
  const std::vector<std::string> runs = manyRuns();
  RunTreeView& view = dock_->view();
  const auto head = [&] { return view.pinnedHeader(); };
  view.scrollToTop();
  EXPECT_FALSE(head().isValid()) << "it is in sight by itself";
  const QModelIndex group = dock_->model().indexOfRun(runs.front()).parent();
  const QModelIndex last = dock_->model().index(79, 0, group);
  view.scrollTo(last);
  ASSERT_TRUE(head().isValid());
  EXPECT_EQ(head(), group);
  EXPECT_EQ(view.indexAt({40, 5}), head());
  EXPECT_EQ(view.indexAt(view.visualRect(last).center()), last);
  for (const std::string& run : {runs[40], runs[20], runs[60]}) {
    const QModelIndex row = dock_->model().indexOfRun(run);
    view.setCurrentIndex(row);
    EXPECT_EQ(view.indexAt(view.visualRect(row).center()), row) << "it is not behind the head";
  }
  // A selection that grows by keys is of these rows alone, also while one of them is behind the header.
  view.setCurrentIndex(dock_->model().index(30, 0, group));
  for (int presses = 1; presses <= 25; ++presses) {
    QTest::keyClick(&view, Qt::Key_Down, Qt::ShiftModifier);
    ASSERT_EQ(view.selectionModel()->selectedIndexes().size(), presses + 1);
  }
  ASSERT_EQ(head(), group);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, {40, 5});
  EXPECT_FALSE(view.isExpanded(group));
  EXPECT_TRUE(view.viewport()->rect().contains(view.visualRect(group)));
}

TEST_F(RunsDockTest, ARangeMayEndBelowWhatIsInSight) {
  const std::vector<std::string> runs = manyRuns();
  RunTreeView& view = dock_->view();
  const QModelIndex group = dock_->model().indexOfRun(runs.front()).parent();
  const auto row = [&](int at) { return dock_->model().index(at, 0, group); };
  const auto click = [&](int at, Qt::KeyboardModifiers keys) {
    QTest::mouseClick(view.viewport(), Qt::LeftButton, keys, view.visualRect(row(at)).center());
  };
  for (const int at : {20, 33, 46, 60}) {
    view.scrollTo(row(at));
    EXPECT_LT(view.visualRect(row(at)).bottom(), view.viewport()->height()) << "whole, row " << at;
    EXPECT_EQ(view.indexAt(view.visualRect(row(at)).center()), row(at));
  }
  click(60, Qt::NoModifier);
  view.scrollToTop();
  click(5, Qt::ShiftModifier);
  EXPECT_EQ(view.selectionModel()->selectedIndexes().size(), 56);
  EXPECT_FALSE(view.selectionModel()->isSelected(row(61)));
}

TEST_F(RunsDockTest, ADeselectedRunLeavesTheListWhereItIs) {
  const std::vector<std::string> runs = manyRuns();
  RunTreeView& view = dock_->view();
  const QModelIndex group = dock_->model().indexOfRun(runs.front()).parent();
  const QModelIndex first = dock_->model().index(0, 0, group), far = dock_->model().index(60, 0, group);
  view.scrollToTop();
  QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::NoModifier, view.visualRect(first).center());
  view.scrollTo(far);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ControlModifier, view.visualRect(far).center());
  const int scrolled = view.verticalScrollBar()->value();
  ASSERT_GT(scrolled, 0);
  QTest::mouseClick(view.viewport(), Qt::LeftButton, Qt::ControlModifier, view.visualRect(far).center());
  EXPECT_FALSE(view.selectionModel()->isSelected(far));
  EXPECT_EQ(view.verticalScrollBar()->value(), scrolled);
}

TEST_F(RunsDockTest, ClosingAllGroupsLeavesTheListWhereItIs) {
  small_.store->begin();
  NewRun asked = test::sampleRun();
  for (int i = 0; i < 40; ++i) {
    asked.group = "launch " + std::to_string(i);
    asked.experimentName = "experiment " + std::to_string(i);
    small_.store->createRun(asked);
  }
  small_.store->commit();
  ASSERT_TRUE(small_.settled());
  dock_->resize(300, 400);
  RunTreeView& view = dock_->view();
  view.scrollToTop();
  view.collapseAll();
  EXPECT_EQ(view.indexAt({40, 5}), dock_->model().index(0, 0));
}

TEST_F(RunsDockTest, ActionsAreAboutAllThatIsChosenAlsoBeyondWhatAChartHolds) {
  small_.store->begin();
  NewRun asked = test::sampleRun();
  for (int i = 0; i < 80; ++i) {
    asked.variant = std::to_string(i);
    const std::string run = small_.store->createRun(asked);
    small_.store->setState(run, RunState::done, "");
  }
  small_.store->commit();
  ASSERT_TRUE(small_.settled());
  dock_->view().expandAll();
  dock_->view().selectAll();
  EXPECT_EQ(selection().shown().size(), 60U) << "as many as there are pens";
  small_.store->setLabel(mean_, {"renamed by somebody", "", {}});
  ASSERT_TRUE(small_.settled());
  dock_->runActions().archive->trigger();
  ASSERT_TRUE(small_.settled());
  const auto labels = small_.store->labels();
  EXPECT_EQ(std::count_if(labels.begin(), labels.end(), [](const auto& entry) { return entry.second.archived; }), 82);
}

TEST_F(RunsDockTest, ANoteThatIsBeingTypedStaysUntilItIsLeft) {
  RunInspector inspector(small_.workspace, nullptr);
  selection().setCurrent(mean_);
  inspector.show();
  QPlainTextEdit* note = nullptr;
  for (auto* field : inspector.findChildren<QPlainTextEdit*>()) {
    if (!field->isReadOnly()) note = field;
  }
  ASSERT_NE(note, nullptr);
  note->setPlainText(QStringLiteral("half a sent"));
  small_.store->setLabel(adasum_, {"", "something else", {}});
  ASSERT_TRUE(small_.settled());
  EXPECT_EQ(note->toPlainText(), QStringLiteral("half a sent"));
  EXPECT_EQ(labelOf(mean_).note, "");
  note->setPlainText(QStringLiteral("half a sentence"));
  selection().setCurrent(adasum_);
  EXPECT_EQ(note->toPlainText(), QStringLiteral("something else"));
  EXPECT_EQ(labelOf(mean_).note, "half a sentence");
  EXPECT_EQ(small_.workspace.labelUndo().count(), 1) << "one step";
  note->setPlainText(QStringLiteral("kept at closing"));
  inspector.close();
  EXPECT_EQ(labelOf(adasum_).note, "kept at closing");
}

TEST(RunFilter, ManyRunsAreAskedForInPieces) {
  test::SmallWorkspace small;
  small.store->begin();
  for (int i = 0; i < 500; ++i) small.store->createRun(test::sampleRun());
  small.store->commit();
  small.open();
  RunFilter filter(small.workspace, nullptr);
  QSignalSpy changed(&filter, &RunFilter::changed);
  filter.line()->setText(QStringLiteral("seed:7"));
  const auto shown = [&] {
    const auto snapshot = small.workspace.store().snapshot();
    return std::count_if(snapshot->runs.begin(), snapshot->runs.end(),
                         [&](const RunRow& row) { return filter.isActive() && filter.shows(row); });
  };
  EXPECT_TRUE(test::eventually([&] { return shown() == 500; }));
  EXPECT_GE(changed.count(), 3) << "one job kept the reader from everything else";
}

}  // namespace
}  // namespace slipstream::ui
