// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window_process.h"

#include <QTimer>
#include <cstdio>

#include "engine/rank_table/rank_table_tools.h"
#include "ui/window/main_window.h"

namespace slipstream::test {
namespace {

using namespace slipstream::ui;

constexpr int draftMilliseconds = 2500;  ///< after an edit, until the draft is kept

}  // namespace

int showWindow(const std::filesystem::path& store, const std::filesystem::path& experiment) {
  Workspace workspace;
  if (!workspace.store().open(store)) return 2;
  MainWindow window(workspace);
  window.show();
  if (!window.openFile(experiment)) return 2;
  workspace.rankTable().edit(unsavedTable(), QStringLiteral("Generate"));
  QObject::connect(&workspace.launcher(), &Launcher::started, [](const QString& run) {
    std::puts(qPrintable(run));
    std::fflush(stdout);
  });
  QTimer::singleShot(draftMilliseconds, window.actions().launch, &QAction::trigger);
  return QCoreApplication::exec();
}

std::string unsavedTable() {
  return toJsonText(rankTableOfHosts({"a:2", "b:2"}, {})->table);
}

}  // namespace slipstream::test
