// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/launch/launcher.h"

#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"

namespace slipstream::ui {
namespace {

using test::SmallWorkspace;

/// A launch that is refused at once: what matters here is when it is tried.
QString refusalOf(QSignalSpy& refused) {
  if (refused.isEmpty() && !refused.wait(20'000)) return {};
  return refused.takeFirst().front().toString();
}

/// A run that lives as long as this program, so that launches wait.
std::string livingRun(SmallWorkspace& small) {
  const std::string living = small.store->createRun(test::sampleRun());
  small.store->setSupervisor(living, thisProcess());
  small.store->setState(living, RunState::running, "");
  return living;
}

void end(SmallWorkspace& small, const std::string& run) {
  small.store->setState(run, RunState::done, "");
  small.store->setSupervisor(run, {});
}

bool hasQueued(const Launcher& launcher, std::size_t count) {
  return test::eventually([&] { return launcher.queue().size() == count; });
}

constexpr const char* wrongExperiment = R"({"name": "wrong", "networks": "lenet5"})";
constexpr const char* briefExperiment = R"({
  "name": "brief",
  "network": {"layers": [{"type": "flatten"}, {"type": "dense", "outputs": 10}]},
  "dataset": {"name": "digits", "batch_size": 16, "train_samples": 64, "evaluation_samples": 16},
  "loss": "cross_entropy",
  "optimizer": {"name": "momentum", "momentum": 0.9, "learning_rate": 0.05},
  "train": {"steps": 4}
})";

TEST(Launcher, WhatTheCommandLineRefusesIsToldInItsWords) {
  SmallWorkspace small;
  small.open();
  QSignalSpy refused(&small.workspace.launcher(), &Launcher::refused);
  small.workspace.launcher().run({{}, wrongExperiment, small.folder.path() / "wrong.json", small.folder.path()});
  const QString words = refusalOf(refused);
  EXPECT_TRUE(words.contains(QStringLiteral("networks"))) << words.toStdString();
  EXPECT_FALSE(words.contains(QStringLiteral("\"problem\""))) << words.toStdString();
  EXPECT_FALSE(small.workspace.launcher().isBusy());
}

TEST(Launcher, ALaunchWaitsForTheRunThatLives) {
  SmallWorkspace small;
  const std::string living = livingRun(small);
  small.open();
  Launcher& launcher = small.workspace.launcher();
  QSignalSpy refused(&launcher, &Launcher::refused);
  launcher.runInTurn(QStringLiteral("wrong"), wrongExperiment, small.folder.path() / "wrong.json");
  ASSERT_TRUE(hasQueued(launcher, 1));
  QTest::qWait(700);
  EXPECT_EQ(launcher.queue().size(), 1U) << "the run still lives";
  end(small, living);
  EXPECT_TRUE(refusalOf(refused).contains(QStringLiteral("networks")));
  EXPECT_TRUE(launcher.queue().empty());
}

TEST(Launcher, WhatWaitsIsRunAsItWasWhateverBecomesOfItsFile) {
  SmallWorkspace small;
  const std::string living = livingRun(small);
  small.open();
  Launcher& launcher = small.workspace.launcher();
  const std::filesystem::path file = small.folder.path() / "elsewhere" / "table.json";
  ASSERT_TRUE(makeFolder(file.parent_path()));
  std::string text = briefExperiment;
  text.insert(text.rfind('}'), R"(, "parallel": {"rank_table": "ranks.json"})");
  QSignalSpy refused(&launcher, &Launcher::refused);
  launcher.runInTurn(QStringLiteral("brief"), text, file);  // the file itself is gone, or was never there
  ASSERT_TRUE(hasQueued(launcher, 1));
  end(small, living);
  const std::string expected = (file.parent_path() / "ranks.json").string();
  EXPECT_TRUE(refusalOf(refused).contains(QString::fromStdString(expected))) << "paths are relative to the file";
}

TEST(Launcher, TheQueueIsRememberedAndCanBeTakenFrom) {
  SmallWorkspace small;
  livingRun(small);
  small.open();
  small.workspace.launcher().runInTurn(QStringLiteral("first"), "{}", "/first.json");
  small.workspace.launcher().runInTurn(QStringLiteral("second"), "{ }", "/second.json");
  ASSERT_TRUE(hasQueued(small.workspace.launcher(), 2));
  Workspace next;
  ASSERT_TRUE(next.store().open(small.folder.path()));
  ASSERT_TRUE(hasQueued(next.launcher(), 2));
  EXPECT_EQ(next.launcher().queue()[1].title, QStringLiteral("second"));
  EXPECT_EQ(next.launcher().queue()[1].text, "{ }");
  for (const QueuedLaunch& launch : next.launcher().queue()) next.launcher().removeFromQueue(launch.number);
  EXPECT_TRUE(next.launcher().queue().empty());
  EXPECT_TRUE(hasQueued(small.workspace.launcher(), 0)) << "the other window sees it";
}

TEST(Launcher, OneWindowAtATimeCarriesOnWhatWaits) {
  SmallWorkspace small;
  const std::string living = livingRun(small);
  small.open();
  auto first = std::make_unique<Workspace>();
  ASSERT_TRUE(first->store().open(small.folder.path()));
  ASSERT_TRUE(test::eventually([&] { return first->store().snapshot()->hasLiving(); }));
  first->launcher().runInTurn(QStringLiteral("wrong"), wrongExperiment, "/wrong.json");
  ASSERT_TRUE(hasQueued(small.workspace.launcher(), 1));
  QSignalSpy told(&small.workspace.launcher(), &Launcher::reported);
  small.workspace.launcher().runInTurn(QStringLiteral("second"), wrongExperiment, "/second.json");
  ASSERT_TRUE(test::eventually([&] { return !told.isEmpty(); }));
  EXPECT_TRUE(told.back().front().toString().contains(QStringLiteral("another window")));
  ASSERT_TRUE(hasQueued(small.workspace.launcher(), 2));

  QSignalSpy refused(&small.workspace.launcher(), &Launcher::refused);
  QSignalSpy refusedFirst(&first->launcher(), &Launcher::refused);
  end(small, living);
  EXPECT_FALSE(refusalOf(refusedFirst).isEmpty());
  EXPECT_TRUE(refused.isEmpty()) << "two windows launched";
  ASSERT_TRUE(hasQueued(small.workspace.launcher(), 1));
  first.reset();
  EXPECT_TRUE(refusalOf(refused).contains(QStringLiteral("networks"))) << "the window that is left carries on";
}

TEST(Launcher, AStartOutlivesTheWindowThatAskedForIt) {
  SmallWorkspace small;
  {
    Workspace brief;
    ASSERT_TRUE(brief.store().open(small.folder.path()));
    brief.launcher().run({{}, briefExperiment, small.folder.path() / "brief.json", small.folder.path()});
  }
  ASSERT_EQ(small.store->heads().size(), 1U);
  EXPECT_TRUE(test::eventually([&] { return isTerminal(small.store->heads()[0].state); }));
  EXPECT_EQ(small.store->heads()[0].state, RunState::done) << small.store->heads()[0].why;
}

TEST(Launcher, WhatWentOnWithoutTheWindowIsTold) {
  SmallWorkspace small;
  const std::string living = small.store->createRun(test::sampleRun());
  small.store->setSupervisor(living, thisProcess());
  small.store->setState(living, RunState::running, "");
  QSignalSpy reported(&small.workspace, &Workspace::reported);
  small.open();
  ASSERT_FALSE(reported.isEmpty());
  EXPECT_TRUE(reported.front().front().toString().contains(QStringLiteral("still running")));
}

TEST(Launcher, ARunThatIsNotInTheStoreIsNotWaitedForForEver) {
  SmallWorkspace small;
  small.open();
  const test::TemporaryFolder elsewhere;
  Launcher& launcher = small.workspace.launcher();
  QSignalSpy started(&launcher, &Launcher::started);
  launcher.run({{}, briefExperiment, small.folder.path() / "brief.json", elsewhere.path()});
  ASSERT_TRUE(test::eventually([&] { return !started.isEmpty(); }));
  EXPECT_TRUE(test::eventually([&] { return !launcher.isStarting(); }));
  const auto there = test::openStore(elsewhere.path());
  EXPECT_TRUE(test::eventually([&] { return isTerminal(there->heads().at(0).state); }));
}

}  // namespace
}  // namespace slipstream::ui
