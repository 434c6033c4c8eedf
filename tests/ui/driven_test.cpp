// The window from the first file to the report, as a person would go through it, with a real run of four ranks.
#include <QAction>
#include <QSignalSpy>
#include <QTest>
#include <csignal>
#include <cstdio>
#include <filesystem>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/plan/json.h"
#include "engine/record/series.h"
#include "tests/ui/small_workspace.h"
#include "ui/parts/gui_watchdog.h"
#include "ui/report/report_saver.h"
#include "ui/window/main_window.h"

namespace slipstream::ui {
namespace {

constexpr int patience = 60'000;

/// Long enough to be watched, stopped and resumed; short enough to be waited for.
Json experimentOfFourRanks() {
  return Json::parse(R"({
    "name": "driven", "seed": 3,
    "network": {"layers": [{"type": "flatten"}, {"type": "dense", "outputs": 24}, {"type": "relu"},
                           {"type": "dense", "outputs": 10}]},
    "dataset": {"name": "digits", "batch_size": 16, "train_samples": 640, "evaluation_samples": 128},
    "loss": "cross_entropy",
    "optimizer": {"name": "momentum", "momentum": 0.9, "learning_rate": 0.05},
    "parallel": {"ranks": 4},
    "train": {"steps": 3000, "checkpoint": {"save_checkpoint_steps": 50, "keep_checkpoint_max": 3}}
  })");
}

class DrivenWindow : public testing::Test {
 protected:
  DrivenWindow() {
    small_.open();
    window_.show();
  }

  Workspace& workspace() { return small_.workspace; }
  std::filesystem::path file(const std::string& name) const { return small_.folder.path() / name; }
  void write(const std::string& name, const Json& content) { ASSERT_TRUE(writeFile(file(name), content.dump(2))); }

  /// The experiment on the Boost page has been planned and has no mistake.
  bool planned() {
    return QTest::qWaitFor([&] { return workspace().experiment().isCurrent(); }, patience);
  }
  RunState stateOf(const std::string& run) {
    const RunRow* row = workspace().store().snapshot()->find(run);
    return row == nullptr ? RunState::draft : row->run.state;
  }
  bool reaches(const std::string& run, RunState state) {
    return QTest::qWaitFor([&] { return stateOf(run) == state; }, patience);
  }
  std::int64_t stepsOf(const std::string& run) {
    return static_cast<std::int64_t>(small_.store->series(run, "loss").steps.size());
  }
  /// Launches what is open, and waits for its first step.
  std::string launched() {
    QSignalSpy started(&workspace().launcher(), &Launcher::started);
    QSignalSpy refused(&workspace().launcher(), &Launcher::refused);
    window_.actions().launch->trigger();
    EXPECT_TRUE(QTest::qWaitFor([&] { return started.count() + refused.count() > 0; }, patience));
    EXPECT_EQ(refused.count(), 0) << (refused.isEmpty() ? "" : refused[0][0].toString().toStdString());
    if (started.isEmpty()) return {};
    const std::string run = started[0][0].toString().toStdString();
    EXPECT_TRUE(QTest::qWaitFor([&] { return stepsOf(run) > 0; }, patience));
    return run;
  }

  test::SmallWorkspace small_;
  MainWindow window_{small_.workspace};
};

TEST_F(DrivenWindow, FromAFileToAReport) {
  auto* application = dynamic_cast<WatchedApplication*>(qApp);
  ASSERT_NE(application, nullptr);

  // A level of boost is chosen, taken back and chosen again.
  write("driven.json", experimentOfFourRanks());
  ASSERT_TRUE(window_.openFile(file("driven.json")));
  ASSERT_TRUE(planned());
  application->forget();
  const std::string before = workspace().experiment().text();
  Json boosted = experimentOfFourRanks();
  boosted["boost"] = {{"level", "O2"}};
  workspace().experiment().edit(boosted.dump(2), QStringLiteral("Level"));
  ASSERT_TRUE(planned());
  EXPECT_TRUE(workspace().experiment().planned()->plans[0].experiment.boost.adasum);
  window_.actions().undo->trigger();
  EXPECT_EQ(workspace().experiment().text(), before);
  window_.actions().redo->trigger();
  ASSERT_TRUE(planned());
  ASSERT_TRUE(workspace().experiment().save(file("driven.json")));

  // It runs, its points arrive, and it stops after a checkpoint.
  const std::string run = launched();
  ASSERT_FALSE(run.empty());
  EXPECT_EQ(window_.frontPage(), QStringLiteral("charts"));
  const std::int64_t seen = stepsOf(run);
  ASSERT_TRUE(QTest::qWaitFor([&] { return stepsOf(run) > seen + 20; }, patience));
  EXPECT_TRUE(window_.actions().stopAfterCheckpoint->isEnabled());
  window_.actions().stopAfterCheckpoint->trigger();
  ASSERT_TRUE(reaches(run, RunState::stopped));
  const auto checkpoints = small_.store->checkpoints(run);
  ASSERT_FALSE(checkpoints.empty());

  // It goes on from there, and is stopped for good.
  workspace().selection().setCurrent(run);
  ASSERT_TRUE(window_.actions().resume->isEnabled());
  window_.actions().resume->trigger();
  ASSERT_TRUE(reaches(run, RunState::running));
  ASSERT_TRUE(QTest::qWaitFor([&] { return stepsOf(run) > checkpoints.back().step + 10; }, patience));
  window_.actions().stopNow->trigger();
  ASSERT_TRUE(reaches(run, RunState::stopped));

  // Held against another run, and reported.
  Json plain = experimentOfFourRanks();
  plain["train"]["steps"] = 40;
  write("plain.json", plain);
  ASSERT_TRUE(window_.openFile(file("plain.json")));
  ASSERT_TRUE(planned());
  const std::string other = launched();
  ASSERT_TRUE(reaches(other, RunState::done));
  workspace().selection().setShown({run, other}, other);
  for (const char* page : {"compare", "ranks", "layers", "checkpoints", "report"}) {
    window_.showPage(QString::fromLatin1(page));
    QTest::qWait(300);
  }
  ReportSaver saver(workspace(), &window_);
  QSignalSpy saved(&saver, &ReportSaver::saved);
  saver.save(file("report.html"));
  ASSERT_TRUE(QTest::qWaitFor([&] { return saved.count() == 1; }, patience));
  EXPECT_GT(std::filesystem::file_size(file("report.html")), 10'000U);

  const Stall& longest = application->longest();
  std::printf("longest event of the window's thread: %.1f ms of its own (%.1f passed), type %d of %s\n",
              longest.cpuMilliseconds, longest.milliseconds, longest.eventType, qPrintable(longest.receiver));
}

TEST_F(DrivenWindow, ARunOutlivesTheWindow) {
  Json brief = experimentOfFourRanks();
  brief["train"]["steps"] = 400;
  write("brief.json", brief);
  std::string run;
  {
    Workspace first;
    ASSERT_TRUE(first.store().open(small_.folder.path()));
    MainWindow window(first);
    ASSERT_TRUE(window.openFile(file("brief.json")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return first.experiment().isCurrent(); }, patience));
    QSignalSpy started(&first.launcher(), &Launcher::started);
    window.actions().launch->trigger();
    ASSERT_TRUE(QTest::qWaitFor([&] { return started.count() == 1; }, patience));
    run = started[0][0].toString().toStdString();
  }
  ASSERT_TRUE(reaches(run, RunState::done));
  EXPECT_EQ(stepsOf(run), 400);
}

TEST_F(DrivenWindow, AKilledSupervisorLeavesTheWindowTruthful) {
  write("driven.json", experimentOfFourRanks());
  ASSERT_TRUE(window_.openFile(file("driven.json")));
  ASSERT_TRUE(planned());
  const std::string run = launched();
  ASSERT_TRUE(reaches(run, RunState::running));
  const ProcessIdentity supervisor = small_.store->find(run)->supervisor;
  ASSERT_GT(supervisor.pid, 0);
  ASSERT_EQ(::kill(static_cast<pid_t>(supervisor.pid), SIGKILL), 0);
  EXPECT_TRUE(reaches(run, RunState::lost));
}

}  // namespace
}  // namespace slipstream::ui
