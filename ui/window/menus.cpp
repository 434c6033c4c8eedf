// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/menus.h"

#include <QApplication>
#include <QCoreApplication>
#include <QDir>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QTextEdit>
#include <QToolButton>

#include "ui/runs/run_actions.h"
#include "ui/widgets/widgets.h"
#include "ui/window/command_box.h"
#include "ui/workspace/actions.h"
#include "ui/workspace/page.h"

namespace slipstream::ui {
namespace {

/// A property of menus with the actions of a page: names of templates are no actions that one would search for.
constexpr const char* ofPage = "ofPage";

QString translated(const char* text) {
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
  addTemplates(*menu.addMenu(icon(Symbol::add), translated(QT_TRANSLATE_NOOP("Menus", "New from"))),
               parts.newFromTemplate);
  menu.addActions({actions.openExperiment, actions.openRankTable, actions.openStore});
  menu.addActions({actions.importFiles, actions.importFolder});
  menu.addSeparator();
  menu.addActions({actions.save, actions.saveAs, actions.saveReport});
  menu.addSeparator();
  menu.addAction(actions.quit);
}

void fillEditMenu(QMenu& menu, const Actions& actions) {
  menu.addActions({actions.undo, actions.redo, actions.filterRuns, actions.commandBox});
  menu.addSeparator();
  menu.addActions({actions.nextProblem, actions.previousProblem});
  menu.addSeparator();
  menu.addAction(actions.preferences);
}

void fillViewMenu(QMenu& menu, const Actions& actions, const MenuParts& parts) {
  menu.addActions({actions.themeSystem, actions.themeLight, actions.themeDark});
  menu.addSeparator();
  menu.addActions({actions.languageSystem, actions.languageEnglish, actions.languageChinese});
  menu.addSeparator();
  menu.addActions({parts.details, actions.desktopNotices, actions.resetLayout});
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

/// The charts, which have most to choose from, are a menu of their own, as runs are; what else pages can do is among
/// the tools, a submenu each.
void fillPageMenus(QMenuBar& bar, const std::vector<Page*>& pages) {
  std::vector<const Page*> others;
  for (const Page* page : pages) {
    if (page->actions().isEmpty()) continue;
    if (page->id() == PageId::charts) {
      bar.addMenu(translated(QT_TRANSLATE_NOOP("Menus", "&Charts")))->addActions(page->actions());
    } else {
      others.push_back(page);
    }
  }
  QMenu* tools = bar.addMenu(translated(QT_TRANSLATE_NOOP("Menus", "&Tools")));
  for (const Page* page : others) {
    QMenu* menu = tools->addMenu(page->title());
    menu->setProperty(ofPage, true);
    menu->addActions(page->actions());
  }
}

constexpr int iconSide = 16;

/// A tool bar gives the buttons that it holds itself its own size of icons, without the gap before words.
QWidget* groupOf(const std::vector<QWidget*>& buttons) {
  auto* group = new QWidget;
  addAll(*rowLayout(group), buttons);
  return group;
}

QToolButton* launchButton(const Actions& actions) {
  QToolButton* made = toolButton(actions.launch);
  made->setProperty("primary", true);
  actions.launch->setIcon(icon(Symbol::launch, IconInk::onAccent));
  return made;
}

QToolButton* stopButton(const Actions& actions) {
  QToolButton* made = toolButton(actions.stopAfterStep);
  auto* ways = new QMenu(made);
  ways->addActions({actions.stopAfterStep, actions.stopAfterCheckpoint, actions.stopNow});
  made->setMenu(ways);
  made->setPopupMode(QToolButton::MenuButtonPopup);
  return made;
}

/// The field that would take the key: the widget itself, or the one inside a box with arrows or a list.
const QLineEdit* fieldOf(const QWidget* widget) {
  const auto* field = qobject_cast<const QLineEdit*>(widget);
  return field != nullptr ? field : widget->findChild<const QLineEdit*>({}, Qt::FindDirectChildrenOnly);
}

/// Of a field of many lines; null: the widget is none.
const QTextDocument* linesOf(const QWidget* widget) {
  if (const auto* plain = qobject_cast<const QPlainTextEdit*>(widget)) return plain->document();
  const auto* rich = qobject_cast<const QTextEdit*>(widget);
  return rich == nullptr ? nullptr : rich->document();
}

/// It has typing of its own to undo or redo, which is not in the document yet.
bool hasOwn(const QWidget* widget, bool undo) {
  if (const QTextDocument* lines = linesOf(widget)) return undo ? lines->isUndoAvailable() : lines->isRedoAvailable();
  const QLineEdit* field = fieldOf(widget);
  return field != nullptr && (undo ? field->isUndoAvailable() : field->isRedoAvailable());
}

class UndoKeys : public QObject {
 public:
  explicit UndoKeys(QWidget& window) : QObject(&window), window_(window) {}

  bool eventFilter(QObject* watched, QEvent* event) override {
    if (event->type() != QEvent::ShortcutOverride) return false;
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool undo = key->matches(QKeySequence::Undo);
    if (!undo && !key->matches(QKeySequence::Redo)) return false;
    const auto* widget = qobject_cast<QWidget*>(watched);
    if (widget == nullptr || widget->window() != &window_ || hasOwn(widget, undo)) return false;
    event->ignore();
    return true;
  }

 private:
  QWidget& window_;
};

}  // namespace

void fillMenuBar(QMenuBar& bar, const Actions& actions, const MenuParts& parts) {
  fillFileMenu(*bar.addMenu(translated(QT_TRANSLATE_NOOP("Menus", "&File"))), actions, parts);
  fillEditMenu(*bar.addMenu(translated(QT_TRANSLATE_NOOP("Menus", "&Edit"))), actions);
  fillViewMenu(*bar.addMenu(translated(QT_TRANSLATE_NOOP("Menus", "&View"))), actions, parts);
  fillRunMenu(*bar.addMenu(translated(QT_TRANSLATE_NOOP("Menus", "&Run"))), actions, parts.chosenRuns);
  fillPageMenus(bar, parts.pages);
  QMenu* help = bar.addMenu(translated(QT_TRANSLATE_NOOP("Menus", "&Help")));
  help->addActions({actions.algorithms, actions.shortcuts});
  help->addSeparator();
  help->addAction(actions.about);
}

std::vector<QAction*> actionsOf(const QMenuBar& bar) {
  std::vector<QAction*> all;
  const std::function<void(const QMenu&)> add = [&](const QMenu& menu) {
    for (QAction* action : menu.actions()) {
      const QMenu* below = action->menu();
      if (below == nullptr && !action->isSeparator()) all.push_back(action);
      if (below != nullptr && below->property(ofPage).toBool()) add(*below);
    }
  };
  for (const QAction* menu : bar.actions()) add(*menu->menu());
  return all;
}

ToolBar::ToolBar(const Actions& actions, QWidget* where, CommandBox* commandBox, QWidget* parent)
    : QToolBar(tr("Tools"), parent) {
  setObjectName(QStringLiteral("tools"));
  setMovable(false);
  setIconSize({iconSide, iconSide});
  toggleViewAction()->setVisible(false);
  addWidget(groupOf({launchButton(actions), where, stopButton(actions)}));
  addSeparator();
  addWidget(groupOf({toolButton(actions.compare), toolButton(actions.report)}));
  addSeparator();
  addAction(actions.undo);
  addAction(actions.redo);
  auto* space = new QWidget;
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(space);
  addWidget(commandBox);
}

void bringUndoKeysTo(QWidget& window) {
  qApp->installEventFilter(new UndoKeys(window));
}

}  // namespace slipstream::ui
