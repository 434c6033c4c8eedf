// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/driven_window.h"

#include <QSignalSpy>
#include <QTest>
#include <cstdio>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/config/json.h"
#include "tests/ui/gui_watchdog.h"
#include "tests/ui/wait_until.h"

namespace slipstream::test {
namespace {

using namespace slipstream::ui;

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
  const bool ended = test::eventually(
      [this] {
        const std::vector<RunRecord> runs = store().heads();
        return std::none_of(runs.begin(), runs.end(), [](const RunRecord& run) {
          return isLiving(run.state) && livenessOf(run.supervisor) == Liveness::alive;
        });
      },
      testTimeout);
  EXPECT_TRUE(ended) << "a run goes on";
}

void DrivenWindow::write(const std::string& name, const Json& content) {
  ASSERT_TRUE(writeFile(file(name), content.dump(2)));
}

bool DrivenWindow::planned() {
  return test::eventually([this] { return workspace().experiment().isCurrent(); });
}

RunState DrivenWindow::stateOf(const std::string& run) {
  const RunRow* row = workspace().store().snapshot()->find(run);
  return row == nullptr ? RunState::draft : row->run.state;
}

bool DrivenWindow::reaches(const std::string& run, RunState state) {
  return test::eventually([&] { return stateOf(run) == state; });
}

std::int64_t DrivenWindow::stepsOf(const std::string& run) {
  return static_cast<std::int64_t>(store().series(run, "loss").steps.size());
}

bool DrivenWindow::hasSteps(const std::string& run, std::int64_t more) {
  return test::eventually([&] { return stepsOf(run) >= more; });
}

std::string DrivenWindow::launched() {
  QSignalSpy started(&workspace().launcher(), &Launcher::started);
  QSignalSpy refused(&workspace().launcher(), &Launcher::refused);
  clickTool(&window_, window_.actions().launch);
  EXPECT_TRUE(test::eventually([&] { return started.count() + refused.count() > 0; }));
  EXPECT_EQ(refused.count(), 0) << (refused.isEmpty() ? "" : refused[0][0].toString().toStdString());
  if (started.isEmpty()) return {};
  const std::string run = started[0][0].toString().toStdString();
  EXPECT_TRUE(hasSteps(run, 1));
  EXPECT_TRUE(test::eventually([&] { return stateOf(run) != RunState::draft; })) << "the window sees it";
  return run;
}

MetricChart* DrivenWindow::chartOf(const std::string& metric) {
  const auto* page = static_cast<ChartsPage*>(window_.page(PageId::charts));
  MetricChart* found = nullptr;
  const bool there = test::eventually(
      [&] {
        for (MetricChart* chart : page->charts()) {
          if (chart->metric() == metric && !chart->model().curves.empty()) found = chart;
        }
        return found != nullptr;
      },
      testTimeout);
  EXPECT_TRUE(there) << "no curve of " << metric;
  return found;
}

void DrivenWindow::sayLongestEvent(const char* while_, bool first) {
  const Stall longest = application().longest();
  std::printf("longest event while %s: %.1f ms of the thread (%.1f passed), type %d of %s%s\n", while_,
              longest.cpuMilliseconds, longest.milliseconds, longest.eventType, qPrintable(longest.receiver),
              first ? ", shown for the first time" : "");
  std::fflush(stdout);
  application().forget();
}

}  // namespace slipstream::test
