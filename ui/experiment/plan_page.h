#pragma once

#include "ui/workspace/page.h"

class QLabel;
class QStackedWidget;
class QTableView;

namespace slipstream::ui {

class ElidedLabel;
class ExperimentEditing;
class JsonEditor;
class PlanForm;
class RowsModel;
class Segments;

/// The whole experiment: a form of every key, the file as text, the network's layers, and what is on and off and why.
class PlanPage : public Page {
  Q_OBJECT

 public:
  PlanPage(Workspace& workspace, QWidget* parent);

  QString name() const override { return QStringLiteral("plan"); }
  QString title() const override { return tr("Plan"); }
  bool needsRuns() const override { return false; }
  Document* document() override { return &workspace().experiment(); }

 protected:
  void showEvent(QShowEvent* event) override;

 private:
  QWidget* buildBody();
  QWidget* buildSide();
  void refresh();
  void refreshPlan();
  void refreshNetwork();
  void refreshDecisions();
  void showPlace(const QString& place);
  void typed();

  ExperimentEditing& editing_;
  QStackedWidget* pages_;
  ElidedLabel* why_ = nullptr;
  PlanForm* form_ = nullptr;
  Segments* views_ = nullptr;
  QStackedWidget* side_ = nullptr;
  JsonEditor* text_ = nullptr;
  RowsModel* network_ = nullptr;
  RowsModel* decisions_ = nullptr;
  QLabel* networkSum_ = nullptr;
};

}  // namespace slipstream::ui
