// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <QObject>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/runs/live_status.h"
#include "ui/launch/launch_status.h"
#include "ui/launch/launcher.h"
#include "ui/store/store_watcher.h"

namespace slipstream::ui {

enum class RunGrouping { experiment, seeds };

/// One row of the list of runs as it should be.
struct RunTreeEntry {
  enum class Kind { experiment, variant, run, queued, archive };
  Kind kind = Kind::run;
  std::string key = {};  ///< names the row among all rows, from one moment to the next
  QString title = {};
  const RunRow* row = nullptr;  ///< of a run; belongs to the snapshot
  int number = 0;               ///< of a queued launch: QueuedLaunch::number; 0 of a coming run of one under way
  int place = 0;                ///< of what is queued: which one it is, from 1
  QString whole = {};           ///< where the title is short because the row above says the rest
  std::vector<RunTreeEntry> children = {};
};

/// Groups of experiments, the newest launch first, with what is to come at their ends; seeds of one variant together
/// where asked; the archive last. `isShown` narrows the runs. Pointers go into `snapshot`.
std::vector<RunTreeEntry> arrangeRuns(const StoreSnapshot& snapshot, const std::vector<ComingRun>& coming,
                                      const std::vector<QueuedLaunch>& queue, RunGrouping grouping,
                                      const std::function<bool(const RunRow&)>& isShown);

/// What rows show beyond what the list knows: read when a row is painted for the first time, and again when its run has
/// changed. A row of a variant asks for those of its runs that are done; rows that nobody sees cost nothing.
class RunSummaries : public QObject {
  Q_OBJECT

 public:
  RunSummaries(StoreWatcher& store, QObject* parent);

  /// The newest that is known, null before the first; asks for a newer one where the run has changed since.
  const RunSummary* of(const RunRow& row);

 Q_SIGNALS:
  void arrived(const std::string& run);

 private:
  struct Known {
    RunSummary summary;
    std::string stamp;  ///< of the run when it was read
    bool read = false;
    bool asked = false;
  };

  std::string stampOf(const RunRow& row) const;
  void ask();

  StoreWatcher& store_;
  std::unordered_map<std::string, Known> known_;
  std::vector<std::pair<std::string, std::string>> wanted_;  ///< run, stamp
};

/// The tree of runs. It adopts each arrangement by inserting, removing and changing rows, so that what is selected
/// and open stays so.
class RunModel : public QAbstractItemModel {
  Q_OBJECT

 public:
  using Kind = RunTreeEntry::Kind;

  RunModel(StoreWatcher& store, QObject* parent);
  ~RunModel() override;

  /// `entries` point into `snapshot`, which is kept.
  void take(std::vector<RunTreeEntry> entries, StoreSnapshotPointer snapshot);

  Kind kindOf(const QModelIndex& index) const;
  std::string keyOf(const QModelIndex& index) const;
  /// Null where the row is no run.
  const RunRow* runOf(const QModelIndex& index) const;
  /// Of a queued launch.
  int queueNumberOf(const QModelIndex& index) const;
  /// The run's, or those below the row, in order.
  std::vector<std::string> runsUnder(const QModelIndex& index) const;
  int runCountBelow(const QModelIndex& index) const;
  /// Of a run, or of any below a variant.
  struct Marks {
    bool pinned = false, remote = false, emulated = false;
  };
  Marks marksOf(const QModelIndex& index) const;
  /// Whether final losses are below the row.
  bool hasResults(const QModelIndex& index) const;
  QModelIndex indexOfRun(const std::string& run) const;
  QModelIndex indexOfQueued(int number) const;
  int runCount() const { return static_cast<int>(runs_.size()); }

  /// Of a run; of a variant that of its run which needs attention most: one that trains, then failed, then the others.
  RunState stateOf(const QModelIndex& index) const;
  /// Null until it has been read; asking reads it.
  const RunSummary* summaryOf(const QModelIndex& index) const;
  /// The text at the right of a row: "0.061", "queue 2", "at 1,200", "NaN at 41", "8 runs"; of a variant the mean of
  /// its runs that are done.
  QString valueOf(const QModelIndex& index) const;

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex& child) const override;
  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void renamed(const QString& run, const QString& title);

 private:
  struct Node;

  Node& nodeOf(const QModelIndex& index) const;
  QModelIndex indexOf(const Node& node) const;
  /// What the runs of a variant came to.
  struct Results {
    int runs = 0, done = 0;
    int withLoss = 0;     ///< of those that are done
    bool isRead = true;   ///< nothing is still to be read
    double meanLoss = 0;  ///< of those with one
  };
  Results resultsOf(const Node& variant) const;
  QString valueOfVariant(const Node& variant) const;
  QString toolTipOf(const QModelIndex& index) const;
  QString spokenOf(const QModelIndex& index) const;
  QString variantTip(const Node& variant) const;
  /// Says so of a row, and of the variant that it is one of.
  void notifyChanged(const Node& node);
  void merge(Node& parent, std::vector<RunTreeEntry>& entries);
  void removeMissing(Node& parent, const std::vector<RunTreeEntry>& entries);
  void insertAt(Node& parent, std::size_t place, std::vector<RunTreeEntry>& entries, std::size_t end);
  void adopt(Node& node, RunTreeEntry& entry);
  void forget(const Node& node);

  std::unique_ptr<Node> root_;
  std::unordered_map<std::string, Node*> runs_;  ///< by id
  StoreSnapshotPointer snapshot_;
  RunSummaries* summaries_;
};

struct RunModel::Node {
  Kind kind = Kind::experiment;
  std::string key;
  QString title, whole;
  const RunRow* row = nullptr;
  int number = 0, place = 0;
  Node* parent = nullptr;

  const QString& wholeTitle() const { return whole.isEmpty() ? title : whole; }
  int position = 0;  ///< among its siblings
  std::vector<std::unique_ptr<Node>> children;

  void count() {
    for (std::size_t i = 0; i < children.size(); ++i) children[i]->position = static_cast<int>(i);
  }
  int runsBelow() const {
    int runs = kind == Kind::run ? 1 : 0;
    for (const auto& child : children) runs += child->runsBelow();
    return runs;
  }
};

}  // namespace slipstream::ui
