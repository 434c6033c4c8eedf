// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/layers/strip_paint.h"

namespace slipstream::ui {

/// Draws a StripPicture on the axis of the charts above and below it.
class StripChart : public QWidget {
  Q_OBJECT

 public:
  explicit StripChart(QWidget* parent = nullptr);

  const StripPicture& picture() const { return picture_; }
  void setPicture(StripPicture picture);
  void setCursor(std::optional<double> x);
  /// From one row to the next.
  int pitch() const { return pitch_; }
  void setPitch(int pitch);

  /// What the names of these rows need left of the plot.
  static double roomOf(const std::vector<HeatRow>& rows);

  QRectF plot() const;
  double xAt(double pixel) const;
  double pixelOf(double x) const;
  /// Nothing where the place is beside the cells or the cell is empty.
  std::optional<double> valueAt(int row, double x) const;

  QSize sizeHint() const override;
  QSize minimumSizeHint() const override;

 Q_SIGNALS:
  void rangeWanted(double first, double last);
  void wholeRangeWanted();
  void cursorMoved(std::optional<double> x);
  void cursorStepped(int samples);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void changeEvent(QEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  QString readingText() const;

  StripPicture picture_;
  int pitch_ = usualPitch;
  int row_ = -1;  ///< under the mouse, or chosen by the arrow keys
  std::optional<double> pressedAt_;
};

}  // namespace slipstream::ui
