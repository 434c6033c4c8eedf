// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/rows_model.h"

#include <algorithm>

namespace slipstream::ui {

RowsModel::RowsModel(QStringList headings, QObject* parent)
    : QAbstractTableModel(parent), headings_(std::move(headings)) {}

void RowsModel::setRows(std::vector<QStringList> rows) {
  const auto before = static_cast<int>(rows_.size());
  const auto after = static_cast<int>(rows.size());
  const int common = std::min(before, after);
  if (after < before) {
    beginRemoveRows({}, after, before - 1);
    rows_.resize(rows.size());
    endRemoveRows();
  }
  for (int i = 0; i < common; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (rows_[at] == rows[at]) continue;
    rows_[at] = rows[at];
    Q_EMIT dataChanged(index(i, 0), index(i, columnCount() - 1));
  }
  if (after > before) {
    beginInsertRows({}, before, after - 1);
    rows_.insert(rows_.end(), rows.begin() + before, rows.end());
    endInsertRows();
  }
}

int RowsModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int RowsModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(headings_.size());
}

QVariant RowsModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const bool right = std::ranges::find(right_, index.column()) != right_.end();
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft));
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  return rows_[static_cast<std::size_t>(index.row())].value(index.column());
}

QVariant RowsModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  const bool right = std::ranges::find(right_, section) != right_.end();
  if (role == Qt::TextAlignmentRole) return QVariant(Qt::AlignVCenter | (right ? Qt::AlignRight : Qt::AlignLeft));
  return role == Qt::DisplayRole ? QVariant(headings_.value(section)) : QVariant();
}

}  // namespace slipstream::ui
