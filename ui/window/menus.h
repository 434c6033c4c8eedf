// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <functional>
#include <vector>

class QMenuBar;

namespace slipstream::ui {

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

}  // namespace slipstream::ui
