// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractItemModel>
#include <memory>
#include <unordered_map>

#include "ui/runs/run_glances.h"
#include "ui/runs/run_tree.h"

namespace slipstream::ui {

/// The tree of runs. It takes up each arrangement by inserting, removing and changing rows, so that what is selected
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
  QModelIndex indexOfRun(const std::string& run) const;
  QModelIndex indexOfQueued(int number) const;
  int runCount() const { return static_cast<int>(runs_.size()); }

  /// Null until it has been read; asking reads it.
  const RunGlance* glanceOf(const QModelIndex& index) const;
  /// What stands at the right of a row: "0.061", "queue 2", "at 1,200", "NaN at 41", "8 runs".
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
  void merge(Node& parent, std::vector<RunTreeEntry>& entries);
  void removeMissing(Node& parent, const std::vector<RunTreeEntry>& entries);
  void insertAt(Node& parent, std::size_t place, std::vector<RunTreeEntry>& entries, std::size_t end);
  void adopt(Node& node, RunTreeEntry& entry);
  void forget(const Node& node);

  std::unique_ptr<Node> root_;
  std::unordered_map<std::string, Node*> runs_;  ///< by id
  StoreSnapshotPointer snapshot_;
  RunGlances* glances_;
};

}  // namespace slipstream::ui
