// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/panel/bottom_panel.h"

#include <QAbstractItemModelTester>
#include <QMenu>
#include <QPlainTextEdit>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QToolButton>

#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/rank_table/rank_table_fix.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/wait_until.h"
#include "ui/documents/experiment_document.h"
#include "ui/panel/events_view.h"
#include "ui/panel/problems_model.h"

namespace slipstream::ui {
namespace {

using Checker = QAbstractItemModelTester;

/// Two servers' ranks are 0 and 0: one is used twice.
std::string tableText(int secondRank) {
  return R"({"version": "1.0", "server_count": "1", "status": "completed", "server_list": [{"server_id": "10.0.0.1",
    "device": [{"device_id": "0", "device_ip": "192.168.1.1", "rank_id": "0"},
               {"device_id": "1", "device_ip": "192.168.1.2", "rank_id": ")" +
         std::to_string(secondRank) + R"("}]}]})";
}

TEST(Problems, SayWhatTheCommandLineSays) {
  Workspace workspace;
  ProblemsModel model(workspace, nullptr);
  const Checker checker(&model, Checker::FailureReportingMode::Fatal);
  EXPECT_EQ(model.rowCount(), 0);
  workspace.rankTable().start(tableText(0));
  const RankTableReading reading = readRankTable(tableText(0), "Untitled");
  ASSERT_FALSE(reading.findings.empty());
  ASSERT_EQ(model.rowCount(), static_cast<int>(reading.findings.size()));
  for (const Finding& finding : reading.findings) {
    const QString words = QString::fromStdString(toText(failureOf(finding, finding.path)));
    EXPECT_EQ(model.match(model.index(0), Qt::DisplayRole, words, 1, Qt::MatchExactly).size(), 1)
        << words.toStdString();
  }
  EXPECT_GT(model.errors(), 0);
  workspace.rankTable().start(tableText(1));
  EXPECT_EQ(model.errors(), 0);
}

/// So many devices without addresses and ranks.
std::string emptyTable(int devices) {
  nlohmann::json list = nlohmann::json::array();
  for (int i = 0; i < devices; ++i) {
    list.push_back({{"device_id", std::to_string(i)}, {"device_ip", ""}, {"rank_id", "x"}});
  }
  return nlohmann::json{{"version", "1.0"},
                        {"server_count", "1"},
                        {"status", "completed"},
                        {"server_list", {{{"server_id", "10.0.0.1"}, {"device", list}}}}}
      .dump();
}

TEST(Problems, AllFixesAreOneStep) {
  constexpr int devices = 32;
  Workspace workspace;
  BottomPanel panel(workspace, nullptr);
  panel.resize(900, 300);
  panel.show();
  ProblemsModel model(workspace, nullptr);
  const std::string broken = emptyTable(devices);
  workspace.rankTable().start(broken);
  EXPECT_GE(model.errors(), devices);
  const std::vector<ProblemGroup> groups = model.fixable();
  ASSERT_EQ(groups.size(), 1U);
  EXPECT_GE(groups[0].fixes, devices);
  EXPECT_GE(groups[0].kinds.size(), 2U);
  QMenu* menu = nullptr;
  for (auto* found : panel.findChildren<QMenu*>()) {
    if (!found->isEmpty()) menu = found;
  }
  ASSERT_NE(menu, nullptr);
  menu->actions().front()->trigger();
  EXPECT_EQ(model.errors(), 0);
  workspace.rankTable().undoStack().undo();
  EXPECT_EQ(workspace.rankTable().text(), broken);
}

TEST(Problems, FixesOfOneKindLeaveTheOthers) {
  Workspace workspace;
  ProblemsModel model(workspace, nullptr);
  workspace.rankTable().start(emptyTable(8));
  const int before = model.rowCount();
  const auto kinds = model.fixable()[0].kinds;
  const int addresses = std::ranges::max_element(kinds, {}, [](const auto& kind) { return kind.second.count; })->first;
  ASSERT_GE(kinds.at(addresses).count, 8);
  model.fixAll(PageId::rankTable, addresses, QStringLiteral("Addresses"));
  EXPECT_LE(model.rowCount(), before - 8);
  const auto left = model.fixable();
  EXPECT_TRUE(left.empty() || !left[0].kinds.contains(addresses));
}

/// What has no effect is a problem with a fix as well: nothing that is counted is left.
TEST(Problems, FixAllLeavesNothingThatHasAFix) {
  Workspace workspace;
  ProblemsModel model(workspace, nullptr);
  workspace.rankTable().start(R"({"version": "1.0", "server_count": "1", "status": "completed", "server_list": [
    {"server_id": "10.0.0.1", "colour": "red", "size": 3,
     "device": [{"device_id": "0", "devce_ip": "10.1.1.1", "rank_id": "7"}]}]})");
  ASSERT_EQ(model.fixable().size(), 1U);
  QSignalSpy told(&workspace, &Workspace::reported);
  model.fixAll(PageId::rankTable, {}, QStringLiteral("Fix all"));
  EXPECT_EQ(model.rowCount(), 0);
  EXPECT_EQ(workspace.rankTable().reading().table.servers[0].devices[0].ip, "10.1.1.1");
  ASSERT_EQ(told.size(), 1);
  const QString said = told[0][0].toString();
  EXPECT_TRUE(said.contains(QStringLiteral("Rename to device_ip"))) << said.toStdString();
  EXPECT_TRUE(said.contains(QStringLiteral("Remove unknown keys (2)"))) << "two keys: " << said.toStdString();
}

TEST(Problems, CodesAreShownAndStay) {
  Workspace workspace;
  workspace.rankTable().start(tableText(0));
  ASSERT_FALSE(workspace.rankTable().problems().empty());
  EXPECT_EQ(workspace.rankTable().problems().front().code, QStringLiteral("RT-118"));
  EXPECT_EQ(codeOf(RankTableFault::syntax), "RT-101");
  EXPECT_EQ(codeOf(RankTableFault::addressTwice), "RT-117");
  EXPECT_EQ(codeOf(RankTableFault::other), "");
}

TEST(Problems, MistakesOfAnExperimentAreMendedTogether) {
  Workspace workspace;
  ProblemsModel model(workspace, nullptr);
  QSignalSpy planned(&workspace.experiment(), &ExperimentDocument::planChanged);
  workspace.experiment().start(
      R"({"network": "lenet6", "dataset": {"name": "digits", "batch_size": 0}, "train": {"epoch": 2}, "zzzzzzzz": 1})");
  ASSERT_TRUE(planned.wait(60'000));
  ASSERT_EQ(model.fixable().size(), 1U);
  QSignalSpy told(&workspace, &Workspace::reported);
  model.fixAll(PageId::boost, {}, QStringLiteral("Fix all"));
  ASSERT_EQ(told.size(), 1);
  const QString said = told[0][0].toString();
  EXPECT_TRUE(said.startsWith(QLatin1Char('4')) && said.contains(QStringLiteral("Remove unknown keys")))
      << said.toStdString();
  EXPECT_EQ(workspace.experiment().text(),
            R"({"network": "lenet5", "dataset": {"name": "digits", "batch_size": 1}, "train": {"epochs": 2}})");
}

TEST(Problems, RowsThatStayAreNotTouched) {
  Workspace workspace;
  ProblemsModel model(workspace, nullptr);
  const Checker checker(&model, Checker::FailureReportingMode::Fatal);
  workspace.rankTable().start(tableText(0));
  const QPersistentModelIndex first(model.index(0));
  QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
  workspace.rankTable().edit(tableText(0) + " ", QStringLiteral("Blank"));
  EXPECT_TRUE(first.isValid());
  EXPECT_EQ(resets.size(), 0);
}

TEST(Problems, WalkingShowsThePlace) {
  Workspace workspace;
  BottomPanel panel(workspace, nullptr);
  workspace.rankTable().start(tableText(0));
  QSignalSpy wanted(&workspace, &Workspace::pageWanted);
  panel.showNextProblem();
  EXPECT_TRUE(panel.isOpened());
  ASSERT_EQ(wanted.size(), 1);
  EXPECT_EQ(wanted[0][0].value<PageId>(), PageId::rankTable);
}

TEST(Events, ArriveAtTheEnd) {
  EventsModel model;
  const Checker checker(&model, Checker::FailureReportingMode::Fatal);
  Event event;
  event.number = 7;
  event.rank = 3;
  event.level = EventLevel::warning;
  event.code = "gradient_overflow";
  event.text = "halved";
  model.append({event});
  event.number = 9;
  model.append({event, event});
  EXPECT_EQ(model.rowCount(), 3);
  EXPECT_EQ(model.lastNumber(), 9);
  EXPECT_EQ(model.index(0, EventsModel::rank).data().toString(), QStringLiteral("3"));
  EXPECT_EQ(model.index(0, EventsModel::code).data().toString(), QStringLiteral("gradient_overflow"));
  model.clear();
  EXPECT_EQ(model.rowCount(), 0);
}

class PanelOfARun : public testing::Test {
 protected:
  PanelOfARun() {
    store_ = test::openStore(folder_.path());
    run_ = store_->createRun(test::sampleRun());
    store_->addEvent(run_, {0, 1, 1, 0, EventLevel::information, "started", "first"});
    ranks_ = folder_.path() / "logs" / run_ / "attempt-1" / "1";
    for (const char* rank : {"rank.0", "rank.1"}) EXPECT_TRUE(makeFolder(ranks_ / rank));
    EXPECT_TRUE(writeFile(ranks_ / "rank.0" / "stderr", "from zero\n"));
    EXPECT_TRUE(writeFile(ranks_ / "rank.1" / "stderr", "from one\n"));
    EXPECT_TRUE(workspace_.store().open(folder_.path()));
    workspace_.selection().setCurrent(run_);
  }
  QString log() const { return panel_.findChild<QPlainTextEdit*>()->toPlainText(); }

  test::TemporaryFolder folder_;
  std::unique_ptr<RunStore> store_;
  std::string run_;
  std::filesystem::path ranks_;
  Workspace workspace_;
  BottomPanel panel_{workspace_, nullptr};
};

TEST_F(PanelOfARun, NewEventsArrive) {
  const auto* table = panel_.findChild<QTableView*>();
  const auto rows = [&] { return table->model()->rowCount(); };
  EXPECT_TRUE(test::eventually([&] { return rows() == 1; }));
  store_->addEvent(run_, {0, 2, 1, 1, EventLevel::error, "failed", "second"});
  EXPECT_TRUE(test::eventually([&] { return rows() == 2; }));
}

TEST_F(PanelOfARun, TheLineTellsTheNewestOfARunThatGoesOn) {
  constexpr std::int64_t second = 1'000'000'000;
  const std::int64_t now = wallNanoseconds();
  QSignalSpy told(panel_.findChild<EventsView*>(), &EventsView::happened);
  store_->setState(run_, RunState::running, "");
  store_->addCheckpoint(run_, {.step = 1200, .bytes = 5'360'000, .wallNanoseconds = now});
  ASSERT_TRUE(test::eventually([&] {
    return !told.isEmpty() && told.back()[1].toString() == QStringLiteral("Checkpoint of step 1,200 complete, 5.36 MB");
  }));
  EXPECT_EQ(told.back()[0].toDateTime().toMSecsSinceEpoch(), now / 1'000'000);
  EXPECT_EQ(told.size(), 1) << "the event of 1970 was no news any more";
  store_->addEvent(run_, {0, now + second, 1, 1, EventLevel::warning, "slow", "a rank is slow"});
  ASSERT_TRUE(test::eventually([&] { return told.back()[1].toString() == QStringLiteral("a rank is slow"); }));
  const auto before = told.size();
  store_->setState(run_, RunState::failed, "");
  store_->addEvent(run_, {0, now + 2 * second, 1, 1, EventLevel::error, "failed", "it ended"});
  const auto* table = panel_.findChild<QTableView*>();
  ASSERT_TRUE(test::eventually([&] { return table->model()->rowCount() == 3; }));
  EXPECT_EQ(told.size(), before) << "what a run of before came to is no news";
}

TEST_F(PanelOfARun, TheLogIsFollowed) {
  panel_.open(BottomPanel::Tab::log);
  EXPECT_TRUE(test::eventually([&] { return log() == QStringLiteral("rank 0  from zero\nrank 1  from one"); }));
  EXPECT_TRUE(writeFile(ranks_ / "rank.1" / "stderr", "from one\nand more\n"));
  EXPECT_TRUE(test::eventually([&] { return log().endsWith(QStringLiteral("rank 1  and more")); }));
}

TEST_F(PanelOfARun, APageAsksForTheLogOfOneRank) {
  workspace_.showLog(run_, 1);
  EXPECT_TRUE(panel_.isOpened());
  EXPECT_TRUE(test::eventually([&] { return log() == QStringLiteral("from one"); }));
}

TEST(BottomPanel, OpenedForProblemsItClosesWithTheLastOne) {
  Workspace workspace;
  BottomPanel panel(workspace, nullptr);
  ProblemsModel model(workspace, nullptr);
  workspace.rankTable().start(emptyTable(4));
  panel.openForProblems();
  EXPECT_TRUE(panel.isOpened());
  model.fixAll(PageId::rankTable, {}, QStringLiteral("Fix all"));
  EXPECT_FALSE(panel.isOpened());
  workspace.rankTable().undoStack().undo();
  panel.openForProblems();
  panel.openForProblems();  // another file that is broken, too
  panel.showNextProblem();
  model.fixAll(PageId::rankTable, {}, QStringLiteral("Fix all"));
  EXPECT_FALSE(panel.isOpened());
  workspace.rankTable().undoStack().undo();
  panel.findChildren<QToolButton*>().front()->click();
  ASSERT_TRUE(panel.isOpened());
  panel.openForProblems();
  model.fixAll(PageId::rankTable, {}, QStringLiteral("Fix all"));
  EXPECT_TRUE(panel.isOpened()) << "it was opened by hand";
}

TEST(BottomPanel, StaysAsItWasLeft) {
  Workspace workspace;
  {
    BottomPanel panel(workspace, nullptr);
    panel.open(BottomPanel::Tab::events);
    panel.saveLayout();
  }
  BottomPanel next(workspace, nullptr);
  EXPECT_FALSE(next.isOpened());
  next.restoreLayout();
  EXPECT_TRUE(next.isOpened());
  next.close();
  next.saveLayout();
  EXPECT_LT(next.maximumHeight(), 100);
}

}  // namespace
}  // namespace slipstream::ui
