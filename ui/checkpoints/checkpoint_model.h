// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <optional>

#include "engine/runs/weight_lookup.h"
#include "ui/widgets/size_unit.h"

namespace slipstream::ui {

/// One line of the list.
struct CheckpointEntry {
  StoredWeights weights;
  std::string keptFor;                  ///< why it cannot be deleted; empty: it can
  QString evaluation;                   ///< what came of evaluating it; empty: nobody has
  std::optional<double> accuracy = {};  ///< a share, as the run itself evaluated at that step
};

/// The checkpoints and snapshots of a run. New lists are merged: lines that stay are kept.
class CheckpointModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column {
    stepColumn,
    stageColumn,
    epochColumn,
    kindColumn,
    timeColumn,
    sizeColumn,
    ownColumn,
    newColumn,
    attemptColumn,
    accuracyColumn,
    evaluationColumn,
    columns
  };

  using QAbstractTableModel::QAbstractTableModel;

  /// By step, as storedWeights() gives them.
  void setEntries(std::vector<CheckpointEntry> entries);
  /// Whether any shares what it is made of with another one.
  bool sharesAny() const;
  void setEvaluation(std::int64_t step, WeightsKind kind, const QString& message);
  const std::vector<CheckpointEntry>& entries() const { return entries_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QString cellText(const CheckpointEntry& entry, int column) const;
  QString markedKind(const CheckpointEntry& entry) const;
  void findMarked();

  SizeUnit unit_ = unitFor(0);  ///< of all sizes
  std::vector<CheckpointEntry> entries_;
  std::optional<std::int64_t> last_, best_;  ///< their steps; nothing where it is the only one
};

QString kindText(WeightsKind kind);
/// What `slipstream evaluate --json` printed, in words: "98.10 %, loss 0.0612".
QString evaluationText(const QByteArray& json);

}  // namespace slipstream::ui
