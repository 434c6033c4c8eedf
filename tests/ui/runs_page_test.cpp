// SPDX-License-Identifier: GPL-3.0-or-later
// The page of runs used as a person uses it, in both languages.
#include "ui/runs/runs_page.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "tests/ui/user_input.h"
#include "ui/runs/bulk_bar.h"
#include "ui/runs/filter_line.h"
#include "ui/runs/parallel_view.h"
#include "ui/runs/run_table_source.h"
#include "ui/runs/run_table_view.h"
#include "ui/runs/table_choices.h"
#include "ui/store/job_thread.h"
#include "ui/widgets/notice.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

using test::FinishedRun;

class RunsPageTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    Settings::forgetLayouts();
    useLanguage(QString::fromLatin1(GetParam()));
    mean_ = test::recordRun(*small_.store, FinishedRun{"mean", 1, 0.85, 200, 2, false});
    adasum_ = test::recordRun(*small_.store, FinishedRun{"adasum", 2, 0.98, 100, 4, true});
    failed_ = test::recordRun(*small_.store, FinishedRun{"adasum", 3, 0.93, 100, 4, true});
    small_.store->setState(failed_, RunState::failed, "rank 1 was killed by signal 9");
    small_.open();
    page_ = std::make_unique<RunsPage>(small_.workspace, nullptr);
    page_->resize(1000, 600);
    page_->show();
    page_->setGroup(std::nullopt);
    ASSERT_TRUE(shows({failed_, adasum_, mean_}));
    ASSERT_TRUE(test::eventually([this] { return page_->source().table()->unread == 0; }));
  }
  void TearDown() override {
    page_.reset();
    useLanguage({});
    Settings::forgetLayouts();
  }

  std::vector<std::string> order() const {
    std::vector<std::string> runs;
    for (int row = 0; row < page_->model().rowCount(); ++row) {
      if (!page_->model().isGroup(row)) runs.push_back(page_->model().at(row).run->run.id);
    }
    return runs;
  }
  bool shows(const std::vector<std::string>& runs) {
    return test::eventually([&] { return order() == runs; });
  }
  void clickHead(const char* key, Qt::KeyboardModifiers modifiers = {}) {
    QHeaderView& head = *page_->view().horizontalHeader();
    for (int section = 0; section < head.count(); ++section) {
      if (page_->model().columnOf(section) != *findRunColumn(key)) continue;
      const QPoint middle(head.sectionViewportPosition(section) + head.sectionSize(section) / 2, head.height() / 2);
      return QTest::mouseClick(head.viewport(), Qt::LeftButton, modifiers, middle);
    }
    ADD_FAILURE() << key << " is not shown";
  }
  QRect cell(const std::string& run, int column) {
    return page_->view().visualRect(page_->model().index(page_->model().rowOf(run), column));
  }
  RunLabel labelOf(const std::string& run) {
    EXPECT_TRUE(small_.written());
    return small_.store->labels()[run];
  }
  /// The buttons of the bar, in their order: tag, pin, compare, report, archive, delete.
  QPushButton* bulk(int place) { return page_->bulk().findChildren<QPushButton*>()[place]; }

  test::SmallWorkspace small_;
  std::string mean_, adasum_, failed_;
  std::unique_ptr<RunsPage> page_;
};

TEST_P(RunsPageTest, HeadsSortAndShiftAddsASecondColumn) {
  clickHead("accuracy");
  EXPECT_TRUE(shows({adasum_, failed_, mean_})) << "the best first";
  clickHead("accuracy");
  EXPECT_TRUE(shows({mean_, failed_, adasum_}));
  clickHead("ranks");
  clickHead("accuracy", Qt::ShiftModifier);
  EXPECT_TRUE(shows({adasum_, failed_, mean_}));
  EXPECT_EQ(page_->view().sort().size(), 2u);
  diskThread().finish();
  EXPECT_TRUE(TableLayout::saved().sort == page_->view().sort()) << "the next window has it too";
}

/// Whoever sorts wants to see the runs in another order, and has chosen none.
TEST_P(RunsPageTest, AHeadAndTheFocusChooseNoRun) {
  RunSelection& selection = small_.workspace.selection();
  page_->view().setCurrentIndex({});
  selection.setShown({mean_, adasum_}, mean_);
  page_->view().clearFocus();
  clickHead("accuracy");
  page_->view().setFocus(Qt::MouseFocusReason);
  ASSERT_TRUE(shows({adasum_, failed_, mean_}));
  EXPECT_EQ(selection.shown(), (std::vector<std::string>{mean_, adasum_}));
  EXPECT_EQ(selection.current(), mean_);
}

/// A menu as tall as the screen opens under the pointer.
TEST_P(RunsPageTest, TheClickThatOpensTheColumnsChoosesNone) {
  auto* columns = page_->findChild<ColumnChoice*>();
  ASSERT_NE(columns, nullptr);
  QMenu* menu = columns->menu();
  const auto before = page_->model().columns();
  menu->popup(page_->mapToGlobal(QPoint(10, 10)));
  const QList<QAction*> entries = menu->actions();
  const auto checkable = std::ranges::find_if(entries, &QAction::isCheckable);
  ASSERT_NE(checkable, entries.end());
  const QPoint place = menu->actionGeometry(*checkable).center();
  QTest::mouseRelease(menu, Qt::LeftButton, {}, place);
  EXPECT_EQ(page_->model().columns(), before);
  QTest::mouseClick(menu, Qt::LeftButton, {}, place);
  EXPECT_NE(page_->model().columns(), before);
  menu->close();
}

/// Beside the table, the buttons of the window mean what is ticked in it.
TEST_P(RunsPageTest, TheWindowsCompareTakesWhatIsTicked) {
  MainWindow window(small_.workspace);
  window.resize(1280, 800);
  window.show();
  window.showPage(PageId::runs);
  auto* runs = static_cast<RunsPage*>(window.page(PageId::runs));
  ASSERT_TRUE(test::eventually([runs] { return runs->model().rowCount() >= 3; }));
  small_.workspace.selection().setShown({failed_}, failed_);
  runs->model().setTicked({mean_, adasum_});
  window.actions().compare->trigger();
  std::vector<std::string> shown = small_.workspace.selection().shown();
  std::ranges::sort(shown);
  std::vector<std::string> ticked{mean_, adasum_};
  std::ranges::sort(ticked);
  EXPECT_EQ(shown, ticked);
}

TEST_P(RunsPageTest, TheFilterIsThatOfTheCommandLineAndNamesMistakes) {
  test::typeInto(&page_->filter(), QStringLiteral("accuracy>90% ranks:4"));
  EXPECT_TRUE(shows({failed_, adasum_}));
  test::typeInto(&page_->filter(), QStringLiteral("training_seconds>1.5s"));
  EXPECT_TRUE(shows({mean_}));
  test::typeInto(&page_->filter(), QStringLiteral("accuracy>0"));
  EXPECT_TRUE(shows({failed_, adasum_, mean_}));
  test::typeInto(&page_->filter(), QStringLiteral("time>1.5"));
  EXPECT_TRUE(shows({mean_})) << "the word that a newcomer tries first";
  test::typeInto(&page_->filter(), QStringLiteral("bogus:7"));
  ASSERT_TRUE(test::eventually([this] { return page_->filter().mistake().contains(QStringLiteral("bogus")); }));
  EXPECT_EQ(order(), std::vector<std::string>{mean_}) << "a mistake filters nothing";
  test::typeInto(&page_->filter(), QStringLiteral("bogus:seven"));
  ASSERT_TRUE(test::eventually([this] { return page_->filter().mistake().contains(QStringLiteral("no key")); }));
  test::typeInto(&page_->filter(), QStringLiteral("state:failed"));
  EXPECT_TRUE(shows({failed_}));
  EXPECT_TRUE(page_->filter().mistake().isEmpty());
}

/// What it left is seen to be so; the columns that were chosen stay the chosen ones.
TEST_P(RunsPageTest, AFilterShowsTheColumnThatItBounds) {
  const auto shows = [this](const char* key) {
    return std::ranges::count(page_->model().columns(), *findRunColumn(key)) == 1;
  };
  page_->setColumns({*findRunColumn("network"), *findRunColumn("seed")});
  test::typeInto(&page_->filter(), QStringLiteral("accuracy>0 seed>0"));
  ASSERT_TRUE(test::eventually([&] { return shows("accuracy"); }));
  EXPECT_EQ(page_->model().columnCount(), 4);
  page_->view().horizontalHeader()->moveSection(1, 2);
  EXPECT_TRUE(test::eventually([&] { return page_->model().columns().front() == *findRunColumn("seed"); }));
  EXPECT_TRUE(shows("accuracy"));
  diskThread().finish();
  EXPECT_EQ(TableLayout::saved().columns, (std::vector{*findRunColumn("seed"), *findRunColumn("network")}));
  test::typeInto(&page_->filter(), QString());
  EXPECT_TRUE(test::eventually([&] { return !shows("accuracy"); }));
}

TEST_P(RunsPageTest, AMistakeStaysAsLongAsItsText) {
  test::typeInto(&page_->filter(), QStringLiteral("ranks:four"));
  ASSERT_TRUE(test::eventually([this] { return !page_->filter().mistake().isEmpty(); }));
  QSignalSpy arranged(&page_->source(), &RunTableSource::arranged);
  test::recordRun(*small_.store, FinishedRun{"late", 9, 0.9, 100, 4, false});
  ASSERT_TRUE(small_.settled());
  ASSERT_TRUE(test::eventually([&] { return arranged.count() > 0; }));
  EXPECT_FALSE(page_->filter().mistake().isEmpty()) << "what the store says is about the filter before";
}

TEST_P(RunsPageTest, LinesComeBackAfterAFilterThatLeftNone) {
  page_->showParallel(true);
  test::typeInto(&page_->filter(), QStringLiteral("ranks:77"));
  EXPECT_TRUE(shows({}));
  test::typeInto(&page_->filter(), QString());
  EXPECT_TRUE(shows({failed_, adasum_, mean_}));
  EXPECT_TRUE(page_->parallel().isVisible());
  EXPECT_EQ(page_->parallel().drawnRuns(), 3u);
}

TEST_P(RunsPageTest, KeysStayOnAGroupWhateverTheStoreSays) {
  page_->setGroup(findRunColumn("algorithms"));
  ASSERT_TRUE(test::eventually([this] { return page_->model().rowCount() == 5; }));
  small_.workspace.selection().setCurrent(adasum_);
  page_->view().setFocus();
  page_->view().setCurrentIndex(page_->model().index(0, 0));
  ASSERT_TRUE(page_->view().isAtGroup());
  QSignalSpy arranged(&page_->source(), &RunTableSource::arranged);
  test::recordRun(*small_.store, FinishedRun{"late", 9, 0.9, 100, 4, false});
  ASSERT_TRUE(small_.settled());
  ASSERT_TRUE(test::eventually([&] { return arranged.count() > 0; }));
  EXPECT_TRUE(page_->view().isAtGroup());
}

TEST_P(RunsPageTest, KeysSortByOneColumn) {
  clickHead("ranks");
  ASSERT_EQ(page_->view().sort().size(), 1u);
  page_->view().setFocus();
  page_->view().setCurrentIndex(page_->model().index(0, 0));
  page_->activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(page_.get()));
  QTest::keyClick(&page_->view(), Qt::Key_U, Qt::ControlModifier | Qt::ShiftModifier);
  ASSERT_EQ(page_->view().sort().size(), 1u) << "Shift of the keys adds no second column";
  EXPECT_EQ(page_->view().sort().front().column, *findRunColumn("name"));
}

TEST_P(RunsPageTest, RunsOfAStoreThatIsGoneAreNotListed) {
  std::filesystem::remove_all(small_.folder.path());
  small_.workspace.store().poll();
  EXPECT_TRUE(shows({}));
  EXPECT_EQ(page_->model().rowCount(), 0);
}

TEST_P(RunsPageTest, TagsThatNobodyCouldTypeAgainAreRefused) {
  page_->model().setTicked({adasum_});
  QLineEdit* tags = page_->bulk().tagLine();
  tags->setText(QStringLiteral("paper, 12345678"));
  Q_EMIT tags->returnPressed();
  EXPECT_TRUE(labelOf(adasum_).tags.empty());
  EXPECT_TRUE(page_->findChild<Notice*>()->isVisible());
}

TEST_P(RunsPageTest, TabCompletesAndBackspaceTakesAConditionBack) {
  FilterLine& line = page_->filter();
  line.setFocus();
  test::typeInto(&line, QStringLiteral("net"));
  ASSERT_FALSE(line.proposals().empty());
  EXPECT_EQ(line.proposals().front().line, QStringLiteral("network"));
  QTest::keyClick(QApplication::activePopupWidget() != nullptr ? QApplication::activePopupWidget() : &line,
                  Qt::Key_Tab);
  EXPECT_EQ(line.text(), QStringLiteral("network"));
  test::typeInto(&line, QStringLiteral("seed:2 network:lenet5 "));
  QTest::keyClick(&line, Qt::Key_Backspace);
  EXPECT_EQ(line.text(), QStringLiteral("seed:2 "));
}

TEST_P(RunsPageTest, ArrowsChooseTheRunAndSpaceTicksIt) {
  page_->view().setFocus();
  QTest::mouseClick(page_->view().viewport(), Qt::LeftButton, {}, cell(failed_, 2).center());
  EXPECT_EQ(small_.workspace.selection().current(), failed_);
  QTest::keyClick(&page_->view(), Qt::Key_Down);
  EXPECT_EQ(small_.workspace.selection().current(), adasum_);
  EXPECT_TRUE(page_->model().ticked().empty()) << "a tick and the run at hand are two things";
  EXPECT_FALSE(page_->bulk().isVisible());
  QTest::keyClick(&page_->view(), Qt::Key_Space);
  EXPECT_EQ(page_->model().ticked(), std::set<std::string>{adasum_});
  EXPECT_TRUE(page_->bulk().isVisible());
  QTest::mouseClick(page_->view().viewport(), Qt::LeftButton, {}, cell(mean_, 0).topLeft() + QPoint(12, 12));
  EXPECT_EQ(page_->model().ticked(), (std::set<std::string>{adasum_, mean_}));
  EXPECT_EQ(small_.workspace.selection().current(), adasum_) << "a tick chooses nothing";
  QSignalSpy wanted(&small_.workspace, &Workspace::pageWanted);
  QTest::keyClick(&page_->view(), Qt::Key_Return);
  ASSERT_EQ(wanted.count(), 1);
  EXPECT_EQ(wanted[0][0].value<PageId>(), PageId::charts);
}

TEST_P(RunsPageTest, ARowThatTheEdgeCutsIsNotThere) {
  const int last = page_->model().rowCount() - 1;
  const QModelIndex row = page_->model().index(last, 0);
  const QPoint inRow = page_->view().visualRect(row).topLeft() + QPoint(40, 2);
  EXPECT_EQ(page_->view().indexAt(inRow), row);
  const int chrome = page_->view().height() - page_->view().viewport()->height();
  page_->view().setFixedHeight(chrome + page_->view().visualRect(row).top() + 10);
  EXPECT_FALSE(page_->view().indexAt(page_->view().visualRect(row).topLeft() + QPoint(40, 2)).isValid());
}

TEST_P(RunsPageTest, WhatIsDoneToManyIsOneUndoStep) {
  page_->model().setTicked({adasum_, failed_});
  EXPECT_FALSE(bulk(1)->isEnabled()) << "one run alone is the baseline";
  EXPECT_FALSE(bulk(1)->toolTip().isEmpty()) << "which is said";
  page_->model().setTicked({adasum_});
  EXPECT_TRUE(bulk(1)->isEnabled());
  page_->model().setTicked({adasum_, failed_});
  bulk(4)->click();
  EXPECT_TRUE(labelOf(adasum_).archived);
  EXPECT_TRUE(labelOf(failed_).archived);
  EXPECT_TRUE(shows({mean_}));
  small_.workspace.labelUndo().undo();
  EXPECT_FALSE(labelOf(adasum_).archived);
  EXPECT_FALSE(labelOf(failed_).archived);
  EXPECT_TRUE(shows({failed_, adasum_, mean_}));
  bulk(2)->click();
  EXPECT_EQ(small_.workspace.selection().shown(), (std::vector<std::string>{failed_, adasum_}))
      << "as the table has them";
  QLineEdit* tags = page_->bulk().tagLine();
  tags->setText(QStringLiteral("paper, keep"));
  Q_EMIT tags->returnPressed();
  EXPECT_EQ(labelOf(adasum_).tags, (std::vector<std::string>{"paper", "keep"}));
  EXPECT_EQ(labelOf(failed_).tags, (std::vector<std::string>{"paper", "keep"}));
}

TEST_P(RunsPageTest, DeletingAsksFirstAndLivingRunsStay) {
  page_->model().setTicked({mean_});
  bulk(5)->click();
  auto* notice = page_->findChild<Notice*>();
  ASSERT_TRUE(test::eventually([&] { return notice->isVisible(); }));
  EXPECT_TRUE(small_.store->find(mean_));
  notice->findChildren<QPushButton*>().front()->click();
  EXPECT_TRUE(shows({failed_, adasum_}));
  EXPECT_TRUE(page_->model().ticked().empty()) << "what is gone is ticked no more";
  const std::string living = small_.store->createRun(test::sampleRun());
  small_.store->setSupervisor(living, thisProcess());
  small_.store->setState(living, RunState::running, "");
  ASSERT_TRUE(small_.settled());
  ASSERT_TRUE(test::eventually([&] { return page_->model().rowOf(living) >= 0; }));
  page_->model().setTicked({living, adasum_});
  EXPECT_FALSE(bulk(4)->isEnabled());
  EXPECT_FALSE(bulk(5)->isEnabled());
  EXPECT_FALSE(bulk(5)->toolTip().isEmpty());
}

TEST_P(RunsPageTest, GroupsOpenAndCloseAndColumnsAreKept) {
  page_->setGroup(findRunColumn("algorithms"));
  ASSERT_TRUE(test::eventually([this] { return page_->model().rowCount() == 5; }));
  ASSERT_TRUE(page_->model().isGroup(0));
  page_->view().setFocus();
  page_->view().setCurrentIndex(page_->model().index(0, 0));
  QTest::keyClick(&page_->view(), Qt::Key_Return);
  EXPECT_TRUE(test::eventually([this] { return page_->model().rowCount() == 3; }));
  QTest::mouseClick(page_->view().viewport(), Qt::LeftButton, {},
                    page_->view().visualRect(page_->model().index(0, 1)).center());
  EXPECT_TRUE(test::eventually([this] { return page_->model().rowCount() == 5; }));
  page_->setColumns({*findRunColumn("network"), *findRunColumn("loss")});
  EXPECT_EQ(page_->model().columnCount(), 3);
  diskThread().finish();
  EXPECT_EQ(TableLayout::saved().columns, page_->model().columns());
  EXPECT_EQ(TableLayout::saved().group, findRunColumn("algorithms"));
}

TEST_P(RunsPageTest, TheSameRunsAreParallelLinesAndCsv) {
  page_->showParallel(true);
  EXPECT_EQ(page_->parallel().drawnRuns(), 3u);
  EXPECT_TRUE(page_->parallel().isVisible());
  page_->model().setTicked({adasum_});
  for (QAction* action : page_->actions()) {
    if (!action->icon().isNull()) action->trigger();  // copies
  }
  const auto copied = [] { return QGuiApplication::clipboard()->text(); };
  ASSERT_TRUE(test::eventually([&] { return copied().contains(QString::fromStdString(adasum_)); }));
  EXPECT_EQ(copied().count(QStringLiteral("\r\n")), 2) << copied().toStdString();
}

TEST_P(RunsPageTest, EverythingThatTakesKeysHasAName) {
  page_->model().setTicked({adasum_});
  for (const QWidget* widget : page_->findChildren<QWidget*>()) {
    if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible()) continue;
    if (widget->inherits("QScrollBar") || widget->objectName().startsWith(QStringLiteral("qt_"))) continue;
    const auto* button = qobject_cast<const QAbstractButton*>(widget);
    const bool named = !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty());
    EXPECT_TRUE(named) << widget->metaObject()->className();
  }
  const QModelIndex row = page_->model().index(page_->model().rowOf(failed_), 0);
  EXPECT_FALSE(row.data(Qt::AccessibleTextRole).toString().isEmpty());
  page_->view().setFocus();
  page_->view().setCurrentIndex(row);
  const QImage focused = page_->view().grab().toImage();
  page_->view().clearFocus();
  EXPECT_NE(focused, page_->view().grab().toImage()) << "the focus is seen";
}

INSTANTIATE_TEST_SUITE_P(Languages, RunsPageTest, testing::Values("en", "zh_CN"),
                         [](const auto& language) { return std::string(language.param); });

}  // namespace
}  // namespace slipstream::ui
