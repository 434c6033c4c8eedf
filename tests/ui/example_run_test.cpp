// SPDX-License-Identifier: GPL-3.0-or-later
// The first minute with the window: the example runs, its points arrive, and it stops when asked.
#include <QElapsedTimer>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"
#include "ui/window/example.h"

namespace slipstream::ui {
namespace {

TEST(ExampleRun, PointsArriveAndItStopsWhenAsked) {
  test::SmallWorkspace small;
  small.open();
  QElapsedTimer clock;
  clock.start();
  QString refusal;
  QObject::connect(&small.workspace.launcher(), &Launcher::refused, [&](const QString& words) { refusal = words; });
  launchExample(small.workspace);
  Workspace& workspace = small.workspace;
  ASSERT_TRUE(test::eventually([&] { return workspace.currentRun() != nullptr || !refusal.isEmpty(); }));
  ASSERT_TRUE(refusal.isEmpty()) << refusal.toStdString();
  ASSERT_NE(workspace.currentRun(), nullptr);
  const std::string run = workspace.currentRun()->run.id;
  ASSERT_TRUE(test::eventually([&] { return !small.store->series(run, "loss").steps.empty(); }));
  std::printf("first point %lld ms after the click\n", static_cast<long long>(clock.elapsed()));
  EXPECT_TRUE(workspace.launcher().isBusy());
  workspace.launcher().stop({run}, StopKind::now);
  ASSERT_TRUE(test::eventually([&] { return !workspace.launcher().isBusy(); }));
  EXPECT_EQ(workspace.store().snapshot()->find(run)->run.state, RunState::stopped);
}

}  // namespace
}  // namespace slipstream::ui
