// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>

#include "ui/study/matrix_model.h"

namespace slipstream::ui {

/// The matrix of a study: in each cell the change, its interval, a dot a seed, and the shape of the verdict. As high as
/// its rows. Arrow keys and clicks choose a cell; Enter asks for its runs, a click on a dot for the run of that seed.
class MatrixView : public QTableView {
  Q_OBJECT

 public:
  /// In a low window rows are lower. Returns whether they changed.
  bool fitRows();
  explicit MatrixView(QWidget* parent = nullptr);

  MatrixModel& matrix() { return *model_; }
  void setMatrix(StudyMatrix matrix, bool toTarget);
  /// The combination of factors of the chosen cell, counted from 0; the first one where none is chosen.
  int chosenColumn() const;
  /// The chosen cell's row; -1: none.
  int chosenRow() const;
  void choose(int row, int column);
  /// The seed whose dot is at a place of the viewport; null: none.
  const StudySeed* seedAt(const QPoint& place) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void chosen();  ///< another cell
  void runsWanted();
  void methodWanted();
  void runWanted(const QString& run);

 protected:
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  std::pair<int, int> strongestCell() const;
  void fitColumns();

  int height() const;

  MatrixModel* model_;
  bool isChosen_ = false;  ///< the cell in front, by a person
};

}  // namespace slipstream::ui
