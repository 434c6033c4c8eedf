// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractTableModel>
#include <QTableView>

#include "ui/widgets/cell_grid.h"

namespace slipstream::ui {

/// A grid as a model. A new grid is merged into the old one: rows and columns that stay are kept.
class CellModel : public QAbstractTableModel {
  Q_OBJECT

 public:
  using QAbstractTableModel::QAbstractTableModel;
  /// Of texts alone; columns of `numbers` are right-aligned.
  CellModel(const QStringList& headings, const std::vector<int>& numbers, QObject* parent);
  void setTexts(const std::vector<QStringList>& rows);

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

/// A framed table to read, whose rows are selected whole.
QTableView* readOnlyTable(CellModel* model, const QString& name);

/// A framed table as high as its rows: the page scrolls, not the table. Its first column takes what is left of the
/// width. Ctrl+C copies the chosen rows.
class CellTable : public QTableView {
  Q_OBJECT

 public:
  explicit CellTable(QWidget* parent = nullptr);

  CellModel& cells() { return *cells_; }
  void setGrid(CellGrid grid);

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void fitColumns();
  bool isDrawn(std::size_t column) const;
  void narrowDrawings(std::vector<int>& widths, int room) const;
  void widenDrawings(std::vector<int>& widths, int left) const;
  void narrowTexts(std::vector<int>& widths, int room) const;
  void spreadTexts(std::vector<int>& widths, int left) const;
  std::vector<int> neededWidths(bool wrapped) const;
  bool isWordless(int column) const;
  bool showsVerdict(std::size_t column) const;
  int height() const;

  CellModel* cells_;
};

}  // namespace slipstream::ui
