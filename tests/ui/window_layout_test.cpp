// SPDX-License-Identifier: GPL-3.0-or-later
// Where docks, splitters and the panel stand, and what resetting the layout leaves alone.
#include <QDockWidget>
#include <QListView>
#include <QScrollBar>
#include <QSplitter>
#include <QTabBar>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "ui/charts/charts_page.h"
#include "ui/panel/bottom_panel.h"
#include "ui/runs/run_inspector.h"
#include "ui/runs/runs_dock.h"
#include "ui/widgets/widgets.h"
#include "ui/window/main_window.h"
#include "ui/window/page_stack.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

class WindowLayout : public testing::Test {
 protected:
  WindowLayout() { Settings::forgetLayouts(); }
  ~WindowLayout() override { Settings::forgetLayouts(); }

  static void show(MainWindow& window, QSize size = {1280, 800}) {
    window.resize(size);
    window.show();
    QTest::qWait(50);
  }
  template <class Part>
  static Part& part(const MainWindow& window) {
    return *window.findChild<Part*>();
  }
  static QSplitter& boostSplitter(const MainWindow& window) {
    return *window.page(PageId::boost)->findChild<QSplitter*>();
  }

  test::SmallWorkspace small_;
};

TEST_F(WindowLayout, ResetBringsEverythingBackToWhereItWasBuilt) {
  Settings::setAddedCharts({QStringLiteral("record_seconds")});
  small_.workspace.experiment().start("{}");
  MainWindow window(small_.workspace);
  show(window);
  window.showPage(PageId::boost);
  QTest::qWait(50);
  auto& runs = part<RunsDock>(window);
  auto& inspector = part<RunInspector>(window);
  auto& panel = part<BottomPanel>(window);
  const int builtWidth = runs.width();
  const QList<int> builtSizes = boostSplitter(window).sizes();

  window.addDockWidget(Qt::RightDockWidgetArea, &runs);
  inspector.show();
  panel.open(BottomPanel::Tab::log);
  boostSplitter(window).setSizes({300, 700});
  window.resizeDocks({&runs}, {420}, Qt::Horizontal);
  QTest::qWait(50);
  ASSERT_EQ(window.dockWidgetArea(&runs), Qt::RightDockWidgetArea);
  ASSERT_NE(boostSplitter(window).sizes(), builtSizes);

  window.actions().resetLayout->trigger();
  QTest::qWait(50);
  EXPECT_EQ(window.dockWidgetArea(&runs), Qt::LeftDockWidgetArea);
  EXPECT_EQ(runs.width(), builtWidth);
  EXPECT_FALSE(inspector.isVisible());
  EXPECT_FALSE(panel.isOpened());
  ASSERT_EQ(boostSplitter(window).sizes().size(), builtSizes.size());
  EXPECT_NEAR(boostSplitter(window).sizes()[0], builtSizes[0], 2);
  EXPECT_EQ(Settings::addedCharts(), QStringList{QStringLiteral("record_seconds")}) << "charts are content";
  EXPECT_TRUE(Settings::layout(QStringLiteral("window")).isEmpty());
  Settings::setAddedCharts({});
}

TEST_F(WindowLayout, TheNextWindowStandsAsThisOneWasLeft) {
  {
    MainWindow window(small_.workspace);
    show(window);
    window.addDockWidget(Qt::RightDockWidgetArea, &part<RunsDock>(window));
    part<BottomPanel>(window).open(BottomPanel::Tab::events);
    ASSERT_TRUE(window.close());
  }
  MainWindow next(small_.workspace);
  show(next);
  EXPECT_EQ(next.dockWidgetArea(&part<RunsDock>(next)), Qt::RightDockWidgetArea);
  EXPECT_TRUE(part<BottomPanel>(next).isOpened());
}

TEST_F(WindowLayout, AnOpenPanelHasRoomInASmallWindow) {
  {
    MainWindow window(small_.workspace);
    show(window);
    part<BottomPanel>(window).open(BottomPanel::Tab::problems);
    QTest::qWait(50);
    EXPECT_GE(part<BottomPanel>(window).height(), 150);
    ASSERT_TRUE(window.close());
  }
  MainWindow small(small_.workspace);
  show(small, {1024, 640});
  EXPECT_GE(part<BottomPanel>(small).height(), 150);
  EXPECT_LT(part<BottomPanel>(small).height(), 300);
}

TEST_F(WindowLayout, TheWindowFitsSmallAndScaledScreens) {
  MainWindow window(small_.workspace);
  show(window, {1024, 600});
  EXPECT_EQ(window.size(), QSize(1024, 600));
  for (const PageId page : {PageId::welcome, PageId::rankTable, PageId::boost, PageId::plan}) {
    window.showPage(page);
    QCoreApplication::processEvents();
    EXPECT_EQ(window.size(), QSize(1024, 600)) << window.page(page)->title().toStdString() << " is wider or higher";
    EXPECT_TRUE(
        window.rect().contains(window.page(page)->rect().translated(window.page(page)->mapTo(&window, QPoint()))))
        << window.page(page)->title().toStdString();
  }
  const QSize least = window.minimumSize();
  EXPECT_LE(least.width(), 1440 * 96 / 150) << "1440 x 900 at 150 dpi";
  EXPECT_LE(least.height(), 900 * 96 / 150);
  EXPECT_LE(least.width(), 1920 / 2) << "1920 x 1080 at 200 %";
  EXPECT_LE(least.height(), 1080 / 2);
}

TEST_F(WindowLayout, AClosedPanelLeavesItsRoomToThePages) {
  MainWindow window(small_.workspace);
  show(window);
  auto& panel = part<BottomPanel>(window);
  const int closed = panel.height();
  const int page = window.page(PageId::welcome)->height();
  panel.open(BottomPanel::Tab::log);
  QTest::qWait(50);
  ASSERT_LT(window.page(PageId::welcome)->height(), page);
  panel.close();
  window.showPage(PageId::boost);
  window.showPage(PageId::welcome);
  QTest::qWait(50);
  EXPECT_EQ(panel.height(), closed);
  EXPECT_EQ(window.page(PageId::welcome)->height(), page);
}

TEST_F(WindowLayout, TheWelcomePagesTabLeavesNoGapAfterTheFirstRun) {
  small_.open();
  MainWindow window(small_.workspace);
  show(window);
  const auto* tabs = part<PageStack>(window).findChild<QTabBar*>();
  ASSERT_TRUE(tabs->isTabVisible(0));
  test::recordRun(*small_.store, {.variant = "mean"});
  ASSERT_TRUE(small_.settled());
  window.showPage(PageId::charts);
  small_.workspace.store().poll();
  window.showPage(PageId::compare);
  QTest::qWait(50);
  ASSERT_FALSE(tabs->isTabVisible(0));
  EXPECT_EQ(tabs->tabRect(1).left(), 0);
}

TEST_F(WindowLayout, OpenedProblemsShowAllOfThemWhereThereAreFew) {
  small_.workspace.rankTable().start(R"({"version": "1.0", "server_count": "x", "server_list": []})", "broken.json");
  MainWindow window(small_.workspace);
  show(window);
  auto& panel = part<BottomPanel>(window);
  panel.open(BottomPanel::Tab::problems);
  QTest::qWait(50);
  const auto* list = panel.findChild<QListView*>();
  ASSERT_GT(list->model()->rowCount(), 0);
  EXPECT_EQ(list->verticalScrollBar()->maximum(), 0);
}

TEST_F(WindowLayout, TheRunsAreAsWideBesideTheGlanceAtOne) {
  test::recordRun(*small_.store, {.variant = "mean"});
  small_.open();
  MainWindow window(small_.workspace);
  show(window, {1440, 900});
  window.showPage(PageId::charts);
  QTest::qWait(50);
  const int before = part<RunsDock>(window).width();
  window.showPage(PageId::runs);
  QTest::qWait(50);
  EXPECT_TRUE(part<RunInspector>(window).isVisible());
  EXPECT_EQ(part<RunsDock>(window).width(), before);
  window.showPage(PageId::charts);
  QTest::qWait(50);
  EXPECT_FALSE(part<RunInspector>(window).isVisible());
  EXPECT_EQ(part<RunsDock>(window).width(), before);
}

TEST_F(WindowLayout, RunsThatGaveWayToTheGlanceHaveTheirWidthBack) {
  test::recordRun(*small_.store, {.variant = "mean"});
  small_.open();
  MainWindow window(small_.workspace);
  show(window);
  part<RunInspector>(window).setMinimumWidth(600);  // pages leave no room for it
  window.showPage(PageId::charts);
  QTest::qWait(50);
  const int before = part<RunsDock>(window).width();
  window.showPage(PageId::runs);
  QTest::qWait(50);
  ASSERT_LT(part<RunsDock>(window).width(), before);
  window.showPage(PageId::charts);
  EXPECT_TRUE(test::eventually([&] { return part<RunsDock>(window).width() == before; }));
}

TEST_F(WindowLayout, WhatTheWindowOpenedBesideTheTableOfRunsIsNotThereInTheNext) {
  test::recordRun(*small_.store, {.variant = "mean"});
  small_.open();
  {
    MainWindow window(small_.workspace);
    show(window, {1440, 900});
    window.showPage(PageId::runs);
    QTest::qWait(50);
    ASSERT_TRUE(part<RunInspector>(window).isVisible());
    window.close();
  }
  MainWindow next(small_.workspace);
  show(next, {1440, 900});
  EXPECT_FALSE(part<RunInspector>(next).isVisible());
}

TEST_F(WindowLayout, TheRunsTakeLessRoomInASmallWindow) {
  MainWindow window(small_.workspace);
  show(window, {1024, 640});
  EXPECT_LE(part<RunsDock>(window).width(), widthForFont(256)) << "the pages may take some of it";
  window.resize(1280, 800);
  QTest::qWait(50);
  EXPECT_EQ(part<RunsDock>(window).width(), widthForFont(288));
}

}  // namespace
}  // namespace slipstream::ui
