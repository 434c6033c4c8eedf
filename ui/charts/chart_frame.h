// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPolygonF>
#include <QRectF>
#include <QStringList>

#include "engine/record/chart_scale.h"
#include "ui/charts/chart_picture.h"

namespace slipstream::ui {

/// Where everything of a chart stands, in logical pixels.
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

ChartFrame frameOf(const ChartPicture& picture, const QSizeF& size);

/// A line in pixels, cut at the plot's left and right edges. Values that the axis cannot show are left out.
QPolygonF polylineOf(const Line& line, const ChartFrame& frame);

/// How many points of the curves lie in a place.
int pointsWithin(const ChartPicture& picture, const ChartFrame& frame, const QRectF& place);

/// A place on the x axis in words, as it stands in the cursor's tag: "step 240".
QString xText(ChartX kind, double value);
/// What it counts: "step", as the head of a column.
QString axisName(ChartX kind);

}  // namespace slipstream::ui
