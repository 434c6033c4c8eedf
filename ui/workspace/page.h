// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// One tab of the window. What it can do are actions of the widget (QWidget::addAction): the command box lists them.
class Page : public QWidget {
  Q_OBJECT

 public:
  Page(Workspace& workspace, QWidget* parent);

  virtual QString name() const = 0;   ///< never translated: "charts"
  virtual QString title() const = 0;  ///< of the tab
  /// A page about runs is dimmed while there is none.
  virtual bool needsRuns() const { return true; }
  /// The document that undo and save work on while the page is in front; null: the labels of runs.
  virtual Document* document() { return nullptr; }

 Q_SIGNALS:
  void titleChanged();
  // What a page's own buttons ask the window for.
  void newExperimentWanted();
  void saveWanted();
  void launchWanted();

 protected:
  Workspace& workspace() { return workspace_; }

 private:
  Workspace& workspace_;
};

}  // namespace slipstream::ui
