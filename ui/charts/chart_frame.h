// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QStringList>

#include "engine/document/chart_scale.h"
#include "ui/charts/chart_model.h"

namespace slipstream::ui {

/// The layout of a chart, in logical pixels.
struct ChartFrame {
  QRectF plot;
  AxisScale x, y;
  std::vector<double> xTicks, yTicks;
  QStringList xTexts, yTexts;

  /// Where curves are drawn: one that runs along an edge keeps its width.
  QRectF curves() const { return plot.adjusted(0, -2, 0, 2); }
  double toX(double value) const { return plot.left() + x.share(value) * plot.width(); }
  double toY(double value) const { return plot.bottom() - y.share(value) * plot.height(); }
  double fromX(double pixel) const { return x.valueAt((pixel - plot.left()) / plot.width()); }
};

ChartFrame frameOf(const ChartModel& model, const QSizeF& size);

/// A line in pixels, cut at the plot's left and right edges. Values that the axis cannot show are left out.
QPolygonF polylineOf(const Line& line, const ChartFrame& frame);

/// How many points of the curves lie in a place.
int pointsWithin(const ChartModel& model, const ChartFrame& frame, const QRectF& place);

/// A position on the x axis as the cursor's tag shows it: "step 240".
QString xText(ChartX kind, double value);
/// What the axis counts, as the heading of a column: "step".
QString axisName(ChartX kind);

}  // namespace slipstream::ui
