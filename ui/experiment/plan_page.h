// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/experiment/experiment_page.h"

class QLabel;
class QSplitter;
class QStackedWidget;

namespace slipstream::ui {

class PlanForm;
class PlanText;
class CellModel;
class ElidedLabel;
class SegmentedControl;

/// The whole experiment: a form of every key, the file as text, the network's layers, and what is on and off and why.
class PlanPage : public ExperimentPage {
  Q_OBJECT

 public:
  PlanPage(Workspace& workspace, QWidget* parent);

  PageId id() const override { return PageId::plan; }
  QString title() const override { return tr("Plan"); }

 protected:
  void buildBody(QVBoxLayout& rows) override;
  void refresh() override;
  void refreshPlan() override;
  void refreshProblems();
  void showPlace(const QString& place) override;

 private:
  void buildSide(QSplitter& split);
  void refreshNetwork();
  void refreshDecisions();
  void showCounts();

  PlanForm* form_ = nullptr;
  SegmentedControl* views_ = nullptr;
  QStackedWidget* side_ = nullptr;
  PlanText* text_ = nullptr;
  CellModel* network_ = nullptr;
  CellModel* decisions_ = nullptr;
  QLabel* networkSum_ = nullptr;
  QLabel* worst_ = nullptr;
  ElidedLabel* counts_ = nullptr;
};

}  // namespace slipstream::ui
