// SPDX-License-Identifier: GPL-3.0-or-later
// What ends otherwise than it was meant to is said, with its cause and a way on; what is well is not.
#include <QPushButton>
#include <QSignalSpy>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "tests/ui/user_input.h"
#include "ui/window/main_window.h"
#include "ui/window/window_notices.h"

namespace slipstream::ui {
namespace {

constexpr const char* twoVariants = R"({"name": "pair", "variants": [{"name": "averaged"}, {"name": "adasum"}]})";

class RunAlertsTest : public testing::Test {
 protected:
  /// A run under way of a launch of two variants, which did some steps.
  std::string begin(const char* variant = "averaged", std::int64_t steps = 407) {
    NewRun asked = test::sampleRun();
    asked.experimentName = "pair";
    asked.variant = variant;
    asked.group = "launch";
    asked.seed = 1;
    asked.ranks = 2;
    asked.experimentText = twoVariants;
    asked.planText = toJsonText(test::planOf(test::FinishedRun{variant, 1, 0.9, 1000, 2}));
    const std::string run = small_.store->createRun(asked);
    small_.store->setSupervisor(run, thisProcess());
    small_.store->setState(run, RunState::running, "");
    const int attempt = small_.store->startAttempt(run, 0);
    if (steps > 0) {
      const auto one = [](std::int64_t, std::size_t) { return 1.0; };
      small_.store->appendMetrics(run, attempt, 0, 1, test::block(0, steps, {"loss"}, one));
    }
    return run;
  }
  void end(const std::string& run, RunState state, const std::string& why) {
    small_.store->setState(run, state, why);
    ASSERT_TRUE(small_.settled());
    ASSERT_TRUE(test::answered(small_.workspace));
  }
  QString words() const {
    const auto alert = small_.workspace.alerts().newest();
    return alert ? alert->message : QString();
  }

  mutable test::SmallWorkspace small_;
};

TEST_F(RunAlertsTest, AFailedRunIsAnnouncedWithItsCauseAndAWayOn) {
  const std::string run = begin();
  small_.store->addCheckpoint(run, {400, 1, true, 1000, 1000, 7});
  small_.open();
  MainWindow window(small_.workspace);
  window.show();
  const auto* banner = window.findChild<AlertBanner*>();
  EXPECT_FALSE(banner->isVisible());
  small_.workspace.selection().setCurrent(run);
  QSignalSpy reported(&small_.workspace, &Workspace::reported);
  end(run, RunState::failed, "rank 1 was killed by signal 9");
  ASSERT_TRUE(test::eventually([&] { return banner->isVisible(); }));
  EXPECT_EQ(words(), QStringLiteral("averaged · seed 1 failed after step 407: rank 1 was killed by signal 9. "
                                    "Resumed, it continues from the checkpoint of step 400."));
  ASSERT_FALSE(reported.isEmpty());
  EXPECT_TRUE(reported.back()[0].toString().contains(QStringLiteral("rank 1 was killed")));
  EXPECT_EQ(small_.workspace.selection().current(), run);
  EXPECT_NE(test::buttonWith(banner, QStringLiteral("Resume")), nullptr);
  small_.store->setState(run, RunState::starting, "");  // somebody has resumed it
  EXPECT_TRUE(test::eventually([&] { return !banner->isVisible(); }));
}

TEST_F(RunAlertsTest, TheNextRunOfTheQueueLeavesAFailureInSight) {
  const std::string failed = begin();
  small_.open();
  small_.workspace.selection().setCurrent(failed);
  end(failed, RunState::failed, "rank 0 has been silent for 5 s");
  const std::string next = begin("adasum", 5);
  ASSERT_TRUE(small_.settled());
  QSignalSpy wanted(&small_.workspace, &Workspace::pageWanted);
  Q_EMIT small_.workspace.launcher().started(QString::fromStdString(next), true);
  EXPECT_EQ(small_.workspace.selection().current(), failed);
  EXPECT_TRUE(wanted.isEmpty()) << "nobody is taken from the page in front";
  Q_EMIT small_.workspace.launcher().started(QString::fromStdString(next), false);
  EXPECT_EQ(small_.workspace.selection().current(), next) << "whoever launches sees the run";
}

TEST_F(RunAlertsTest, WhatHadEndedBeforeIsNoNews) {
  const std::string old = begin();
  small_.store->setState(old, RunState::failed, "long ago");
  small_.open();
  ASSERT_TRUE(test::answered(small_.workspace));
  EXPECT_TRUE(words().isEmpty());
  const std::string run = begin("adasum");
  ASSERT_TRUE(small_.settled());
  end(run, RunState::done, "");
  EXPECT_TRUE(words().isEmpty()) << "a run that is done is no alert";
}

TEST_F(RunAlertsTest, AFailureBeforeTheFirstStepSaysSo) {
  const std::string run = begin("averaged", 0);
  small_.open();
  end(run, RunState::failed, "mpirun could not start");
  ASSERT_TRUE(test::eventually([&] { return !words().isEmpty(); }));
  EXPECT_EQ(words(), QStringLiteral("averaged · seed 1 failed before its first step: mpirun could not start. It has no "
                                    "checkpoint: resumed, it begins again."));
}

TEST_F(RunAlertsTest, AStopThatEndsALaunchNamesWhatDidNotRun) {
  const std::string run = begin();
  small_.open();
  ASSERT_TRUE(test::eventually([&] { return small_.workspace.comingRuns().all().size() == 1; }));
  EXPECT_EQ(small_.workspace.comingRuns().all().front(), (ComingRun{"launch", "pair", {"adasum", 1}}))
      << "it is in sight";
  end(run, RunState::stopped, "");
  ASSERT_TRUE(test::eventually([&] { return !words().isEmpty(); }));
  EXPECT_EQ(words(),
            QStringLiteral("averaged · seed 1 was stopped after step 407. The launch ended with it: adasum · seed 1 "
                           "did not run."));
  EXPECT_TRUE(small_.workspace.comingRuns().all().empty());
}

TEST_F(RunAlertsTest, AStopOfTheLastRunIsNoAlert) {
  small_.store->setState(begin("averaged", 5), RunState::done, "");
  const std::string run = begin("adasum");
  small_.open();
  ASSERT_TRUE(test::answered(small_.workspace));
  EXPECT_TRUE(small_.workspace.comingRuns().all().empty());
  end(run, RunState::stopped, "");
  EXPECT_TRUE(words().isEmpty());
}

TEST_F(RunAlertsTest, AStoreIsGreetedWithWhatRanBeforeAndNothingElse) {
  QSignalSpy told(&small_.workspace.launcher(), &Launcher::reported);
  small_.open();
  ASSERT_TRUE(test::answered(small_.workspace));
  begin();  // by this window, or by anybody, after the store was opened
  ASSERT_TRUE(small_.settled());
  EXPECT_TRUE(told.isEmpty()) << told.back()[0].toString().toStdString();
  Workspace next;
  QSignalSpy greeted(&next.launcher(), &Launcher::reported);
  ASSERT_TRUE(next.store().open(small_.folder.path()));
  ASSERT_TRUE(test::eventually([&] { return !greeted.isEmpty(); }));
  EXPECT_TRUE(greeted[0][0].toString().startsWith(QStringLiteral("1 run")));
}

}  // namespace
}  // namespace slipstream::ui
