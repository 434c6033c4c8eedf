// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QStringList>
#include <vector>

namespace slipstream::ui {

/// Rows of words for a table that is only read. New rows replace old ones in place, so that views keep where they are.
class RowsModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  explicit RowsModel(QStringList headings, QObject* parent = nullptr);

  void setRows(std::vector<QStringList> rows);
  /// Columns of figures stand at the right.
  void alignRight(int column) { right_.push_back(column); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  QStringList headings_;
  std::vector<QStringList> rows_;
  std::vector<int> right_;
};

}  // namespace slipstream::ui
