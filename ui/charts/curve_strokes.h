// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QImage>
#include <vector>

#include "ui/charts/chart_lines.h"
#include "ui/charts/shown_chart.h"

namespace slipstream::ui {

// The lines of a chart's curves, which may be made and drawn in any thread.

struct CurveStrokes {
  std::vector<Stroke> raw;  ///< behind all full ones, so that none of those hides behind another's noise
  std::vector<Stroke> full;
  bool crisp = false;  ///< raw lines are so dense that blurred edges would hide their spikes
};
CurveStrokes strokesOf(const ChartModel& chart, const ChartLayout& frame);

void paintBands(QPainter& painter, const ChartModel& chart, const ChartLayout& frame);
void paintRaw(QPainter& painter, const CurveStrokes& strokes);
void paintStrokes(QPainter& painter, const std::vector<Stroke>& strokes);

/// Whether drawing the curves takes longer than a frame: then another thread does it.
bool haveManyPoints(const ChartModel& chart);
/// Bands and lines, transparent elsewhere, `ratio` device pixels wide for one of `size`. `width`: of the lines, and
/// nothing is drawn but those; 0: as the chart has them.
QImage pictureOfCurves(const ChartModel& chart, const ChartLayout& frame, const QSize& size, double ratio,
                       double width = 0);
constexpr double pointedOutWidth = 2.6;
/// The full lines alone, in a width of their own.
std::vector<Stroke> wideStrokesOf(const ChartModel& chart, const ChartLayout& frame, double width);

}  // namespace slipstream::ui
