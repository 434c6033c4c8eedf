// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <filesystem>

#include "ui/workspace/page.h"

class QComboBox;
class QPushButton;
class QSplitter;
class QStackedWidget;
class QVBoxLayout;

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
/// Its forms are made when there is first an experiment to show in them: they are half of what a window consists of.
class ExperimentPage : public Page {
  Q_OBJECT

 public:
  ExperimentPage(Workspace& workspace, QWidget* parent);

  bool needsRuns() const override { return false; }
  Document* document() override { return &workspace().experiment(); }

 protected:
  void showEvent(QShowEvent* event) override;

  /// Called once, before what follows here. What it makes goes below the header, with the parent of `rows` as its
  /// parent from the beginning: with a style sheet, Qt styles all that is in a widget anew whenever that gets a parent.
  virtual void buildBody(QVBoxLayout& rows) = 0;
  static QSplitter& addSplitter(QVBoxLayout& rows);
  /// Shows the text as it is now.
  virtual void refresh();
  /// Shows the plan as it is now; texts with mistakes have none.
  virtual void refreshPlan() = 0;
  /// Goes to a place of the file, where this page is the one that shows it.
  virtual void showPlace(const QString& place) = 0;

  ExperimentEditing& editing() { return editing_; }

 private:
  void build();
  void bringUpToDate();
  void vary();

  ExperimentEditing& editing_;
  QStackedWidget* pages_;
  bool isBuilt_ = false;
};

}  // namespace slipstream::ui
