// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <filesystem>

class QComboBox;
class QPushButton;

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
  QString nameOfExperiment() const;

  ExperimentEditing& editing_;
  ElidedLabel* title_;
  ElidedLabel* why_;  ///< the text cannot be read now
  StateChip* chip_;
  QComboBox* scopes_;
  std::filesystem::path titled_;  ///< the file that the title is of
  QPushButton* vary_;
  QPushButton* save_;
};

}  // namespace slipstream::ui
