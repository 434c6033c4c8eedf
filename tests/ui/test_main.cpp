// SPDX-License-Identifier: GPL-3.0-or-later
// One application for all tests of the window; what it remembers goes to a folder that is thrown away.
#include <QApplication>
#include <QFont>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <cstdlib>
#include <string_view>

#include <gtest/gtest.h>

#include "tests/ui/gui_watchdog.h"
#include "tests/ui/window_process.h"
#include "ui/theme/theme.h"

int main(int count, char** values) {
  testing::InitGoogleTest(&count, values);
  const bool isWindow = count == 4 && std::string_view(values[1]) == "--window";
  const QTemporaryDir home;
  if (!qEnvironmentVariableIsSet("XDG_RUNTIME_DIR")) qputenv("XDG_RUNTIME_DIR", home.path().toLocal8Bit());
  for (const char* name : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"}) {
    if (!isWindow) qputenv(name, home.path().toLocal8Bit());
  }
  // ctest lists the tests by running this without its environment.
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const slipstream::ui::WatchedApplication application(count, values);
  QCoreApplication::setApplicationName(QStringLiteral("slipstream-test"));
  // The same widths on every machine, and those of the widest font that a system's default may be.
  QApplication::setFont(QFont(QStringLiteral("DejaVu Sans"), 9));
  slipstream::ui::applyTheme(*qApp, slipstream::ui::ThemeChoice::light);
  if (isWindow) return slipstream::test::showWindow(values[2], values[3]);
  return RUN_ALL_TESTS();
}
