// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPainter>

#include "ui/charts/chart_lines.h"
#include "ui/charts/curve_strokes.h"
#include "ui/charts/shown_chart.h"

namespace slipstream::ui {

/// Draws a model. Colours are read from the theme in force when it is laid out.
class ChartPainter {
 public:
  /// Computes the layout, which is cheap; lines are made when they are painted. `model` must live until
  /// the next call.
  void layOut(const ShownChart& model, const QSizeF& size);
  const ChartLayout& frame() const { return frame_; }
  /// Its curves are better drawn as pictureOfCurves().
  bool hasMany() const { return many_; }

  /// Everything but the cursor, over what is behind: what paintBehind, paintCurves and paintBefore draw, in this order.
  void paint(QPainter& painter);
  void paintBehind(QPainter& painter) const;
  /// Bands and lines: what costs time.
  void paintCurves(QPainter& painter);
  void paintBefore(QPainter& painter) const;
  /// The curves of another model in this one's place, wider than its own.
  void paintPointedOut(QPainter& painter, const ChartModel& curves) const;
  void paintCursor(QPainter& painter) const;

 private:
  void paintTitle(QPainter& painter) const;
  void makeLines();
  void paintNotes(QPainter& painter) const;
  void paintEmpty(QPainter& painter) const;

  const ShownChart* model_ = nullptr;
  QSizeF size_;
  ChartLayout frame_;
  CurveStrokes strokes_;
  ChartLines full_;
  bool many_ = false;
  bool made_ = false;  ///< the lines are the model's
};

}  // namespace slipstream::ui
