// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <filesystem>

#include "ui/workspace/page.h"

class QComboBox;
class QPushButton;
class QStackedWidget;

namespace slipstream::ui {

class ElidedLabel;
class ExperimentEditing;
class StateChip;

/// The title of both pages of an experiment: its name, whether it is saved, whose keys are shown, and what can be done.
class ExperimentHeader : public QWidget {
  Q_OBJECT

 public:
  ExperimentHeader(ExperimentEditing& editing, QWidget* parent = nullptr);

 Q_SIGNALS:
  void varyWanted();
  void saveWanted();

 private:
  void refresh();
  void refreshScopes();
  void refreshAbout();
  QString nameOfExperiment() const;

  ExperimentEditing& editing_;
  ElidedLabel* title_;
  ElidedLabel* about_;  ///< what is planned
  ElidedLabel* why_;    ///< the text cannot be read now
  StateChip* chip_;
  QComboBox* scopes_;
  std::filesystem::path titled_;  ///< the file that the title is of
  QPushButton* vary_;
  QPushButton* save_;
};

/// A page that edits the experiment: its header, what keeps it from being read, and an invitation where none is open.
class ExperimentPage : public Page {
  Q_OBJECT

 public:
  ExperimentPage(Workspace& workspace, QWidget* parent);

  bool needsRuns() const override { return false; }
  Document* document() override { return &workspace().experiment(); }

 protected:
  void showEvent(QShowEvent* event) override;

  /// Called once, by the constructor of the page. `above`, where there is one, goes between header and `body`.
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
