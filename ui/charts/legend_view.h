// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTableView>
#include <optional>

namespace slipstream::ui {

class LegendModel;

/// The table of a legend: an eye and a swatch before each name. A click on the eye hides a curve, one on its row shows
/// it alone; the row under the mouse, or with the focus, is pointed out in the charts.
class LegendView : public QTableView {
  Q_OBJECT

 public:
  explicit LegendView(LegendModel* model, QWidget* parent = nullptr);

  int rowHeight() const { return verticalHeaderHeight_; }
  /// That no name is cut in.
  int wholeWidth() const;
  /// Columns as wide as their content asks for; the name has the rest.
  void fitColumns();

 Q_SIGNALS:
  void hideWanted(int row);     ///< or show again
  void isolateWanted(int row);  ///< or show all again
  void pointedAt(int row);      ///< -1: none

 protected:
  bool event(QEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void currentChanged(const QModelIndex& current, const QModelIndex& previous) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  int widthOf(int column) const;
  int widestName() const;
  void pointAt(const QModelIndex& index);
  void pointAgain();

  int verticalHeaderHeight_ = 0;
  QPersistentModelIndex pointed_;
  std::optional<QPoint> mouseAt_;
  QPoint pressedAt_;
};

}  // namespace slipstream::ui
