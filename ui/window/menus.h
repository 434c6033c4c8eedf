// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QToolBar>
#include <functional>
#include <vector>

class QMenuBar;
class QWidget;

namespace slipstream::ui {

class CommandBox;
class Page;
class RunActions;
struct Actions;

/// What the menus show beside the window's own actions.
struct MenuParts {
  const RunActions& chosenRuns;
  QAction* details;  ///< shows and hides the inspector
  const std::vector<Page*>& pages;
  std::function<void(const QString& resource)> newFromTemplate;
};
void fillMenuBar(QMenuBar& bar, const Actions& actions, const MenuParts& parts);

/// Every action of the menus, for the command box.
std::vector<QAction*> actionsOf(const QMenuBar& bar);

/// Launching, where, and stopping, what becomes of runs, undo and redo, and the command box at its end.
class ToolBar : public QToolBar {
  Q_OBJECT

 public:
  ToolBar(const Actions& actions, QWidget* where, CommandBox* commandBox, QWidget* parent);
};

/// Brings the keys of undo and redo to the window wherever the caret is. Qt's fields and editors claim them for
/// themselves even when they have nothing to undo, so that Ctrl+Z would do nothing while one of them has the focus.
void bringUndoKeysTo(QWidget& window);

}  // namespace slipstream::ui
