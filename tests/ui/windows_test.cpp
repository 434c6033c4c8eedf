// Another language: the window is another one, and everything stands as it did.
#include "ui/window/windows.h"

#include <QAction>
#include <QDockWidget>
#include <QPointer>
#include <QTest>

#include <gtest/gtest.h>

#include "tests/ui/small_workspace.h"
#include "ui/charts/charts_page.h"
#include "ui/window/language.h"
#include "ui/window/main_window.h"
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
  static ChartsPage& charts(const MainWindow& window) {
    return *static_cast<ChartsPage*>(window.page(QStringLiteral("charts")));
  }
  static QDockWidget* inspector(const MainWindow& window) {
    return window.findChild<QDockWidget*>(QStringLiteral("inspector"));
  }

  test::SmallWorkspace small_;
  Windows windows_{small_.workspace};
};

TEST_F(WindowsTest, AnotherLanguageKeepsHowTheWindowStands) {
  const QPointer<MainWindow> before = &windows_.window();
  before->showPage(QStringLiteral("boost"));
  inspector(*before)->show();
  ChartOptions options = charts(*before).options();
  options.logarithmic = !options.logarithmic;
  charts(*before).setOptions(options);
  before->actions().languageChinese->trigger();
  ASSERT_TRUE(QTest::qWaitFor([&] { return before.isNull(); }));
  const MainWindow& after = windows_.window();
  EXPECT_EQ(after.frontPage(), QStringLiteral("boost"));
  EXPECT_TRUE(inspector(after)->isVisible());
  EXPECT_EQ(charts(after).options().logarithmic, options.logarithmic);
}

TEST_F(WindowsTest, WhatIsBeingWrittenKeepsItsWindow) {
  const QPointer<MainWindow> before = &windows_.window();
  QSignalSpy said(&small_.workspace, &Workspace::said);
  std::shared_ptr<void> exporting = small_.workspace.beginExport();
  before->actions().languageChinese->trigger();
  ASSERT_TRUE(QTest::qWaitFor([&] { return !said.isEmpty(); }));
  EXPECT_FALSE(before.isNull());
  exporting.reset();
  before->actions().languageEnglish->trigger();
  EXPECT_TRUE(QTest::qWaitFor([&] { return before.isNull(); }));
}

}  // namespace
}  // namespace slipstream::ui
