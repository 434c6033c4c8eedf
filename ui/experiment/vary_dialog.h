// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <map>

#include "engine/experiment/variation.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;

namespace slipstream::ui {

class ExperimentEditing;
class CellModel;
class SegmentedControl;

/// Makes variants of the open experiment: which algorithms, how many seeds, which numbers of ranks.
class VaryDialog : public QDialog {
  Q_OBJECT

 public:
  VaryDialog(ExperimentEditing& editing, QWidget* parent = nullptr);

  Variation variation() const;
  bool launches() const { return launches_; }

 private:
  QWidget* buildChoices();
  QWidget* buildPreview();
  QWidget* buildButtons();
  void refresh();
  void write();

  ExperimentEditing& editing_;
  std::map<std::string, QCheckBox*> algorithms_;
  SegmentedControl* combinations_;
  QSpinBox* seeds_;
  QLineEdit* ranks_;
  CellModel* names_;
  QLabel* count_;
  QPushButton* write_;
  QPushButton* launch_;
  bool launches_ = false;
};

}  // namespace slipstream::ui
