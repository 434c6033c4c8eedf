// SPDX-License-Identifier: GPL-3.0-or-later
// The window from the example to the report, as a person would go through it: by its controls, with real runs.
#include <QComboBox>
#include <QMenu>
#include <QMenuBar>
#include <QTest>
#include <algorithm>
#include <csignal>
#include <cstdio>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "tests/bench/bench_numbers.h"
#include "tests/ui/arrivals.h"
#include "tests/ui/driven_window.h"
#include "tests/ui/wait_until.h"
#include "ui/documents/document_files.h"
#include "ui/documents/experiment_editing.h"
#include "ui/experiment/key_row.h"
#include "ui/rank_table/rank_table_view.h"
#include "ui/widgets/widgets.h"

namespace slipstream::test {
namespace {

using namespace slipstream::ui;

class FromTheExample : public DrivenWindow {
 protected:
  Page* shown(PageId name) {
    window().showPage(name);
    EXPECT_TRUE(answered(workspace()));
    return window().page(name);
  }

  void makeARankTable() {
    const Page* page = shown(PageId::rankTable);
    for (QAction* action : page->actions()) {
      if (action->text() == QStringLiteral("Generate from a host list…")) action->trigger();
    }
    QWidget* hosts = window().focusWidget();
    typeInto(hosts, QStringLiteral("localhost:4"));
    QTest::keyClick(hosts, Qt::Key_Return);
    ASSERT_EQ(workspace().rankTable().reading().table.ranks(), 4);
    sayLongestEvent("a rank table is generated", true);
  }

  /// Writes into the cell of a device's rank with the keyboard.
  void typeRank(int device, const char* text) {
    auto* tree = called<RankTableView>(window().page(PageId::rankTable), QStringLiteral("Servers and devices"));
    ASSERT_NE(tree, nullptr);
    tree->setFocus();
    const QAbstractItemModel& model = *tree->model();
    tree->setCurrentIndex(model.index(device, static_cast<int>(RankTableCell::rank), model.index(0, 0)));
    QTest::keyClick(tree, Qt::Key_F2);
    auto* editor = tree->viewport()->findChild<QLineEdit*>();
    ASSERT_NE(editor, nullptr) << "F2 edits a cell";
    typeInto(editor, QString::fromLatin1(text));
    QTest::keyClick(editor, Qt::Key_Return);
    QCoreApplication::processEvents();  // the view takes what was typed from an event of its own
  }

  std::string rankOf(std::size_t device) { return workspace().rankTable().lines()[0].devices[device].rank; }

  void editARankTable() {
    const std::string before = workspace().rankTable().text();
    const auto verdict = [this] { return workspace().rankTable().reading().verdict(); };
    EXPECT_NE(verdict(), Verdict::reject);
    typeRank(3, "0");
    EXPECT_EQ(rankOf(3), "0");
    EXPECT_EQ(verdict(), Verdict::reject) << "rank 0 stands twice";
    clickTool(&window(), window().actions().undo);
    EXPECT_EQ(workspace().rankTable().text(), before);
    clickTool(&window(), window().actions().redo);
    EXPECT_EQ(rankOf(3), "0");
    pressKey(&window(), Qt::Key_Z, Qt::ControlModifier);
    EXPECT_EQ(workspace().rankTable().text(), before);
    EXPECT_NE(verdict(), Verdict::reject);
    EXPECT_TRUE(answered(workspace()));
    sayLongestEvent("a rank table is edited");
    chooseInNextDialog(file("table.json"));
    click(buttonWith(window().page(PageId::rankTable), QStringLiteral("Save")));
    EXPECT_EQ(readFile(file("table.json")).value_or(""), before);
    sayLongestEvent("a file is saved", true);  // the dialog is made
  }

  void openTheExample() {
    for (const QMenu* menu : window().menuBar()->findChildren<QMenu*>()) {
      for (QAction* action : menu->actions()) {
        if (action->text() == QStringLiteral("quickstart")) action->trigger();
      }
    }
    ASSERT_TRUE(planned());
    EXPECT_EQ(window().frontPage(), PageId::boost);
    EXPECT_EQ(workspace().experiment().planned()->plans.size(), 3U);
    EXPECT_TRUE(answered(workspace()));
    sayLongestEvent("the example opens", true);
  }

  /// Everybody's settings, or those of one of the example's three runs.
  void showSettingsOf(const char* words) {
    auto* scopes = called<QComboBox>(window().page(window().frontPage()), QStringLiteral("Whose settings are shown"));
    ASSERT_NE(scopes, nullptr);
    QTest::keyClick(scopes, Qt::Key_Home);
    for (int i = 0; i < scopes->count() && scopes->currentText() != QLatin1String(words); ++i) {
      QTest::keyClick(scopes, Qt::Key_Down);
    }
    EXPECT_EQ(scopes->currentText(), QLatin1String(words));
  }

  void chooseTheLevel() {
    const Page* page = window().page(PageId::boost);
    showSettingsOf("Variant: averaged");
    const std::string before = workspace().experiment().text();
    auto* level = called<SegmentedControl>(page, QStringLiteral("Level"));
    ASSERT_NE(level, nullptr);
    EXPECT_EQ(level->current(), 0);
    click(buttonWith(level, QStringLiteral("O2")));
    ASSERT_TRUE(planned());
    EXPECT_TRUE(workspace().experiment().planned()->plans[0].experiment.boost.isOn("adasum"));
    clickTool(&window(), window().actions().undo);
    EXPECT_EQ(workspace().experiment().text(), before);
    EXPECT_EQ(level->current(), 0);
    clickTool(&window(), window().actions().redo);
    EXPECT_EQ(level->current(), 2);
    ASSERT_TRUE(planned());
    EXPECT_TRUE(answered(workspace()));
    sayLongestEvent("the level of boost is chosen");
  }

  void setNumber(const std::string& key, const char* text) {
    for (KeyRow* row : window().page(PageId::plan)->findChildren<KeyRow*>()) {
      if (row->path() == key) return typeInto(row->control(), QString::fromLatin1(text));
    }
    ADD_FAILURE() << "no control for " << key;
  }

  void askForFourRanks() {
    shown(PageId::plan);
    showSettingsOf("All variants (shared settings)");
    sayLongestEvent("the plan is shown", true);
    setNumber("parallel.ranks", "4");
    setNumber("train.epochs", "40");
    setNumber("train.checkpoint.save_checkpoint_steps", "20");
    ASSERT_TRUE(planned());
    EXPECT_EQ(workspace().experiment().planned()->plans[0].places.size(), 4U);
    EXPECT_TRUE(answered(workspace()));
    sayLongestEvent("numbers are typed");
  }

  std::string launchTheExample() {
    std::string run = launched();
    EXPECT_EQ(workspace().experiment().file().parent_path(), experimentsOf(workspace().store().folder()));
    EXPECT_EQ(window().frontPage(), PageId::charts);
    EXPECT_EQ(workspace().store().snapshot()->find(run)->run.ranks, 4);
    sayLongestEvent("a run is launched", true);
    return run;
  }

  /// From a commit that a second connection sees to the painting of the chart that shows its newest step.
  void seePointsArrive(const std::string& run) {
    constexpr std::size_t enough = 30;
    MetricChart* chart = chartOf("loss");
    ASSERT_NE(chart, nullptr);
    EXPECT_TRUE(answered(workspace()));
    sayLongestEvent("the first curve is drawn", true);
    const WrittenSteps written(file(""), run);
    const PaintedSteps painted(*chart);
    std::vector<double> waited;
    ASSERT_TRUE(test::eventually(
        [&] {
          waited = delays(written.seen(), painted.seen());
          return waited.size() > enough;
        },
        testTimeout));
    waited.erase(waited.begin());  // it was there before
    std::printf("%zu points from their write to the painted chart: median %.0f ms, nine of ten %.0f, longest %.0f\n",
                waited.size(), bench::median(waited), bench::quantile(waited, 0.9), bench::quantile(waited, 1));
    sayLongestEvent("points arrive");
  }

  void stopAfterACheckpoint(const std::string& run) {
    ASSERT_TRUE(window().actions().stopAfterCheckpoint->isEnabled());
    window().actions().stopAfterCheckpoint->trigger();
    ASSERT_TRUE(reaches(run, RunState::stopped));
    ASSERT_FALSE(store().checkpoints(run).empty());
    sayLongestEvent("a run stops");
  }

  void goOn(const std::string& run) {
    const std::int64_t from = store().checkpoints(run).back().step;
    workspace().selection().setCurrent(run);
    ASSERT_TRUE(window().actions().resume->isEnabled());
    window().actions().resume->trigger();
    ASSERT_TRUE(reaches(run, RunState::running));
    ASSERT_TRUE(hasSteps(run, from + 10));
    EXPECT_EQ(workspace().store().snapshot()->find(run)->run.attempt, 2);
    window().actions().stopNow->trigger();
    ASSERT_TRUE(reaches(run, RunState::stopped));
    sayLongestEvent("a run goes on and is stopped");
  }

  std::string plainRun() {
    write("plain.json", experimentOfFourRanks(40));
    EXPECT_TRUE(window().openFile(file("plain.json")));
    EXPECT_TRUE(planned());
    std::string run = launched();
    EXPECT_TRUE(reaches(run, RunState::done));
    sayLongestEvent("another run is made");
    return run;
  }

  void compareAndReport(const std::string& run, const std::string& other) {
    workspace().selection().setShown({run, other}, other);
    for (const PageId name : {PageId::compare, PageId::ranks, PageId::layers, PageId::checkpoints, PageId::report}) {
      const Page* page = shown(name);
      sayLongestEvent(page->title().toUtf8().constData(), true);
    }
    for (const PageId name :
         {PageId::charts, PageId::compare, PageId::ranks, PageId::layers, PageId::checkpoints, PageId::report})
      shown(name);
    sayLongestEvent("pages are turned");
    shown(PageId::charts);
    clickTool(&window(), window().actions().report);
    ASSERT_EQ(window().frontPage(), PageId::report);
    chooseInNextDialog(file("report.html"));
    window().actions().saveReport->trigger();
    sayLongestEvent("a report is asked for", true);  // the dialog is made
    ASSERT_TRUE(test::eventually([&] { return std::filesystem::exists(file("report.html")); }));
    EXPECT_TRUE(answered(workspace()));
    const std::string report = readFile(file("report.html")).value_or("");
    EXPECT_NE(report.find(run), std::string::npos);
    EXPECT_NE(report.find(other), std::string::npos);
    sayLongestEvent("a report is saved");
  }
};

TEST_F(FromTheExample, ToAReport) {
  ASSERT_NO_FATAL_FAILURE(makeARankTable());
  ASSERT_NO_FATAL_FAILURE(editARankTable());
  ASSERT_NO_FATAL_FAILURE(openTheExample());
  ASSERT_NO_FATAL_FAILURE(chooseTheLevel());
  ASSERT_NO_FATAL_FAILURE(askForFourRanks());
  const std::string run = launchTheExample();
  ASSERT_FALSE(run.empty());
  ASSERT_NO_FATAL_FAILURE(seePointsArrive(run));
  ASSERT_NO_FATAL_FAILURE(stopAfterACheckpoint(run));
  ASSERT_NO_FATAL_FAILURE(goOn(run));
  const std::string other = plainRun();
  ASSERT_FALSE(other.empty());
  ASSERT_NO_FATAL_FAILURE(compareAndReport(run, other));
}

TEST_F(DrivenWindow, AKilledSupervisorLeavesTheWindowTruthful) {
  write("driven.json", experimentOfFourRanks(3000));
  ASSERT_TRUE(window().openFile(file("driven.json")));
  ASSERT_TRUE(planned());
  const std::string run = launched();
  ASSERT_TRUE(reaches(run, RunState::running));
  const ProcessIdentity supervisor = store().find(run)->supervisor;
  ASSERT_GT(supervisor.pid, 0);
  ASSERT_EQ(::kill(static_cast<pid_t>(supervisor.pid), SIGKILL), 0);
  EXPECT_TRUE(reaches(run, RunState::lost));
}

}  // namespace
}  // namespace slipstream::test
