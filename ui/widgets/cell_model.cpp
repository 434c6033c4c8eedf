// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cell_table.h"

namespace slipstream::ui {

CellModel::CellModel(const QStringList& headings, const std::vector<int>& numbers, QObject* parent)
    : QAbstractTableModel(parent) {
  for (const QString& heading : headings) grid_.headings.push_back({heading});
  for (const int column : numbers) grid_.headings[static_cast<std::size_t>(column)].number = true;
}

void CellModel::setTexts(const std::vector<QStringList>& rows) {
  CellGrid grid{grid_.headings, {}};
  for (const QStringList& texts : rows) {
    std::vector<Cell>& cells = grid.rows.emplace_back();
    for (int column = 0; column < columnCount(); ++column) cells.push_back({texts.value(column)});
  }
  setGrid(std::move(grid));
}

void CellModel::setGrid(CellGrid grid) {
  resizeColumns(grid.headings.size());
  resizeRows(grid.rows.size());
  if (grid_.headings != grid.headings) {
    grid_.headings = std::move(grid.headings);
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
  }
  for (std::size_t row = 0; row < grid.rows.size(); ++row) {
    if (grid_.rows[row] == grid.rows[row]) continue;
    grid_.rows[row] = std::move(grid.rows[row]);
    Q_EMIT dataChanged(index(static_cast<int>(row), 0), index(static_cast<int>(row), columnCount() - 1));
  }
}

void CellModel::resizeColumns(std::size_t count) {
  const std::size_t old = grid_.headings.size();
  if (count == old) return;
  const auto resize = [&] {
    grid_.headings.resize(count);
    for (auto& row : grid_.rows) row.resize(count);
  };
  if (count > old) {
    beginInsertColumns({}, static_cast<int>(old), static_cast<int>(count) - 1);
    resize();
    endInsertColumns();
  } else {
    beginRemoveColumns({}, static_cast<int>(count), static_cast<int>(old) - 1);
    resize();
    endRemoveColumns();
  }
}

void CellModel::resizeRows(std::size_t count) {
  const std::size_t old = grid_.rows.size();
  if (count == old) return;
  if (count > old) {
    beginInsertRows({}, static_cast<int>(old), static_cast<int>(count) - 1);
    grid_.rows.resize(count, std::vector<Cell>(grid_.headings.size()));
    endInsertRows();
  } else {
    beginRemoveRows({}, static_cast<int>(count), static_cast<int>(old) - 1);
    grid_.rows.resize(count);
    endRemoveRows();
  }
}

const Cell& CellModel::cell(const QModelIndex& index) const {
  return grid_.rows[static_cast<std::size_t>(index.row())][static_cast<std::size_t>(index.column())];
}

int CellModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(grid_.rows.size());
}

int CellModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(grid_.headings.size());
}

QVariant CellModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return cell(index).text;
  if (role == Qt::TextAlignmentRole && grid_.headings[static_cast<std::size_t>(index.column())].number) {
    return static_cast<int>(Qt::AlignRight | Qt::AlignVCenter);
  }
  return {};
}

QVariant CellModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  const ColumnHeading& heading = grid_.headings[static_cast<std::size_t>(section)];
  if (role == Qt::TextAlignmentRole)
    return QVariant(Qt::AlignVCenter | (heading.number ? Qt::AlignRight : Qt::AlignLeft));
  if (role == Qt::DisplayRole || role == Qt::ToolTipRole) return heading.text;
  return {};
}

}  // namespace slipstream::ui
