// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <set>
#include <string>
#include <vector>

#include "ui/runs/run_table.h"

namespace slipstream::ui {

/// The rows of the table as CSV (RFC 4180), with id and name before the columns: units in the head, numbers in full.
/// Runs of closed groups are among them. `ticked`: these runs alone, unless there is none, also where the filter does
/// not leave them.
struct CsvTable {
  QString text;
  int runs = 0;
};
CsvTable csvOf(const ArrangedRuns& table, const std::vector<std::size_t>& columns, const std::set<std::string>& ticked);

/// The table of runs as a model: the first column names the run and can be ticked, the others are chosen. Ticks stay
/// with their runs, whatever is sorted or filtered.
class RunTableModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  /// Rows that stay where they are keep what views know of them; else the model is reset.
  void take(ArrangedRunsPointer table);
  const ArrangedRunsPointer& table() const { return table_; }

  /// Places in runColumns(), in their order.
  void setColumns(std::vector<std::size_t> columns);
  const std::vector<std::size_t>& columns() const { return columns_; }
  /// The place in runColumns() that a column of the table shows.
  std::size_t columnOf(int section) const;

  bool isGroup(int row) const;
  const TableRow& at(int row) const;
  /// -1 where the run has no row.
  int rowOf(const std::string& run) const;

  const std::set<std::string>& ticked() const { return ticked_; }
  void setTicked(std::set<std::string> runs);
  /// Of the run, or of all runs of the group.
  void toggle(int row);
  /// What of the row can be compared differs: between the runs that are ticked, or from the baseline.
  bool differs(int row, int column) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void tickedChanged();
  void valuesRead();  ///< of rows that stay where they are, and had none before

 private:
  QString textAt(const TableRow& row, int column) const;
  QString spokenText(const TableRow& row, int column) const;
  std::vector<const RunValues*> tickedValues() const;
  void refreshReference();
  /// Closed or not.
  std::vector<std::string> runsOfGroup(int row) const;
  Qt::CheckState tickOf(int row) const;

  ArrangedRunsPointer table_;
  std::vector<std::size_t> columns_;
  std::set<std::string> ticked_;
  std::vector<bool> tickedDiffer_;  ///< by column: two or more ticked runs are not alike there
  RunValuesPointer baseline_;       ///< of the pinned run; null: there is none
};

}  // namespace slipstream::ui
