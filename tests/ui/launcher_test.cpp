#include "ui/launch/launcher.h"

#include <QSignalSpy>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/ui/small_workspace.h"

namespace slipstream::ui {
namespace {

using test::SmallWorkspace;

/// A launch that is refused at once: what matters here is when it is tried.
QString refusalOf(QSignalSpy& refused) {
  if (refused.isEmpty() && !refused.wait(20'000)) return {};
  return refused.takeFirst().front().toString();
}

TEST(Launcher, WhatTheCommandLineRefusesIsToldInItsWords) {
  SmallWorkspace small;
  small.open();
  const std::filesystem::path file = small.folder.path() / "wrong.json";
  ASSERT_TRUE(writeFile(file, R"({"name": "wrong", "networks": "lenet5"})"));
  QSignalSpy refused(&small.workspace.launcher(), &Launcher::refused);
  small.workspace.launcher().run(file, small.folder.path());
  EXPECT_TRUE(refusalOf(refused).contains(QStringLiteral("networks")));
  EXPECT_FALSE(small.workspace.launcher().isBusy());
}

TEST(Launcher, ALaunchWaitsForTheRunThatLives) {
  SmallWorkspace small;
  const std::string living = small.store->createRun(test::sampleRun());
  small.store->setSupervisor(living, thisProcess());
  small.store->setState(living, RunState::running, "");
  small.open();
  Launcher& launcher = small.workspace.launcher();
  QSignalSpy refused(&launcher, &Launcher::refused);
  launcher.runInTurn(small.folder.path() / "absent.json", QStringLiteral("absent"));
  ASSERT_EQ(launcher.queue().size(), 1U);
  QTest::qWait(700);
  EXPECT_EQ(launcher.queue().size(), 1U) << "the run still lives";
  small.store->setState(living, RunState::done, "");
  small.store->setSupervisor(living, {});
  EXPECT_TRUE(refusalOf(refused).contains(QStringLiteral("absent.json")));
  EXPECT_TRUE(launcher.queue().empty());
}

TEST(Launcher, TheQueueIsRememberedAndCanBeTakenFrom) {
  SmallWorkspace small;
  const std::string living = small.store->createRun(test::sampleRun());
  small.store->setSupervisor(living, thisProcess());
  small.open();
  small.workspace.launcher().runInTurn("/first.json", QStringLiteral("first"));
  small.workspace.launcher().runInTurn("/second.json", QStringLiteral("second"));
  Workspace next;
  ASSERT_TRUE(next.store().open(small.folder.path()));
  ASSERT_EQ(next.launcher().queue().size(), 2U);
  EXPECT_EQ(next.launcher().queue()[1].title, QStringLiteral("second"));
  for (const QueuedLaunch& launch : next.launcher().queue()) next.launcher().removeFromQueue(launch.number);
  EXPECT_TRUE(next.launcher().queue().empty());
}

TEST(Launcher, WhatWentOnWithoutTheWindowIsTold) {
  SmallWorkspace small;
  const std::string living = small.store->createRun(test::sampleRun());
  small.store->setSupervisor(living, thisProcess());
  small.store->setState(living, RunState::running, "");
  QSignalSpy said(&small.workspace, &Workspace::said);
  small.open();
  ASSERT_FALSE(said.isEmpty());
  EXPECT_TRUE(said.front().front().toString().contains(QStringLiteral("went on without the window")));
}

}  // namespace
}  // namespace slipstream::ui
