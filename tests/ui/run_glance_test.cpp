// SPDX-License-Identifier: GPL-3.0-or-later
// A run at one glance: how it stands, what to do next, what it was asked, what acted; and notices of the desktop.
#include "ui/runs/run_glance.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTest>
#include <limits>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "tests/ui/user_input.h"
#include "ui/runs/run_inspector.h"
#include "ui/widgets/widgets.h"
#include "ui/window/desktop_notices.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

using test::FinishedRun;

class RunGlanceTest : public testing::Test {
 protected:
  void show(const std::string& run) {
    small_.open();
    small_.workspace.selection().setCurrent(run);
    inspector_ = std::make_unique<RunInspector>(small_.workspace, nullptr);
    inspector_->resize(320, 800);
    inspector_->show();
    ASSERT_TRUE(test::eventually([this] { return inspector_->glance().isVisible(); }));
  }
  /// All that is said, line by line.
  std::string words() const {
    QCoreApplication::processEvents();  // rows that were added are shown now
    QStringList all;
    for (const QLabel* one : inspector_->glance().findChildren<QLabel*>()) {
      const auto* elided = qobject_cast<const ElidedLabel*>(one);
      if (!one->isHidden()) all << (elided != nullptr ? elided->whole() : one->text());
    }
    return all.join(QLatin1Char('\n')).toStdString();
  }
  bool says(const char* text) const { return words().find(text) != std::string::npos; }

  test::SmallWorkspace small_;
  std::unique_ptr<RunInspector> inspector_;
};

TEST_F(RunGlanceTest, NothingOfTheRunBeforeStandsBelowAnothersTitle) {
  const std::string one = test::recordRun(*small_.store, FinishedRun{"adasum", 3, 0.95, 400, 2, true});
  const std::string other = test::recordRun(*small_.store, FinishedRun{"mean", 1, 0.9, 400, 2, false});
  show(one);
  ASSERT_TRUE(test::answered(small_.workspace));
  small_.workspace.selection().setCurrent(other);
  EXPECT_FALSE(inspector_->glance().isVisible()) << "until its own is read";
  EXPECT_TRUE(test::eventually([this] { return inspector_->glance().isVisible(); }));
}

TEST_F(RunGlanceTest, NothingIsCutWhereItIsNarrowAndWithoutARunThereIsTheHeadAlone) {
  const std::string run = test::recordRun(*small_.store, FinishedRun{"adasum", 3, 0.95, 400, 2, true});
  small_.store->setState(run, RunState::stopped, "stopped after step 400, as asked");
  show(run);
  inspector_->resize(100, 800);
  QCoreApplication::processEvents();
  const auto* area = inspector_->findChild<QScrollArea*>();
  EXPECT_TRUE(test::eventually([&] { return area->widget()->width() <= area->viewport()->width(); }));
  EXPECT_TRUE(says("Stopped after step 400, as asked"));
  small_.workspace.selection().setShown({}, "");
  EXPECT_TRUE(test::eventually([&] { return !inspector_->findChild<QPlainTextEdit*>()->isVisible(); }));
  EXPECT_FALSE(inspector_->glance().isVisible());
}

TEST_F(RunGlanceTest, AFailureHasItsCauseAndAWayOn) {
  const std::string run = test::recordRun(*small_.store, FinishedRun{"adasum", 3, 0.95, 400, 2, true});
  small_.store->setState(run, RunState::failed, "rank 1 was killed by signal 9");
  small_.store->addCheckpoint(run, {300, 1, true, 1000, 1000, 7});
  show(run);
  EXPECT_TRUE(says("rank 1 was killed by signal 9")) << words();
  EXPECT_TRUE(says("The checkpoint of step 300 is complete.")) << words();
  EXPECT_EQ(inspector_->glance().resumeButton()->text(), QStringLiteral("Resume at 300"));
  EXPECT_TRUE(inspector_->glance().resumeButton()->isEnabled());
}

TEST_F(RunGlanceTest, ARunThatIsDoneHasItsResultAndWhatItWas) {
  const std::string run = test::recordRun(*small_.store, FinishedRun{"adasum", 3, 0.95, 400, 2, true});
  show(run);
  EXPECT_TRUE(says("Accuracy 95.00 % at step 400")) << words();
  EXPECT_TRUE(inspector_->glance().resumeButton()->isHidden());
  EXPECT_TRUE(says("lenet5 · digits")) << words();
  EXPECT_TRUE(says("momentum 0.9")) << words();
  EXPECT_TRUE(says(" × 32 = 64")) << words();
  EXPECT_TRUE(says("95.00 % at step 400")) << words();
  EXPECT_TRUE(says("Time to 90 %")) << words();
  EXPECT_TRUE(says("Adasum")) << words();
  EXPECT_TRUE(says("level O0 does not include it")) << "what did not act, and why: " << words();
  inspector_->glance().commandButton()->click();
  EXPECT_EQ(QGuiApplication::clipboard()->text(), QStringLiteral("slipstream run experiment.json"));
}

TEST_F(RunGlanceTest, ANewExperimentAsksWhatTheRunWasAsked) {
  const char* file = R"({"name": "pair", "network": "lenet5", "seeds": [1, 2], "optimizer": {"learning_rate": 0.1},
    "variants": [{"name": "averaged"}, {"name": "adasum", "optimizer": {"learning_rate": 0.2}}]})";
  NewRun asked = test::sampleRun();
  asked.experimentText = file;
  asked.experimentName = "pair";
  asked.variant = "adasum";
  asked.seed = 5;
  asked.ranks = 4;
  asked.planText = toJsonText(test::planOf(FinishedRun{"adasum", 5, 0.9, 100, 4, true}));
  const std::string run = small_.store->createRun(asked);
  small_.store->setState(run, RunState::done, "");
  show(run);
  QSignalSpy wanted(&small_.workspace, &Workspace::pageWanted);
  inspector_->glance().newButton()->click();
  const Json begun = Json::parse(small_.workspace.experiment().text());
  EXPECT_FALSE(begun.contains("variants"));
  EXPECT_FALSE(begun.contains("seeds"));
  EXPECT_EQ(begun["name"], "pair");
  EXPECT_EQ(begun["seed"], 5);
  EXPECT_EQ(begun["parallel"]["ranks"], 4);
  EXPECT_EQ(begun["optimizer"]["learning_rate"]["lr_max"], 0.2) << "its variant's";
  ASSERT_EQ(wanted.count(), 1);
  EXPECT_EQ(wanted[0][0].value<PageId>(), PageId::plan);
  small_.workspace.experiment().discard();
  inspector_->glance().experimentButton()->click();
  EXPECT_EQ(small_.workspace.experiment().text(), file) << "as it was launched";
  small_.workspace.experiment().discard();
}

TEST_F(RunGlanceTest, ALossThatIsNoNumberIsSaid) {
  const std::string run = small_.store->createRun(test::sampleRun());
  const int attempt = small_.store->startAttempt(run, 0);
  small_.store->appendMetrics(run, attempt, 0, 1, test::block(0, 50, {"loss"}, [](std::int64_t step, std::size_t) {
                                return step < 41 ? 2.0 : std::numeric_limits<double>::quiet_NaN();
                              }));
  small_.store->setState(run, RunState::stopped, "");
  show(run);
  EXPECT_TRUE(says("The loss is NaN from step 41 on.")) << words();
}

/// What is said while the window is in the background.
class DesktopNoticesTest : public RunGlanceTest {
 protected:
  std::string begin(const std::function<double(std::int64_t, std::size_t)>& loss) {
    NewRun asked = test::sampleRun();
    asked.variant = "averaged";
    asked.seed = 1;
    asked.ranks = 1;  // a run that goes on has values where all of its ranks have reported them
    const std::string run = small_.store->createRun(asked);
    small_.store->setSupervisor(run, thisProcess());
    const int attempt = small_.store->startAttempt(run, 0);
    small_.store->appendMetrics(run, attempt, 0, 1, test::block(0, 60, {"loss"}, loss));
    small_.store->setState(run, RunState::running, "");
    return run;
  }
  void listen() {
    notices_ = std::make_unique<DesktopNotices>(small_.workspace, &window_,
                                                [this](const QString&, const QString& text) { sent_ << text; });
  }

  QWidget window_;
  QStringList sent_;
  std::unique_ptr<DesktopNotices> notices_;
};

TEST_F(DesktopNoticesTest, EndsFailuresAndBrokenLossesAreSaid) {
  const std::string done = begin([](auto, auto) { return 0.5; });
  const std::string failed = begin([](auto, auto) { return 0.5; });
  small_.open();
  listen();
  small_.store->setState(done, RunState::done, "");
  ASSERT_TRUE(small_.settled());
  ASSERT_TRUE(test::eventually([this] { return sent_.size() == 1; })) << sent_.join(QLatin1Char('\n')).toStdString();
  EXPECT_EQ(sent_[0], QStringLiteral("averaged · seed 1 is done after step 60: training loss 0.5."));
  small_.store->setState(failed, RunState::failed, "rank 0 ended");
  ASSERT_TRUE(small_.settled());
  ASSERT_TRUE(test::eventually([this] { return sent_.size() == 2; })) << sent_.join(QLatin1Char('\n')).toStdString();
  EXPECT_TRUE(sent_[1].contains(QStringLiteral("failed after step 60: rank 0 ended"))) << sent_[1].toStdString();
  begin([](std::int64_t step, std::size_t) { return step < 41 ? 1.0 : std::numeric_limits<double>::infinity(); });
  ASSERT_TRUE(small_.settled());
  ASSERT_TRUE(test::eventually([this] { return sent_.size() == 3; })) << sent_.join(QLatin1Char('\n')).toStdString();
  EXPECT_TRUE(sent_[2].contains(QStringLiteral("is inf from step 41 on, and the run goes on")))
      << sent_[2].toStdString();
  EXPECT_EQ(small_.workspace.alerts().newest()->state, RunState::running);
}

TEST_F(DesktopNoticesTest, WhoeverWorksInTheWindowOrWantsNoneHasNone) {
  const std::string first = begin([](auto, auto) { return 0.5; });
  const std::string second = begin([](auto, auto) { return 0.5; });
  small_.open();
  listen();
  QSignalSpy finished(&small_.workspace.alerts(), &RunAlerts::finished);
  window_.show();
  window_.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window_));
  small_.store->setState(first, RunState::done, "");
  ASSERT_TRUE(small_.settled());
  ASSERT_TRUE(test::eventually([&] { return finished.count() == 1; }));
  EXPECT_TRUE(sent_.isEmpty());
  window_.hide();
  ASSERT_TRUE(test::eventually([] { return QApplication::activeWindow() == nullptr; }));
  Settings::setDesktopNotices(false);
  small_.store->setState(second, RunState::done, "");
  ASSERT_TRUE(small_.settled());
  ASSERT_TRUE(test::eventually([&] { return finished.count() == 2; }));
  EXPECT_TRUE(sent_.isEmpty());
  Settings::setDesktopNotices(true);
}

}  // namespace
}  // namespace slipstream::ui
