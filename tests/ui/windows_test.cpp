// SPDX-License-Identifier: GPL-3.0-or-later
// Another language: the window is another one, and everything stands as it did.
#include "ui/window/windows.h"

#include <QAction>
#include <QComboBox>
#include <QDockWidget>
#include <QPointer>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <atomic>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "tests/ui/wait_until.h"
#include "ui/charts/charts_page.h"
#include "ui/documents/experiment_document.h"
#include "ui/report/report_page.h"
#include "ui/report/report_saver.h"
#include "ui/window/main_window.h"
#include "ui/window/preferences_dialog.h"
#include "ui/window/window_notices.h"
#include "ui/workspace/settings.h"

namespace slipstream::ui {
namespace {

class WindowsTest : public testing::Test {
 protected:
  void SetUp() override {
    small_.open();
    windows_.open();
  }
  void TearDown() override {
    Settings::setLanguage(QString());
    Settings::forgetLayouts();
    useLanguage(QString());
  }
  static ChartsPage& charts(const MainWindow& window) { return *static_cast<ChartsPage*>(window.page(PageId::charts)); }
  static QDockWidget* inspector(const MainWindow& window) {
    return window.findChild<QDockWidget*>(QStringLiteral("inspector"));
  }

  test::SmallWorkspace small_;
  Windows windows_{small_.workspace};
};

TEST_F(WindowsTest, AnotherLanguageKeepsHowTheWindowStands) {
  const QPointer<MainWindow> before = &windows_.window();
  before->showPage(PageId::boost);
  inspector(*before)->show();
  ChartOptions options = charts(*before).options();
  options.logarithmic = !options.logarithmic;
  charts(*before).setOptions(options);
  before->actions().languageChinese->trigger();
  ASSERT_TRUE(test::eventually([&] { return before.isNull(); }));
  const MainWindow& after = windows_.window();
  EXPECT_EQ(after.frontPage(), PageId::boost);
  EXPECT_TRUE(inspector(after)->isVisible());
  EXPECT_EQ(charts(after).options().logarithmic, options.logarithmic);
}

TEST_F(WindowsTest, ProblemsAreWordedInTheLanguageOfTheWindow) {
  ExperimentDocument& experiment = small_.workspace.experiment();
  experiment.start(R"({"network": "lenet5", "dataset": {"name": "mnist", "path": "/nowhere", "fallback": "digits"}})");
  ASSERT_TRUE(test::eventually([&] { return experiment.problems().size() == 1; }));
  EXPECT_EQ(experiment.problems()[0].problem, QStringLiteral("mnist not found: digits is used"));
  windows_.window().actions().languageChinese->trigger();
  EXPECT_TRUE(test::eventually(
      [&] { return experiment.problems()[0].problem == QStringLiteral("未找到 mnist，已改用 digits"); }));
}

/// The preferences go with their window, as for another language.
TEST_F(WindowsTest, OtherNumbersMakeTheWindowAnewUnderItsPreferences) {
  const QPointer<MainWindow> before = &windows_.window();
  before->actions().preferences->trigger();
  const QPointer<PreferencesDialog> dialog = before->findChild<PreferencesDialog*>();
  ASSERT_FALSE(dialog.isNull());
  for (auto* box : dialog->findChildren<QComboBox*>()) {
    if (box->accessibleName() != QStringLiteral("Numbers")) continue;
    box->setCurrentIndex(1);
    Q_EMIT box->activated(1);
  }
  ASSERT_TRUE(test::eventually([&] { return before.isNull(); }));
  EXPECT_TRUE(dialog.isNull());
  EXPECT_EQ(QLocale().toString(1234567), QStringLiteral("1234567"));
  const QPointer<MainWindow> second = &windows_.window();
  second->actions().preferences->trigger();
  for (auto* found : second->findChild<PreferencesDialog*>()->findChildren<QPushButton*>()) {
    if (found->text() == QStringLiteral("Reset to defaults")) found->click();
  }
  ASSERT_TRUE(test::eventually([&] { return second.isNull(); }));
  EXPECT_EQ(QLocale().toString(1234567), QStringLiteral("1,234,567"));
}

TEST_F(WindowsTest, WhatIsBeingWrittenKeepsItsWindow) {
  const QPointer<MainWindow> before = &windows_.window();
  QSignalSpy reported(&small_.workspace, &Workspace::reported);
  std::shared_ptr<void> exporting = small_.workspace.beginExport();
  before->actions().languageChinese->trigger();
  ASSERT_TRUE(test::eventually([&] { return !reported.isEmpty(); }));
  EXPECT_FALSE(before.isNull());
  exporting.reset();
  before->actions().languageEnglish->trigger();
  EXPECT_TRUE(test::eventually([&] { return before.isNull(); }));
}

TEST_F(WindowsTest, AWindowClosesOnceWhatItWritesIsWhole) {
  MainWindow& window = windows_.window();
  std::shared_ptr<void> exporting = small_.workspace.beginExport();
  EXPECT_FALSE(window.close());
  EXPECT_FALSE(window.close()) << "asked again";
  ASSERT_EQ(window.findChildren<ClosingNotice*>().size(), 1);
  QTest::qWait(300);
  EXPECT_TRUE(window.isVisible());
  exporting.reset();
  EXPECT_TRUE(test::eventually([&] { return !window.isVisible(); }));
}

TEST_F(WindowsTest, AWindowThatIsToStayOpenAfterAllStays) {
  MainWindow& window = windows_.window();
  std::shared_ptr<void> exporting = small_.workspace.beginExport();
  EXPECT_FALSE(window.close());
  window.findChild<ClosingNotice*>()->buttons().front()->click();
  exporting.reset();
  QTest::qWait(300);
  EXPECT_TRUE(window.isVisible());
}

TEST_F(WindowsTest, AReportThatWaitsIsWrittenWhenTheWindowCloses) {
  const std::string run = test::recordRun(*small_.store, test::FinishedRun{"mean"});
  ASSERT_TRUE(small_.settled());
  small_.workspace.selection().setCurrent(run);
  std::atomic<bool> mayEnd = false;
  small_.workspace.store().longReader().read(
      &small_.workspace,
      [&mayEnd](RunStore&) {
        while (!mayEnd) QThread::msleep(1);
        return 0;
      },
      [](int) {});
  const std::filesystem::path file = small_.folder.path() / "report.html";
  static_cast<ReportPage*>(windows_.window().page(PageId::report))->saver().save(file);
  EXPECT_FALSE(windows_.window().close());
  mayEnd = true;
  EXPECT_TRUE(test::eventually([&] { return !windows_.window().isVisible(); }));
  EXPECT_TRUE(std::filesystem::exists(file));
}

}  // namespace
}  // namespace slipstream::ui
