// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSignalSpy>
#include <string>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "tests/ui/user_input.h"
#include "ui/charts/charts_page.h"
#include "ui/window/main_window.h"

namespace slipstream::test {

/// The window on an empty store of its own, used as a person uses it, with real runs of four ranks.
class DrivenWindow : public testing::Test {
 protected:
  static constexpr int testTimeout = 300'000;

  DrivenWindow();
  ~DrivenWindow() override;

  ui::Workspace& workspace() { return small_.workspace; }
  ui::MainWindow& window() { return window_; }
  RunStore& store() { return *small_.store; }
  std::filesystem::path file(const std::string& name) const { return small_.folder.path() / name; }
  void write(const std::string& name, const Json& content);

  /// The open experiment is planned and has no mistake.
  bool planned();
  RunState stateOf(const std::string& run);
  bool reaches(const std::string& run, RunState state);
  std::int64_t stepsOf(const std::string& run);
  bool hasSteps(const std::string& run, std::int64_t more);
  /// Launches what is open by the tool bar, and waits for its first step.
  std::string launched();
  /// The chart of a metric on the page of charts, once there is one.
  ui::MetricChart* chartOf(const std::string& metric);

  /// Prints the longest that the window's thread was busy with one event since the last call; `first`: widgets are made
  /// and polished there. What is printed is for whoever measures (tests/bench/README.md); tests judge no times.
  void sayLongestEvent(const char* while_, bool first = false);

 private:
  SmallWorkspace small_;
  ui::MainWindow window_{small_.workspace};
};

/// Long enough to be watched, stopped and resumed; short enough to be waited for.
Json experimentOfFourRanks(int steps);

}  // namespace slipstream::test
