// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/store/store_snapshot.h"

class QMenu;
class QToolButton;

namespace slipstream::ui {

class ElidedLabel;
class StateChip;
class Workspace;

/// The head of a page about one run: its name, its state and a summary. Where several runs are shown, a menu beside the
/// name makes another of them the current one.
class RunTitle : public QWidget {
  Q_OBJECT

 public:
  explicit RunTitle(Workspace& workspace, QWidget* parent = nullptr);

  void setRun(const RunRow& row);
  void setSummary(const QString& summary);

 private:
  void fillChoice();

  Workspace& workspace_;
  ElidedLabel* name_;
  QToolButton* choice_;
  QMenu* runs_;
  StateChip* state_;
  ElidedLabel* summary_;
};

}  // namespace slipstream::ui
