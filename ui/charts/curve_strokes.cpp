// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/curve_strokes.h"

#include <QPainter>

#include "ui/widgets/drawing_painter.h"

namespace slipstream::ui {

bool haveManyPoints(const ChartModel& chart) {
  constexpr std::size_t mostCurves = 12, mostPoints = 8000;
  std::size_t points = 0;
  for (const ChartCurve& curve : chart.curves) {
    for (const Line& line : curve.line) points += line.x.size();
  }
  return chart.curves.size() > mostCurves || points > mostPoints;
}

CurveStrokes strokesOf(const ChartModel& chart, const ChartLayout& frame) {
  CurveStrokes made;
  for (const ChartCurve& curve : chart.curves) {
    addStrokes(rawPath(curve, frame), made.raw);
    addStrokes(linePath(chart, curve, frame), made.full);
  }
  qsizetype points = 0;
  for (const Stroke& stroke : made.raw) points += stroke.points.size();
  made.crisp = static_cast<double>(points) > frame.plot.width() * static_cast<double>(chart.curves.size());
  return made;
}

void paintBands(QPainter& painter, const ChartModel& chart, const ChartLayout& frame) {
  for (const ChartCurve& curve : chart.curves) DrawingPainter{painter}(bandPath(curve, frame));
}

void paintStrokes(QPainter& painter, const std::vector<Stroke>& strokes) {
  for (const Stroke& stroke : strokes) {
    painter.setPen(stroke.pen);
    painter.drawPolyline(stroke.points);
  }
}

void paintRaw(QPainter& painter, const CurveStrokes& strokes) {
  painter.setRenderHint(QPainter::Antialiasing, !strokes.crisp);
  paintStrokes(painter, strokes.raw);
  painter.setRenderHint(QPainter::Antialiasing);
}

std::vector<Stroke> wideStrokesOf(const ChartModel& chart, const ChartLayout& frame, double width) {
  std::vector<Stroke> strokes;
  for (const ChartCurve& curve : chart.curves) {
    DrawnPath path = linePath(chart, curve, frame);
    path.width = width;
    addStrokes(path, strokes);
  }
  return strokes;
}

namespace {

void paintCurves(QPainter& painter, const ChartModel& chart, const ChartLayout& frame) {
  paintBands(painter, chart, frame);
  const CurveStrokes strokes = strokesOf(chart, frame);
  paintRaw(painter, strokes);
  paintStrokes(painter, strokes.full);
}

}  // namespace

QImage pictureOfCurves(const ChartModel& chart, const ChartLayout& frame, const QSize& size, double ratio,
                       double width) {
  QImage picture(size * ratio, QImage::Format_ARGB32_Premultiplied);
  picture.setDevicePixelRatio(ratio);
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(curvesRect(frame));
  width > 0 ? paintStrokes(painter, wideStrokesOf(chart, frame, width)) : paintCurves(painter, chart, frame);
  painter.end();
  return picture;
}

}  // namespace slipstream::ui
