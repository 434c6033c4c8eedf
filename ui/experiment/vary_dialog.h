// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QTimer>
#include <map>
#include <optional>
#include <vector>

#include "engine/experiment/experiment_choices.h"
#include "engine/plan/run_plan.h"
#include "ui/store/latest_request.h"

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace slipstream::ui {

class ExperimentEditing;
class CellModel;
class SegmentedControl;
class StoreWatcher;
class VariedKeyRow;

/// Makes variants of the open experiment: which algorithms, which values of which settings, how many seeds, which
/// numbers of ranks; with the number of runs and the time that they will take, as far as earlier runs tell.
class VaryDialog : public QDialog {
  Q_OBJECT

 public:
  /// `store`: of the earlier runs; null: there are none.
  VaryDialog(ExperimentEditing& editing, StoreWatcher* store = nullptr, QWidget* parent = nullptr);

  Variation variation() const;
  bool launches() const { return launches_; }

 private:
  QWidget* buildChoices();
  QWidget* buildKeys();
  void addKey(const std::string& path);
  void planVariants();
  void askForTime(std::vector<RunPlan> plans);
  void sayTime(const std::optional<double>& seconds);
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
  QLabel* time_;
  QLabel* claim_;
  QVBoxLayout* keyRows_ = nullptr;
  std::vector<VariedKeyRow*> keys_;
  StoreWatcher* store_;
  QTimer timer_;
  LatestRequest latest_;
  QPushButton* write_;
  QPushButton* launch_;
  bool launches_ = false;
};

}  // namespace slipstream::ui
