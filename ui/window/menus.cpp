// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus.h"

#include <QCoreApplication>
#include <QDir>
#include <QMenu>
#include <QMenuBar>

#include "ui/runs/run_actions.h"
#include "ui/theme/icons.h"
#include "ui/window/actions.h"
#include "ui/workspace/page.h"

namespace slipstream::ui {
namespace {

QString words(const char* text) {
  return QCoreApplication::translate("Menus", text);
}

/// The experiments that the program brings along.
void addTemplates(QMenu& menu, const std::function<void(const QString&)>& chosen) {
  for (const QFileInfo& file : QDir(QStringLiteral(":/experiments")).entryInfoList({QStringLiteral("*.json")})) {
    QAction* made = menu.addAction(file.completeBaseName());
    QObject::connect(made, &QAction::triggered, made, [chosen, path = file.filePath()] { chosen(path); });
  }
}

void fillFileMenu(QMenu& menu, const Actions& actions, const MenuParts& parts) {
  menu.addAction(actions.newExperiment);
  addTemplates(*menu.addMenu(icon(Symbol::add), words(QT_TRANSLATE_NOOP("Menus", "New from"))), parts.newFromTemplate);
  menu.addActions({actions.openExperiment, actions.openRankTable, actions.openStore});
  menu.addSeparator();
  menu.addActions({actions.save, actions.saveAs, actions.saveReport});
  menu.addSeparator();
  menu.addAction(actions.quit);
}

void fillEditMenu(QMenu& menu, const Actions& actions) {
  menu.addActions({actions.undo, actions.redo, actions.filterRuns, actions.commandBox});
  menu.addSeparator();
  menu.addActions({actions.nextProblem, actions.previousProblem});
}

void fillViewMenu(QMenu& menu, const Actions& actions, const MenuParts& parts) {
  menu.addActions({actions.themeSystem, actions.themeLight, actions.themeDark});
  menu.addSeparator();
  menu.addActions({actions.languageSystem, actions.languageEnglish, actions.languageChinese});
  menu.addSeparator();
  menu.addActions({parts.details, actions.resetLayout});
}

void fillRunMenu(QMenu& menu, const Actions& actions, const RunActions& chosen) {
  menu.addActions({actions.launch, actions.runExample});
  menu.addSeparator();
  menu.addActions({actions.stopAfterStep, actions.stopAfterCheckpoint, actions.stopNow, actions.resume});
  menu.addAction(chosen.resumeFrom);
  menu.addSeparator();
  menu.addActions({chosen.rename, chosen.describe, chosen.pin, chosen.unpin, chosen.archive, chosen.unarchive});
  menu.addActions({chosen.copyCommand, chosen.unqueue, chosen.remove});
  menu.addSeparator();
  menu.addAction(actions.compare);
}

}  // namespace

void fillMenuBar(QMenuBar& bar, const Actions& actions, const MenuParts& parts) {
  fillFileMenu(*bar.addMenu(words(QT_TRANSLATE_NOOP("Menus", "&File"))), actions, parts);
  fillEditMenu(*bar.addMenu(words(QT_TRANSLATE_NOOP("Menus", "&Edit"))), actions);
  fillViewMenu(*bar.addMenu(words(QT_TRANSLATE_NOOP("Menus", "&View"))), actions, parts);
  fillRunMenu(*bar.addMenu(words(QT_TRANSLATE_NOOP("Menus", "&Run"))), actions, parts.chosenRuns);
  for (const Page* page : parts.pages) {
    if (!page->actions().isEmpty()) bar.addMenu(page->title())->addActions(page->actions());
  }
  bar.addMenu(words(QT_TRANSLATE_NOOP("Menus", "&Help")))->addAction(actions.about);
}

std::vector<QAction*> actionsOf(const QMenuBar& bar) {
  std::vector<QAction*> all;
  for (const QAction* menu : bar.actions()) {
    for (QAction* action : menu->menu()->actions()) {
      if (!action->isSeparator() && action->menu() == nullptr) all.push_back(action);
    }
  }
  return all;
}

}  // namespace slipstream::ui
