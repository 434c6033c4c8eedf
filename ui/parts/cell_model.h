// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>

#include "ui/parts/cell_grid.h"

namespace slipstream::ui {

/// A grid as a model. A new grid is merged into the old one: rows and columns that stay are kept.
class CellModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;

  const CellGrid& grid() const { return grid_; }
  void setGrid(CellGrid grid);
  const Cell& cell(const QModelIndex& index) const;

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  void resizeColumns(std::size_t count);
  void resizeRows(std::size_t count);

  CellGrid grid_;
};

}  // namespace slipstream::ui
