// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// The open experiment in the dock on the left, above the runs, until it is among them: while it is a draft, was
/// changed, or has no run in the store. A click leads to its plan. Hidden otherwise.
class OpenExperimentRow : public QAbstractButton {
  Q_OBJECT

 public:
  explicit OpenExperimentRow(Workspace& workspace, QWidget* parent = nullptr);

  /// Whether a page of the experiment is in front.
  void setInFront(bool inFront);
  /// Right of the value, as in the lists beside it.
  void setValueEdge(int edge);
  /// At the right: "draft", "changed", "not launched"; empty while it is among the runs.
  QString state() const { return state_; }
  QString name() const { return name_; }

  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void refresh();
  QString stateNow() const;

  Workspace& workspace_;
  QString name_;  ///< not the button's text, in which "&" makes a shortcut
  QString state_;
  int valueEdge_ = 10;
  bool isInFront_ = false;
};

}  // namespace slipstream::ui
