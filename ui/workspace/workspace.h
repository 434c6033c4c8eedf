// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QUndoGroup>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "ui/documents/experiment_document.h"
#include "ui/documents/rank_table_document.h"
#include "ui/documents/study_document.h"
#include "ui/launch/launch_status.h"
#include "ui/launch/launcher.h"
#include "ui/launch/remote_watch.h"
#include "ui/launch/study_launcher.h"
#include "ui/store/store_watcher.h"

namespace slipstream::ui {

/// Which runs the pages are about.
class RunSelection : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// The one run of pages about one run; empty: none.
  const std::string& current() const { return current_; }
  /// The runs of pages about several, `current()` among them, in the order in which they were chosen.
  const std::vector<std::string>& shown() const { return shown_; }

  void setCurrent(const std::string& run);
  void setShown(const std::vector<std::string>& runs, const std::string& current);

 Q_SIGNALS:
  void changed();

 private:
  std::string current_;
  std::vector<std::string> shown_;
};

/// Which study the page of studies is about.
class StudySelection : public QObject {
  Q_OBJECT

 public:
  using QObject::QObject;

  /// By its name, which no other study of a store has, also where the store does not hold it yet; empty: none.
  const std::string& name() const { return name_; }
  /// The one that is being written, rather than one of the store.
  bool isDraft() const { return isDraft_; }

  void choose(const std::string& name);
  void chooseDraft();

 Q_SIGNALS:
  void changed();

 private:
  void set(const std::string& name, bool isDraft);

  std::string name_;
  bool isDraft_ = false;
};

/// The pages of a window, in the order of their tabs.
enum class PageId { welcome, rankTable, boost, plan, runs, charts, compare, study, ranks, layers, checkpoints, report };

/// What a window works on. It outlives windows: switching the language makes a new one. Pages listen to it and keep
/// nothing of their own but their layout.
class Workspace : public QObject {
  Q_OBJECT

 public:
  explicit Workspace(QObject* parent = nullptr);

  StoreWatcher& store() { return store_; }
  RunSelection& selection() { return selection_; }
  ExperimentDocument& experiment() { return experiment_; }
  RankTableDocument& rankTable() { return rankTable_; }
  /// All that are edited here.
  std::vector<Document*> documents() { return {&experiment_, &rankTable_, &studyDraft_}; }
  /// The study that is being written; those of the store are chosen by studies().
  StudyDocument& studyDraft() { return studyDraft_; }
  StudySelection& studies() { return studies_; }
  StudyLauncher& studyLauncher() { return studyLauncher_; }
  Launcher& launcher() { return launcher_; }
  RemoteWatch& remotes() { return remotes_; }
  ComingRuns& comingRuns() { return comingRuns_; }
  RunAlerts& alerts() { return alerts_; }
  /// The stack of the document at hand, and one for labels of runs.
  QUndoGroup& undo() { return undo_; }
  QUndoStack& labelUndo() { return labelUndo_; }

  /// The row of the current run in the newest snapshot; null where there is none.
  const RunRow* currentRun() const;
  /// The chosen study in the newest snapshot; null where there is none.
  const StudySummary* currentStudy() const;

  /// Takes up what was not saved when the program ended.
  void recoverDrafts();

  /// Something is written out for people as long as what this returns is held: the window is not replaced meanwhile.
  std::shared_ptr<void> beginExport();
  bool isExporting() const { return *exports_ > 0; }

  /// Shows in one line at the right of the bottom panel what has just happened.
  void report(const QString& message) { Q_EMIT reported(message); }
  /// Asks the window to bring a page to the front.
  void showPage(PageId page) { Q_EMIT pageWanted(page); }
  /// The panel below is asked for what a rank of a run printed; a negative one: what all did.
  void showLog(const std::string& run, int rank) { Q_EMIT logWanted(run, rank); }
  /// A metric that the page of charts is asked to show.
  void showMetric(const QString& metric) { Q_EMIT metricWanted(metric); }

 Q_SIGNALS:
  void metricWanted(const QString& metric);
  void reported(const QString& message);
  void pageWanted(PageId page);
  void logWanted(const std::string& run, int rank);

 private:
  void follow(const QString& run, bool waited);
  void followStudy(const QString& study);

  StoreWatcher store_;
  RunSelection selection_;
  StudySelection studies_;
  ExperimentDocument experiment_;
  RankTableDocument rankTable_;
  StudyDocument studyDraft_;
  Launcher launcher_;
  StudyLauncher studyLauncher_;
  RemoteWatch remotes_;
  ComingRuns comingRuns_;
  RunAlerts alerts_;
  QUndoStack labelUndo_;
  QUndoGroup undo_;
  std::shared_ptr<std::atomic<int>> exports_ = std::make_shared<std::atomic<int>>(0);
};

}  // namespace slipstream::ui
