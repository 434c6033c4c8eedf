// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <map>

#include "engine/analysis/curve_source.h"
#include "engine/document/chart_model.h"
#include "ui/checkpoints/checkpoint_model.h"
#include "ui/store/latest_request.h"
#include "ui/theme/icons.h"
#include "ui/workspace/page.h"

class QLabel;
class QPushButton;
class QStackedLayout;
class QTableView;

namespace slipstream::ui {

class ElidedLabel;
class EmptyState;
class ChartFlow;
class Notice;

/// What the current run has kept, and what can be made of it.
class CheckpointsPage : public Page {
  Q_OBJECT

 public:
  CheckpointsPage(Workspace& workspace, QWidget* parent);

  PageId id() const override { return PageId::checkpoints; }
  QString title() const override { return tr("Checkpoints"); }
  CheckpointModel& model() { return *model_; }
  QTableView& view() { return *view_; }
  Notice& notice() { return *notice_; }

  // What the buttons do, with the chosen line.
  void resume();
  void evaluate();
  void exportWeights();
  void remove();

 protected:
  void showEvent(QShowEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  struct Action {
    QAction* action;
    QPushButton* button;
  };
  struct Listed {
    std::vector<CheckpointEntry> entries;
    bool living = false;
    std::int64_t endStep = 0;  ///< where the run ends, or has ended as done
    std::string failure;
    std::vector<ChartModel> charts;  ///< of the run, with its checkpoints
  };
  QWidget* makeBody();
  QWidget* makeButtons();
  Action addButton(Symbol symbol, const QString& message, void (CheckpointsPage::*slot)());
  void makeView();
  void refresh();
  void receive(Listed listed);
  void showSum();
  void fitView();
  void showChosen();
  int penOf(const RunRecord& run);
  void refreshButtons();
  void enable(const Action& action, const QString& whyNot);
  const CheckpointEntry* chosen() const;
  /// RUN@STEP of the chosen line.
  QString reference() const;
  QString evaluationOf(const StoredWeights& weights) const;
  void evaluated(const std::string& run, const StoredWeights& weights, const QString& message);

  CheckpointModel* model_;
  QTableView* view_;
  QStackedLayout* stack_;
  EmptyState* empty_;
  RunTitle* title_ = nullptr;
  ElidedLabel* whyNoResume_ = nullptr;
  Notice* notice_ = nullptr;
  ChartFlow* charts_ = nullptr;
  Action resume_{}, evaluate_{}, export_{}, remove_{};
  bool living_ = false;
  std::int64_t endStep_ = 0;
  std::string listed_;                   ///< the run that is listed
  std::shared_ptr<CurveSource> source_;  ///< lives in the reader's thread
  std::map<std::tuple<std::string, std::int64_t, WeightsKind>, QString> evaluations_;
  LatestRequest latest_;
  QTimer later_;
};

}  // namespace slipstream::ui
