// SPDX-License-Identifier: GPL-3.0-or-later
// What the window does with a wish to launch, and to stop.
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/config/json.h"
#include "tests/support/temporary_folder.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"
#include "ui/documents/document_files.h"
#include "ui/panel/bottom_panel.h"
#include "ui/runs/run_actions.h"
#include "ui/runs/runs_dock.h"
#include "ui/window/main_window.h"
#include "ui/window/status_line.h"

namespace slipstream::ui {
namespace {

constexpr int testTimeout = 300'000;

class WindowLaunch : public testing::Test {
 protected:
  WindowLaunch() {
    small_.open();
    window_.show();
  }
  Workspace& workspace() { return small_.workspace; }
  StatusLine& line() { return *window_.findChild<StatusLine*>(); }

  static constexpr const char* brief = R"({
      "name": "brief", "seed": 1, "network": {"layers": [{"type": "flatten"}, {"type": "dense", "outputs": 10}]},
      "dataset": {"name": "digits", "batch_size": 8, "train_samples": 64, "evaluation_samples": 16},
      "loss": "cross_entropy", "optimizer": {"name": "sgd", "learning_rate": 0.1},
      "parallel": {"ranks": 2}, "train": {"steps": 4}})";

  /// An experiment in a file of its own, planned.
  void openExperiment() {
    const auto file = small_.folder.path() / "brief.json";
    ASSERT_TRUE(writeFile(file, brief));
    ASSERT_TRUE(window_.openFile(file));
    ASSERT_TRUE(test::eventually([&] { return workspace().experiment().isCurrent(); }));
  }
  /// The same on a rank table whose only server is another machine: 192.0.2.1 is nobody's address (RFC 5737).
  std::filesystem::path openExperimentElsewhere() {
    const auto table = small_.folder.path() / "table.json";
    EXPECT_TRUE(writeFile(
        table, R"({"version": "1.0", "server_count": "1", "server_list": [{"server_id": "192.0.2.1", "device": [
        {"device_id": "0", "device_ip": "192.0.2.10", "rank_id": "0"},
        {"device_id": "1", "device_ip": "192.0.2.11", "rank_id": "1"}]}], "status": "completed"})"));
    openExperiment();
    set("parallel", Json{{"rank_table", table.string()}});
    EXPECT_TRUE(test::eventually([&] { return workspace().experiment().isCurrent(); }));
    return table;
  }
  void set(const char* key, const Json& value) {
    Json root = Json::parse(workspace().experiment().text());
    root[key] = value;
    workspace().experiment().edit(root.dump(), QStringLiteral("Edit"));
  }
  /// What the status line says at every change of the store's trouble.
  void connectTrouble(QStringList& reported) {
    QObject::connect(&workspace().store(), &StoreWatcher::troubled, &window_, [&] { reported << line().text(); });
  }
  Page* boost() const { return window_.page(PageId::boost); }

  test::SmallWorkspace small_;
  MainWindow window_{small_.workspace};
};

TEST_F(WindowLaunch, AnotherMachinesTableIsAskedAboutBeforeItsRanksStart) {
  const auto table = openExperimentElsewhere();
  QSignalSpy refused(&workspace().launcher(), &Launcher::refused);
  QString asked;
  test::whenAsked([&](QMessageBox& box) {
    asked = box.text();
    box.button(QMessageBox::Cancel)->click();
  });
  Q_EMIT boost()->launchWanted();
  EXPECT_EQ(asked, QStringLiteral("192.0.2.1 is not this machine"));
  EXPECT_FALSE(workspace().launcher().isStarting());
  EXPECT_TRUE(refused.isEmpty());
  EXPECT_TRUE(workspace().experiment().isModified()) << "nothing was saved for a launch that is not made";
  // Mended and saved, it is another plan.
  RankTableDocument& open = workspace().rankTable();
  ASSERT_TRUE(open.load(table));
  std::string mended = open.text();
  mended.replace(mended.find("192.0.2.1\""), 9, "127.0.0.1");
  open.edit(mended, QStringLiteral("Edit"));
  ASSERT_TRUE(open.save(table));
  EXPECT_TRUE(workspace().experiment().isPlanning());
  ASSERT_TRUE(test::eventually([&] { return !workspace().experiment().isPlanning(); }));
  EXPECT_EQ(workspace().experiment().planned()->plans.front().places.front().host, "localhost");
}

TEST_F(WindowLaunch, AnotherMachinesTableRunsHereWhereThatIsChosen) {
  openExperimentElsewhere();
  QSignalSpy started(&workspace().launcher(), &Launcher::started);
  QSignalSpy refused(&workspace().launcher(), &Launcher::refused);
  test::whenAsked([](QMessageBox& box) {
    EXPECT_EQ(box.defaultButton()->text(), QStringLiteral("Launch on this machine"));
    box.defaultButton()->click();
  });
  Q_EMIT boost()->launchWanted();
  ASSERT_TRUE(test::eventually([&] { return started.count() + refused.count() > 0; }));
  ASSERT_EQ(started.count(), 1) << (refused.isEmpty() ? "" : refused[0][0].toString().toStdString());
  const std::string run = started[0][0].toString().toStdString();
  const auto ended = [&] {
    const RunRow* row = workspace().store().snapshot()->find(run);
    return row != nullptr && row->run.state == RunState::done;
  };
  EXPECT_TRUE(test::eventually(ended, testTimeout));
  EXPECT_EQ(small_.store->find(run)->ranks, 2);
}

TEST_F(WindowLaunch, AHostThatWasNamedIsTheDefault) {
  openExperiment();
  set("parallel", Json{{"hosts", "192.0.2.1:2"}});
  ASSERT_TRUE(test::eventually([&] { return workspace().experiment().isCurrent(); }));
  QString meant;
  test::whenAsked([&](QMessageBox& box) {
    meant = box.defaultButton()->text();
    QTest::keyClick(&box, Qt::Key_Escape);
  });
  Q_EMIT boost()->launchWanted();
  EXPECT_EQ(meant, QStringLiteral("Launch there"));
  EXPECT_FALSE(workspace().launcher().isStarting());
}

TEST_F(WindowLaunch, AWishRightAfterAnEditWaitsForThePlan) {
  openExperiment();
  QSignalSpy started(&workspace().launcher(), &Launcher::started);
  QSignalSpy refused(&workspace().launcher(), &Launcher::refused);
  set("seed", 7);
  ASSERT_FALSE(workspace().experiment().isCurrent());
  Q_EMIT boost()->launchWanted();
  EXPECT_TRUE(test::eventually([&] { return line().text().startsWith(QStringLiteral("Starting…")); }))
      << line().text().toStdString();
  ASSERT_TRUE(test::eventually([&] { return started.count() + refused.count() > 0; }));
  ASSERT_EQ(started.count(), 1) << (refused.isEmpty() ? "" : refused[0][0].toString().toStdString());
  const std::string run = started[0][0].toString().toStdString();
  ASSERT_TRUE(test::eventually(
      [&] {
        const RunRow* row = workspace().store().snapshot()->find(run);
        return row != nullptr && row->run.state == RunState::done;
      },
      testTimeout));
  EXPECT_EQ(small_.store->find(run)->seed, 7U);
  EXPECT_TRUE(test::eventually([&] { return line().text().startsWith(QStringLiteral("Idle")); }));
}

TEST_F(WindowLaunch, ANewExperimentIsKeptBesideItsRuns) {
  workspace().experiment().edit(brief, QStringLiteral("New experiment"));
  ASSERT_TRUE(test::eventually([&] { return workspace().experiment().isCurrent(); }));
  QSignalSpy started(&workspace().launcher(), &Launcher::started);
  window_.actions().launch->trigger();
  ASSERT_TRUE(test::eventually([&] { return started.count() > 0; }));
  const auto file = small_.folder.path() / "experiments" / "brief.json";
  EXPECT_EQ(workspace().experiment().file(), file);
  EXPECT_EQ(*readFile(file), brief);
  EXPECT_FALSE(workspace().experiment().isModified());
  const std::string run = started[0][0].toString().toStdString();
  EXPECT_TRUE(test::eventually(
      [&] {
        const RunRow* row = workspace().store().snapshot()->find(run);
        return row != nullptr && row->run.state == RunState::done;
      },
      testTimeout));
}

TEST_F(WindowLaunch, AChangedOneIsKeptBesideTheOneThatRan) {
  workspace().experiment().edit(brief, QStringLiteral("New experiment"));
  ASSERT_TRUE(test::eventually([&] { return workspace().experiment().isCurrent(); }));
  QSignalSpy started(&workspace().launcher(), &Launcher::started);
  window_.actions().launch->trigger();
  set("seed", 2);
  ASSERT_TRUE(test::eventually([&] { return workspace().experiment().isCurrent(); }));
  window_.actions().launch->trigger();
  const auto folder = small_.folder.path() / "experiments";
  EXPECT_EQ(workspace().experiment().file(), folder / "brief-2.json");
  EXPECT_EQ(*readFile(folder / "brief.json"), brief);
  EXPECT_TRUE(test::eventually([&] { return started.count() == 2; }, testTimeout));
}

TEST(ExperimentFiles, HaveNamesThatFileSystemsTake) {
  const test::TemporaryFolder folder;
  const auto nameOf = [&](const std::string& name) {
    return experimentFileIn(folder.path(), name, "{}")
        .value()
        .lexically_relative(experimentsOf(folder.path()))
        .string();
  };
  EXPECT_EQ(nameOf("mine"), "mine.json");
  EXPECT_EQ(nameOf("../../x"), "-..-x.json");
  EXPECT_EQ(nameOf("/tmp/x"), "-tmp-x.json");
  EXPECT_EQ(nameOf(std::string("a\nb\0c", 5)), "a-b-c.json");
  EXPECT_EQ(nameOf(" . "), "experiment.json");
  std::string cut;
  for (int i = 0; i < 33; ++i) cut += "实";
  EXPECT_EQ(nameOf(cut + cut), cut + ".json") << "between characters";
  const auto file = experimentFileIn(folder.path(), "mine", "{}").value();
  ASSERT_TRUE(writeFile(file, "{}"));
  EXPECT_EQ(nameOf("mine"), "mine.json") << "the same text";
  ASSERT_TRUE(writeFile(file, "{\"seed\": 1}"));
  EXPECT_EQ(nameOf("mine"), "mine-2.json");
}

TEST_F(WindowLaunch, WhatIsWrongIsSaidInsteadOfNothing) {
  openExperiment();
  QSignalSpy starting(&workspace().launcher(), &Launcher::startingChanged);
  QSignalSpy reported(&workspace(), &Workspace::reported);
  set("seed", "many");
  Q_EMIT boost()->launchWanted();
  ASSERT_TRUE(test::eventually([&] { return reported.count() > 0; }));
  EXPECT_TRUE(reported.back()[0].toString().startsWith(QStringLiteral("Not launched")));
  EXPECT_TRUE(window_.findChild<BottomPanel*>()->isOpened());
  Q_EMIT boost()->launchWanted();  // nothing is being planned now
  EXPECT_EQ(reported.count(), 2);
  EXPECT_EQ(starting.count(), 0);
}

TEST_F(WindowLaunch, TheStatusLineSaysThatTheStoreCannotBeRead) {
  ASSERT_TRUE(test::eventually([&] { return line().text().startsWith(QStringLiteral("Idle")); }));
  QStringList reported;
  connectTrouble(reported);
  workspace().store().reader().read(
      &window_, [](RunStore&) -> int { throw std::runtime_error("the disk is gone"); }, [](int) {});
  ASSERT_TRUE(test::eventually([&] { return reported.size() >= 2; })) << "it works again at the next look";
  EXPECT_TRUE(reported.front().startsWith(QStringLiteral("Store cannot be read | the disk is gone")))
      << reported.front().toStdString();
  EXPECT_TRUE(reported.back().startsWith(QStringLiteral("Idle"))) << reported.back().toStdString();
}

TEST_F(WindowLaunch, StopAndResumeAreOneSetForTheChosenRuns) {
  const RunActions& chosen = window_.findChild<RunsDock*>()->runActions();
  EXPECT_EQ(chosen.stopNow, window_.actions().stopNow);
  EXPECT_EQ(chosen.resume, window_.actions().resume);
  std::vector<std::string> living;
  for (const char* variant : {"one", "two"}) {
    NewRun asked = test::sampleRun();
    asked.variant = variant;
    living.push_back(small_.store->createRun(asked));
    small_.store->setSupervisor(living.back(), thisProcess());
    small_.store->setState(living.back(), RunState::running, "");
  }
  const std::string ended = test::recordRun(*small_.store, test::FinishedRun{"ended", 1, 0.9, 40});
  ASSERT_TRUE(small_.settled());
  workspace().selection().setShown({ended}, ended);
  EXPECT_FALSE(window_.actions().stopNow->isEnabled());
  workspace().selection().setShown(living, living.front());
  ASSERT_TRUE(window_.actions().stopNow->isEnabled());
  window_.actions().stopNow->trigger();
  for (const std::string& run : living) {
    EXPECT_TRUE(test::eventually([&] { return small_.store->stopRequest(run) == StopKind::now; })) << run;
  }
}

TEST_F(WindowLaunch, ALaunchIntoAStoreThatWasDeletedBeginsANewOneThere) {
  test::recordRun(*small_.store, test::FinishedRun{"before", 1, 0.9, 40});
  ASSERT_TRUE(small_.settled());
  openExperiment();
  for (const char* name : {"store.db", "store.db-wal", "store.db-shm"}) {
    std::filesystem::remove(small_.folder.path() / name);
  }
  ASSERT_TRUE(test::eventually([&] { return line().text().contains(QStringLiteral("Store not found")); }));
  const auto listSays = [&] {
    const auto labels = window_.findChild<RunsDock*>()->findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
      return label->isVisible() && label->text().contains(QStringLiteral("Store not found"));
    });
  };
  EXPECT_TRUE(test::eventually(listSays)) << "the list does not say why it is empty";
  QSignalSpy refused(&workspace().launcher(), &Launcher::refused);
  QSignalSpy started(&workspace().launcher(), &Launcher::started);
  Q_EMIT boost()->launchWanted();
  ASSERT_TRUE(test::eventually([&] { return !refused.isEmpty(); })) << "the folder holds other files";
  EXPECT_FALSE(line().text().startsWith(QStringLiteral("Starting…"))) << line().text().toStdString();
  std::filesystem::remove_all(small_.folder.path());
  Q_EMIT boost()->launchWanted();
  ASSERT_TRUE(test::eventually([&] { return !started.isEmpty(); }));
  const std::string run = started[0][0].toString().toStdString();
  ASSERT_TRUE(test::eventually(
      [&] {
        const RunRow* row = workspace().store().snapshot()->find(run);
        return row != nullptr && row->run.state == RunState::done;
      },
      testTimeout));
  EXPECT_EQ(workspace().store().snapshot()->runs.size(), 1U);
  EXPECT_TRUE(test::eventually([&] { return line().text().startsWith(QStringLiteral("Idle")); }));
}

}  // namespace
}  // namespace slipstream::ui
