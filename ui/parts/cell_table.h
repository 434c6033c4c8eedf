// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include "ui/parts/cell_model.h"

namespace slipstream::ui {

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
  void narrowTexts(std::vector<int>& widths, int room) const;
  std::vector<int> neededWidths() const;
  bool showsInterval(int column) const;
  bool showsVerdict(std::size_t column) const;
  int height() const;

  CellModel* cells_;
};

}  // namespace slipstream::ui
