// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QUndoGroup>
#include <atomic>
#include <memory>

#include "ui/experiment/experiment_document.h"
#include "ui/launch/coming_runs.h"
#include "ui/launch/launcher.h"
#include "ui/launch/run_alerts.h"
#include "ui/rank_table/rank_table_document.h"
#include "ui/store/store_watcher.h"
#include "ui/workspace/run_selection.h"

namespace slipstream::ui {

/// What a window works on. It outlives windows: switching the language makes a new one. Pages listen to it and keep
/// nothing of their own but how they look.
class Workspace : public QObject {
  Q_OBJECT

 public:
  explicit Workspace(QObject* parent = nullptr);

  StoreWatcher& store() { return store_; }
  RunSelection& selection() { return selection_; }
  ExperimentDocument& experiment() { return experiment_; }
  RankTableDocument& rankTable() { return rankTable_; }
  Launcher& launcher() { return launcher_; }
  ComingRuns& comingRuns() { return comingRuns_; }
  RunAlerts& alerts() { return alerts_; }
  /// The stack of the document at hand, and one for labels of runs.
  QUndoGroup& undo() { return undo_; }
  QUndoStack& labelUndo() { return labelUndo_; }

  /// The row of the current run in the newest snapshot; null where there is none.
  const RunRow* currentRun() const;

  /// Takes up what was not saved when the program ended.
  void recoverDrafts();

  /// Something is written out for people as long as what this returns is held: the window is not replaced meanwhile.
  std::shared_ptr<void> beginExport();
  bool isExporting() const { return *exports_ > 0; }

  /// One line at the right of the bottom panel: what has just happened.
  void say(const QString& words) { Q_EMIT said(words); }
  /// A place that another page is asked to show: "charts", "compare", ….
  void goTo(const QString& page) { Q_EMIT wanted(page); }
  /// The panel below is asked for what a rank of a run printed; a negative one: what all did.
  void showLog(const std::string& run, int rank) { Q_EMIT logWanted(run, rank); }
  /// A metric that the page of charts is asked to show.
  void showMetric(const QString& metric) { Q_EMIT metricWanted(metric); }

 Q_SIGNALS:
  void metricWanted(const QString& metric);
  void said(const QString& words);
  void wanted(const QString& page);
  void logWanted(const std::string& run, int rank);

 private:
  void follow(const QString& run, bool waited);

  StoreWatcher store_;
  RunSelection selection_;
  ExperimentDocument experiment_;
  RankTableDocument rankTable_;
  Launcher launcher_;
  ComingRuns comingRuns_;
  RunAlerts alerts_;
  QUndoStack labelUndo_;
  QUndoGroup undo_;
  std::shared_ptr<std::atomic<int>> exports_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace slipstream::ui
