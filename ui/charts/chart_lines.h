// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsScene>
#include <QPen>
#include <QPolygonF>
#include <vector>

#include "engine/document/drawing.h"

QT_BEGIN_NAMESPACE
class QChart;
class QLineSeries;
class QValueAxis;
QT_END_NAMESPACE

namespace slipstream::ui {

/// One line to stroke, in pixels of the plot.
struct Stroke {
  QPolygonF points;
  QPen pen;
};

/// Lines of a chart by Qt Charts; nothing else of the program knows it. It makes an outline of every line, to be found
/// under a mouse: dense noise, which nobody points at, is not given to it. The chart's axes count pixels: where
/// values are, and what is written beside them, is known before. So a zoom replaces thinned points and moves no
/// axis, which Qt Charts would answer by placing every point twice.
class ChartLines {
 public:
  ChartLines();
  ~ChartLines();

  void setStrokes(const QRectF& plot, const std::vector<Stroke>& strokes);
  /// Draws the lines at the plot's position.
  void paint(QPainter& painter);

 private:
  QLineSeries* lineAt(std::size_t index);

  QGraphicsScene scene_;
  QChart* chart_;  ///< the scene's
  QValueAxis* x_;
  QValueAxis* y_;
  std::vector<QLineSeries*> lines_;  ///< the chart's; those not in use are empty
  std::size_t used_ = 0;
  QRectF plot_;
};

/// Adds the lines of a path of a chart. Raw ones, which are pale, are mixed with what is behind them instead of being
/// let through, so that a line that goes up and down in one pixel column is not darker there.
void addStrokes(const DrawnPath& path, std::vector<Stroke>& strokes);

}  // namespace slipstream::ui
