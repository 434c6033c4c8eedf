// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/experiment/experiment_page.h"

class QLabel;
class QStackedWidget;
class QTableView;

namespace slipstream::ui {

class JsonEditor;
class PlanForm;
class RowsModel;
class Segments;

/// The whole experiment: a form of every key, the file as text, the network's layers, and what is on and off and why.
class PlanPage : public ExperimentPage {
  Q_OBJECT

 public:
  PlanPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("plan"); }
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
  Segments* views_ = nullptr;
  QStackedWidget* side_ = nullptr;
  JsonEditor* text_ = nullptr;
  RowsModel* network_ = nullptr;
  RowsModel* decisions_ = nullptr;
  QLabel* networkSum_ = nullptr;
};

}  // namespace slipstream::ui
