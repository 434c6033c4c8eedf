// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workspace/page.h"

class QStackedWidget;

namespace slipstream::ui {

class ExperimentEditing;

/// A page that edits the experiment: its head, what keeps it from being read, and an invitation where none is open.
class ExperimentPage : public Page {
  Q_OBJECT

 public:
  ExperimentPage(Workspace& workspace, QWidget* parent);

  bool needsRuns() const override { return false; }
  Document* document() override { return &workspace().experiment(); }

 protected:
  void showEvent(QShowEvent* event) override;

  /// Called once, by the constructor of the page. Between head and `body` stands `above`, where there is one.
  void begin(QWidget* body, QWidget* above = nullptr);
  /// Shows the text as it is now.
  virtual void refresh();
  /// Shows the plan as it is now; texts with mistakes have none.
  virtual void refreshPlan() = 0;
  /// Goes to a place of the file, where this page is the one that shows it.
  virtual void showPlace(const QString& place) = 0;

  ExperimentEditing& editing() { return editing_; }

 private:
  void vary();

  ExperimentEditing& editing_;
  QStackedWidget* pages_;
};

}  // namespace slipstream::ui
