// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QScrollArea>
#include <vector>

#include "ui/experiment/experiment_page.h"

class QLabel;
class QStackedWidget;

namespace slipstream::ui {

class ExperimentEditing;
class KeyRow;
class ScheduleCurve;
class StagesCard;

/// Every key of the file but boosting's, section by section, each row made from its description.
class PlanForm : public QScrollArea {
  Q_OBJECT

 public:
  PlanForm(ExperimentEditing& editing, QWidget* parent = nullptr);

  void refresh();
  void refreshPlan();
  /// Brings the key's control into view and focuses it; false where there is none.
  bool reveal(const std::string& path);

 Q_SIGNALS:
  void rankTableWanted();

 private:
  QWidget* buildCard(const std::string& section);

  ExperimentEditing& editing_;
  std::vector<KeyRow*> rows_;
  ScheduleCurve* curve_ = nullptr;
  StagesCard* stages_ = nullptr;
};

class JsonEditor;
class CellModel;
class SegmentedControl;

/// The whole experiment: a form of every key, the file as text, the network's layers, and what is on and off and why.
class PlanPage : public ExperimentPage {
  Q_OBJECT

 public:
  PlanPage(Workspace& workspace, QWidget* parent);

  PageId id() const override { return PageId::plan; }
  QString title() const override { return tr("Plan"); }

 protected:
  void refresh() override;
  void refreshPlan() override;
  void showPlace(const QString& place) override;

 private:
  QWidget* buildSide();
  void refreshNetwork();
  void refreshDecisions();
  void typed();

  PlanForm* form_;
  SegmentedControl* views_ = nullptr;
  QStackedWidget* side_ = nullptr;
  JsonEditor* text_ = nullptr;
  CellModel* network_ = nullptr;
  CellModel* decisions_ = nullptr;
  QLabel* networkSum_ = nullptr;
};

}  // namespace slipstream::ui
