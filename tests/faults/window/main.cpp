// SPDX-License-Identifier: GPL-3.0-or-later
// The window of somebody who opens an experiment and clicks on Launch: fault_window --store STORE EXPERIMENT FOLDER.
// Prints "clicked" then, and stays open until it is killed. What it would remove at its end is in FOLDER.
#include <QApplication>
#include <QTimer>
#include <QToolButton>
#include <cstdio>
#include <exception>

#include "engine/base/error.h"
#include "ui/theme/theme.h"
#include "ui/window/main_window.h"
#include "ui/window/windows.h"
#include "ui/workspace/workspace.h"

namespace {

using namespace slipstream::ui;

QToolButton* launchButton(const MainWindow& window) {
  for (auto* button : window.findChildren<QToolButton*>()) {
    if (button->defaultAction() == window.actions().launch && button->isVisible()) return button;
  }
  throw slipstream::Error("the tool bar has no button to launch with");
}

void tell(const QString& words) {
  std::printf("%s\n", qPrintable(words));
  std::fflush(stdout);
}

/// The theme keeps its icons in a temporary folder, which a killed program leaves behind. Only the theme gets another
/// place for it: the run that the window launches shares its folders with all other runs.
void applyThemeIn(const char* folder) {
  const QByteArray usual = qgetenv("TMPDIR");
  qputenv("TMPDIR", folder);
  applyTheme(*qApp, ThemeChoice::light);
  if (usual.isNull()) {
    qunsetenv("TMPDIR");
  } else {
    qputenv("TMPDIR", usual);
  }
}

int show(const char* store, const char* experiment) {
  Workspace workspace;
  if (const auto opened = workspace.store().open(store); !opened) throw slipstream::Error(toText(opened.error()));
  Windows windows(workspace);
  MainWindow& window = windows.open();
  if (const auto opened = window.openFile(experiment); !opened) throw slipstream::Error(toText(opened.error()));
  QObject::connect(&workspace.launcher(), &Launcher::refused,
                   [](const QString& words) { tell(QStringLiteral("refused: ") + words); });
  // Who clicks has seen the experiment, which is planned by then.
  QTimer planned;
  QObject::connect(&planned, &QTimer::timeout, [&] {
    if (!workspace.experiment().isCurrent()) return;
    planned.stop();
    launchButton(window)->click();
    tell(QStringLiteral("clicked"));
  });
  planned.start(5);
  return QCoreApplication::exec();
}

}  // namespace

int main(int count, char** values) {
  if (count != 5) {
    std::fprintf(stderr, "usage: fault_window --store STORE EXPERIMENT FOLDER\n");
    return 2;
  }
  if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(count, values);
  QCoreApplication::setApplicationName(QStringLiteral("slipstream-fault-window"));
  applyThemeIn(values[4]);
  try {
    return show(values[2], values[3]);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fault_window: %s\n", error.what());
    return 1;
  }
}
