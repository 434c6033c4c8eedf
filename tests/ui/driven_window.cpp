#include "tests/ui/driven_window.h"

#include <cstdio>

#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/plan/json.h"
#include "ui/parts/gui_watchdog.h"

namespace slipstream::test {
namespace {

using namespace slipstream::ui;

/// Sanitizers slow the program several times.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool measures = false;
#else
constexpr bool measures = true;
#endif
constexpr double longestMilliseconds = 16;

WatchedApplication& application() {
  return *static_cast<WatchedApplication*>(qApp);
}

}  // namespace

Json experimentOfFourRanks(int steps) {
  Json experiment = Json::parse(R"({
    "name": "driven", "seed": 3,
    "network": {"layers": [{"type": "flatten"}, {"type": "dense", "outputs": 24}, {"type": "relu"},
                           {"type": "dense", "outputs": 10}]},
    "dataset": {"name": "digits", "batch_size": 16, "train_samples": 640, "evaluation_samples": 128},
    "loss": "cross_entropy",
    "optimizer": {"name": "momentum", "momentum": 0.9, "learning_rate": 0.05},
    "parallel": {"ranks": 4},
    "train": {"checkpoint": {"save_checkpoint_steps": 50, "keep_checkpoint_max": 3}}
  })");
  experiment["train"]["steps"] = steps;
  return experiment;
}

DrivenWindow::DrivenWindow() {
  small_.open();
  window_.show();
  window_.activateWindow();
  EXPECT_TRUE(QTest::qWaitForWindowActive(&window_));
  application().forget();
}

/// No run outlives its test, however it ends.
DrivenWindow::~DrivenWindow() {
  for (const RunRecord& run : store().heads()) {
    if (isLiving(run.state)) store().requestStop(run.id, StopKind::now);
  }
  const bool ended = QTest::qWaitFor(
      [this] {
        const std::vector<RunRecord> runs = store().heads();
        return std::none_of(runs.begin(), runs.end(), [](const RunRecord& run) {
          return isLiving(run.state) && livenessOf(run.supervisor) == Liveness::alive;
        });
      },
      patience);
  EXPECT_TRUE(ended) << "a run goes on";
}

void DrivenWindow::write(const std::string& name, const Json& content) {
  ASSERT_TRUE(writeFile(file(name), content.dump(2)));
}

bool DrivenWindow::planned() {
  return QTest::qWaitFor([this] { return workspace().experiment().isCurrent(); }, patience);
}

RunState DrivenWindow::stateOf(const std::string& run) {
  const RunRow* row = workspace().store().snapshot()->find(run);
  return row == nullptr ? RunState::draft : row->run.state;
}

bool DrivenWindow::reaches(const std::string& run, RunState state) {
  return QTest::qWaitFor([&] { return stateOf(run) == state; }, patience);
}

std::int64_t DrivenWindow::stepsOf(const std::string& run) {
  return static_cast<std::int64_t>(store().series(run, "loss").steps.size());
}

bool DrivenWindow::hasSteps(const std::string& run, std::int64_t more) {
  return QTest::qWaitFor([&] { return stepsOf(run) >= more; }, patience);
}

std::string DrivenWindow::launched() {
  QSignalSpy started(&workspace().launcher(), &Launcher::started);
  QSignalSpy refused(&workspace().launcher(), &Launcher::refused);
  clickTool(&window_, window_.actions().launch);
  EXPECT_TRUE(QTest::qWaitFor([&] { return started.count() + refused.count() > 0; }, patience));
  EXPECT_EQ(refused.count(), 0) << (refused.isEmpty() ? "" : refused[0][0].toString().toStdString());
  if (started.isEmpty()) return {};
  const std::string run = started[0][0].toString().toStdString();
  EXPECT_TRUE(hasSteps(run, 1));
  EXPECT_TRUE(QTest::qWaitFor([&] { return stateOf(run) != RunState::draft; }, patience)) << "the window sees it";
  return run;
}

MetricChart* DrivenWindow::chartOf(const std::string& metric) {
  const auto* page = static_cast<ChartsPage*>(window_.page(QStringLiteral("charts")));
  MetricChart* found = nullptr;
  const bool there = QTest::qWaitFor(
      [&] {
        for (MetricChart* chart : page->charts()) {
          if (chart->metric() == metric && !chart->picture().curves.empty()) found = chart;
        }
        return found != nullptr;
      },
      patience);
  EXPECT_TRUE(there) << "no curve of " << metric;
  return found;
}

void DrivenWindow::expectCalm(const char* while_, bool first) {
  const Stall longest = application().longest();
  std::printf("longest event while %s: %.1f ms of the thread (%.1f passed), type %d of %s%s\n", while_,
              longest.cpuMilliseconds, longest.milliseconds, longest.eventType, qPrintable(longest.receiver),
              first ? ", shown for the first time" : "");
  std::fflush(stdout);
  if (measures && !first) {
    EXPECT_LE(longest.cpuMilliseconds, longestMilliseconds) << while_;
  }
  application().forget();
}

}  // namespace slipstream::test
