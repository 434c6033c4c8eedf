// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tool_bar.h"

#include <QMenu>
#include <QToolButton>

#include "ui/theme/icons.h"
#include "ui/window/actions.h"
#include "ui/window/command_box.h"

namespace slipstream::ui {
namespace {

constexpr int iconSide = 16;

QToolButton* buttonFor(QAction* action) {
  auto* made = new QToolButton;
  made->setDefaultAction(action);
  made->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  made->setProperty("framed", true);
  return made;
}

QToolButton* launchButton(const Actions& actions) {
  QToolButton* made = buttonFor(actions.launch);
  made->setProperty("primary", true);
  actions.launch->setIcon(icon(Symbol::launch, IconInk::onAccent));
  return made;
}

QToolButton* stopButton(const Actions& actions) {
  QToolButton* made = buttonFor(actions.stopAfterStep);
  auto* ways = new QMenu(made);
  ways->addActions({actions.stopAfterStep, actions.stopAfterCheckpoint, actions.stopNow});
  made->setMenu(ways);
  made->setPopupMode(QToolButton::MenuButtonPopup);
  return made;
}

}  // namespace

ToolBar::ToolBar(const Actions& actions, CommandBox* commandBox, QWidget* parent) : QToolBar(tr("Tools"), parent) {
  setObjectName(QStringLiteral("tools"));
  setMovable(false);
  setIconSize({iconSide, iconSide});
  toggleViewAction()->setVisible(false);
  addWidget(launchButton(actions));
  addWidget(stopButton(actions));
  addSeparator();
  addWidget(buttonFor(actions.compare));
  addWidget(buttonFor(actions.saveReport));
  addSeparator();
  addAction(actions.undo);
  addAction(actions.redo);
  auto* space = new QWidget;
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  addWidget(space);
  addWidget(commandBox);
}

}  // namespace slipstream::ui
