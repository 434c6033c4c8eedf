// SPDX-License-Identifier: GPL-3.0-or-later
// Command box, status line and the example.
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"
#include "ui/widgets/widgets.h"
#include "ui/window/command_box.h"
#include "ui/window/command_list.h"
#include "ui/window/example.h"
#include "ui/window/status_line.h"

namespace slipstream::ui {
namespace {

using test::FinishedRun;
using test::SmallWorkspace;

TEST(FuzzyMatch, TakesLettersInOrderAndPrefersBeginnings) {
  const auto score = [](const char* typed, const char* text) {
    return fuzzyScore(QString::fromLatin1(typed), QString::fromLatin1(text));
  };
  EXPECT_TRUE(score("", "Launch"));
  EXPECT_FALSE(score("x", "Launch"));
  EXPECT_FALSE(score("hcnual", "Launch"));
  EXPECT_TRUE(score("lch", "Launch"));
  EXPECT_GT(score("sn", "Stop now"), score("sn", "Resume unused"));
  EXPECT_GT(score("stop", "Stop now"), score("stop", "Show the open page"));
  EXPECT_GT(score("theme", "Dark theme"), score("theme", "Take the home"));
  EXPECT_TRUE(score("stop n", "Stop now"));
}

/// Names of files and variants may look like HTML.
TEST(Labels, ShowTextAsItIs) {
  const QString name = QStringLiteral("<b>mean</b> & <img src='x'>");
  const std::unique_ptr<QLabel> made(label(name));
  EXPECT_EQ(made->textFormat(), Qt::PlainText);
  EXPECT_EQ(made->text(), name);
  EXPECT_EQ(plainToolTip(QStringLiteral("a < b")), QStringLiteral("a < b"));
  EXPECT_TRUE(plainToolTip(name).contains(QStringLiteral("&lt;b&gt;mean")));
}

TEST(Labels, OfAFewLinesHaveNoWordAloneOnTheLast) {
  BalancedLabel balanced;
  const int wide = balanced.fontMetrics().horizontalAdvance(QStringLiteral("one word after the other fills the line"));
  balanced.resize(wide, 200);
  balanced.setWords(QStringLiteral("one word after the other fills the line alone"));
  const int height = balanced.heightForWidth(balanced.width());
  EXPECT_GT(balanced.contentsMargins().right(), wide / 4) << "two lines of about one length";
  EXPECT_LE(height, 2 * balanced.fontMetrics().lineSpacing() + 2) << "and no third";
  balanced.setWords(QStringLiteral("one word"));
  EXPECT_EQ(balanced.contentsMargins().right(), 0) << "one line stays where it is";
}

TEST(Labels, KeepStrongWordsInOneLineThatHasRoomForThem) {
  const QString strong = QStringLiteral("adasum ends four points higher in test accuracy than averaged");
  const QString words =
      QStringLiteral("<b>%1</b> (seven paired seeds). Also shown: the final loss is lower.").arg(strong);
  BalancedLabel wide, narrow;
  QFont bold = wide.font();
  bold.setBold(true);
  const int needed = QFontMetrics(bold).horizontalAdvance(strong);
  wide.resize(needed + 40, 100);
  wide.setWords(words);
  EXPECT_GE(wide.contentsRect().width(), needed);
  narrow.resize(needed - 40, 100);
  narrow.setWords(words);
  EXPECT_LT(narrow.contentsRect().width(), needed - 60) << "they have no room in one line: all are balanced";
}

TEST(CommandBox, FindsActionsRunsAndMetrics) {
  SmallWorkspace small;
  const std::string mean = test::recordRun(*small.store, FinishedRun{"mean"});
  small.open();
  small.workspace.selection().setCurrent(mean);
  QWidget window;
  QAction launch(QStringLiteral("&Launch"));
  launch.setShortcut(Qt::CTRL | Qt::Key_L);
  QAction disabled(QStringLiteral("Launch nothing"));
  disabled.setEnabled(false);
  int launched = 0;
  QObject::connect(&launch, &QAction::triggered, &window, [&] { ++launched; });
  CommandBox box(
      small.workspace,
      [&] {
        return std::vector<QAction*>{&launch, &disabled};
      },
      &window);
  const QAbstractItemModelTester tester(&box.list(), QAbstractItemModelTester::FailureReportingMode::Fatal);
  window.resize(400, 300);
  window.show();
  window.activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
  box.begin();
  ASSERT_TRUE(test::eventually([&] { return box.isListOpen() && box.list().rowCount() > 3; })) << "metrics arrive";
  QTest::keyClicks(&box, QStringLiteral("lau"));
  ASSERT_EQ(box.list().rowCount(), 1);
  EXPECT_EQ(box.list().at(0).title, QStringLiteral("Launch"));
  EXPECT_EQ(box.list().at(0).hint, QStringLiteral("Ctrl+L"));
  QTest::keyClick(&box, Qt::Key_Return);
  EXPECT_EQ(launched, 1);
  EXPECT_FALSE(box.isListOpen());
  EXPECT_TRUE(box.text().isEmpty());

  QSignalSpy wanted(&small.workspace, &Workspace::metricWanted);
  box.begin();
  ASSERT_TRUE(test::eventually([&] { return box.list().rowCount() > 3; }));
  QTest::keyClicks(&box, QStringLiteral("stepsec"));
  QTest::keyClick(&box, Qt::Key_Return);
  ASSERT_EQ(wanted.size(), 1);
  EXPECT_EQ(wanted.front().front().toString(), QStringLiteral("step_seconds"));

  box.begin();
  QTest::keyClicks(&box, QStringLiteral("zzz"));
  EXPECT_EQ(box.list().rowCount(), 0);
  QTest::keyClick(&box, Qt::Key_Escape);
  EXPECT_TRUE(box.text().isEmpty());
  EXPECT_FALSE(box.hasFocus());
}

TEST(StatusLine, SaysHowTheLivingRunStandsAndWhenItIsLost) {
  SmallWorkspace small;
  NewRun asked = test::sampleRun();
  asked.planText = toJsonText(test::planOf(FinishedRun{"mean", 1, 0.9, 2000, 2}));
  const std::string run = small.store->createRun(asked);
  small.store->setSupervisor(run, thisProcess());
  small.store->appendMetrics(run, small.store->startAttempt(run, 0), 0, 1,
                             test::block(0, 812, {"loss"}, [](auto, auto) { return 1.0; }));
  small.store->setState(run, RunState::running, "");
  small.open();
  StatusLine line(small.workspace, nullptr);
  EXPECT_TRUE(test::eventually([&] { return line.text().contains(QStringLiteral("step 812 / 2,000")); }))
      << line.text().toStdString();
  EXPECT_TRUE(line.text().startsWith(QStringLiteral("Running | experiment | ")));
  EXPECT_TRUE(line.text().contains(QStringLiteral("1 of 2 rank(s)")));
  EXPECT_TRUE(line.text().contains(QStringLiteral("00:06 left")) || line.text().contains(QStringLiteral("00:05 left")));
  ProcessIdentity dead = thisProcess();
  dead.startTicks += 1;  // another process has the number now
  small.store->setSupervisor(run, dead);
  EXPECT_TRUE(test::eventually([&] { return line.text().startsWith(QStringLiteral("Idle")); }));
  EXPECT_EQ(small.store->find(run)->state, RunState::lost);
}

TEST(Example, TheProgramCarriesAnExperimentThatPlans) {
  const test::TemporaryFolder folder;
  const auto file = writeExample(folder.path());
  ASSERT_TRUE(file);
  EXPECT_EQ(*readFile(*file), *readFile("experiments/quickstart.json"));
  EXPECT_EQ(*writeExample(folder.path()), *file) << "the same file again";
  EXPECT_EQ(expectation().steps, 234);
  ASSERT_EQ(expectation().curves.size(), 3U);
  EXPECT_EQ(expectation().curves[1].variant, QStringLiteral("averaged_2x_rate"));
  EXPECT_EQ(expectation().curves[2].variant, QStringLiteral("adasum"));
  EXPECT_EQ(expectation().curves[1].steps.back(), 233);
}

TEST(Example, WhatSomebodyChangedIsNotOverwritten) {
  const test::TemporaryFolder folder;
  const auto file = writeExample(folder.path());
  ASSERT_TRUE(file);
  ASSERT_TRUE(writeFile(*file, "{}"));
  const auto beside = writeExample(folder.path());
  ASSERT_TRUE(beside);
  EXPECT_EQ(beside->filename(), "quickstart-2.json");
  EXPECT_EQ(*readFile(*file), "{}");
  EXPECT_EQ(*readFile(*beside), *readFile("experiments/quickstart.json"));
  EXPECT_EQ(*writeExample(folder.path()), *beside);
}

}  // namespace
}  // namespace slipstream::ui
