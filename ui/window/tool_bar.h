// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QToolBar>

namespace slipstream::ui {

class CommandBox;
struct Actions;

/// Launching and stopping, what becomes of runs, undo and redo, and the command box at its end.
class ToolBar : public QToolBar {
  Q_OBJECT

 public:
  ToolBar(const Actions& actions, CommandBox* commandBox, QWidget* parent);
};

}  // namespace slipstream::ui
