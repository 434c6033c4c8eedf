// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace slipstream::ui {

/// One curve in the legend.
struct LegendRow {
  std::vector<std::string> runs = {};  ///< ids; several where seeds are one curve
  QString label = {};
  int colourSlot = 0;
  bool hidden = false;
  bool living = false;               ///< a run that goes on
  std::optional<double> value = {};  ///< at the cursor, or the last one
  std::optional<double> raw = {};
  std::optional<double> last = {};

  bool operator==(const LegendRow&) const = default;
};

/// The curves of a page by what they are worth at the cursor: lists what charts draw and what is hidden from them.
class LegendModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { runColumn, valueColumn, rawColumn, lastColumn };

  using QAbstractTableModel::QAbstractTableModel;

  /// Each curve once. Views keep what they know of curves that stay.
  void setRows(std::vector<LegendRow> rows);
  const LegendRow& row(int index) const { return rows_[order_[static_cast<std::size_t>(index)]]; }
  /// In the order in which they were set.
  const std::vector<LegendRow>& rows() const { return rows_; }
  /// The row of a run; -1 where it has none.
  int rowOf(const std::string& run) const;
  int hiddenCount() const;
  /// What a row is, "run" or "group", and what is above the columns of values, "at 240", and of raw ones.
  void setTitles(const QString& title, const QString& value, const QString& raw);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  /// Whether living runs come first: in a long list they would be out of sight.
  void setLivingFirst(bool first);
  /// Hidden ones and those without a value come last.
  void sort(int column, Qt::SortOrder order) override;

 private:
  std::optional<double> number(const LegendRow& row, int column) const;
  QString spoken(const LegendRow& row) const;
  void order();
  void removeAllBut(const std::vector<LegendRow>& rows);
  void addNewOf(const std::vector<LegendRow>& rows);
  void reorder(const std::function<void()>& change);

  std::vector<LegendRow> rows_;
  std::vector<std::size_t> order_;
  bool livingFirst_ = false;
  int sorted_ = -1;  ///< the column; -1: as they were set
  Qt::SortOrder direction_ = Qt::AscendingOrder;
  QString rowTitle_, valueTitle_, rawTitle_;
};

}  // namespace slipstream::ui
