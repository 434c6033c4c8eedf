// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/actions.h"

#include <QActionGroup>

#include "ui/theme/icons.h"

namespace slipstream::ui {
namespace {

QAction* action(QObject* parent, const QString& text, const QKeySequence& keys = {}) {
  auto* made = new QAction(text, parent);
  made->setShortcut(keys);
  return made;
}

QAction* action(QObject* parent, Symbol symbol, const QString& text, const QKeySequence& keys = {}) {
  QAction* made = action(parent, text, keys);
  made->setIcon(icon(symbol));
  return made;
}

void exclusive(QObject* parent, std::initializer_list<QAction*> actions) {
  auto* group = new QActionGroup(parent);
  for (QAction* member : actions) {
    member->setCheckable(true);
    group->addAction(member);
  }
}

}  // namespace

Actions::Actions(QObject* parent)
    : newExperiment(action(parent, Symbol::add, tr("New experiment"), QKeySequence::New)),
      openExperiment(action(parent, Symbol::folder, tr("Open experiment…"), Qt::CTRL | Qt::SHIFT | Qt::Key_O)),
      openRankTable(action(parent, Symbol::table, tr("Open rank table…"), Qt::CTRL | Qt::SHIFT | Qt::Key_T)),
      openStore(action(parent, Symbol::folder, tr("Open store…"), QKeySequence::Open)),
      importFiles(action(parent, Symbol::importFile, tr("Import runs…"))),
      importFolder(action(parent, tr("Import the runs of a folder…"))),
      save(action(parent, Symbol::save, tr("Save"), QKeySequence::Save)),
      saveAs(action(parent, tr("Save as…"), Qt::CTRL | Qt::SHIFT | Qt::Key_S)),
      quit(action(parent, tr("Quit"), QKeySequence::Quit)),
      launch(action(parent, Symbol::launch, tr("Launch"), Qt::CTRL | Qt::Key_L)),
      runExample(action(parent, Symbol::launch, tr("Run the example"))),
      stopAfterStep(action(parent, Symbol::stop, tr("Stop after this step"), Qt::SHIFT | Qt::Key_F5)),
      stopAfterCheckpoint(action(parent, tr("Stop after the next checkpoint"))),
      stopNow(action(parent, tr("Stop now"))),
      resume(action(parent, Symbol::resume, tr("Resume"))),
      compare(action(parent, Symbol::compare, tr("Compare"), Qt::CTRL | Qt::Key_D)),
      report(action(parent, Symbol::report, tr("Report"))),
      saveReport(action(parent, Symbol::report, tr("Save report…"), Qt::CTRL | Qt::Key_E)),
      filterRuns(action(parent, Symbol::filter, tr("Filter runs"), QKeySequence::Find)),
      commandBox(action(parent, Symbol::search, tr("Type a command"), Qt::CTRL | Qt::Key_K)),
      nextProblem(action(parent, tr("Next problem"), Qt::Key_F8)),
      previousProblem(action(parent, tr("Previous problem"), Qt::SHIFT | Qt::Key_F8)),
      desktopNotices(action(parent, tr("Desktop notices"))),
      resetLayout(action(parent, tr("Reset layout"))),
      themeSystem(action(parent, tr("System theme"))),
      themeLight(action(parent, tr("Light theme"))),
      themeDark(action(parent, tr("Dark theme"))),
      languageSystem(action(parent, tr("System language"))),
      languageEnglish(action(parent, QStringLiteral("English"))),
      languageChinese(action(parent, QStringLiteral("简体中文"))),
      preferences(action(parent, Symbol::settings, tr("Preferences…"), Qt::CTRL | Qt::Key_Comma)),
      algorithms(action(parent, Symbol::information, tr("Algorithms"))),
      shortcuts(action(parent, tr("Keyboard shortcuts"), Qt::Key_Question)),
      about(action(parent, tr("About Slipstream"))) {
  launch->setShortcuts({QKeySequence(Qt::CTRL | Qt::Key_L), QKeySequence(Qt::Key_F5)});
  stopAfterStep->setIconText(tr("Stop"));
  openRankTable->setIconText(tr("Open…"));
  desktopNotices->setCheckable(true);
  exclusive(parent, {themeSystem, themeLight, themeDark});
  exclusive(parent, {languageSystem, languageEnglish, languageChinese});
}

}  // namespace slipstream::ui
