// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/base/number_format.h"
#include "ui/charts/chart_legend.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double labelSwatchWidth = 14, labelSwatchHeight = 3, aboveLine = 13, mostShare = 0.9;

struct EndLabel {
  const LineCurve* curve = nullptr;
  QString text;
  double line = 0;  ///< y of the line's end
};

std::vector<EndLabel> labelsOf(const ChartModel& model, const ChartFrame& frame,
                               const std::vector<std::optional<CursorReading>>& readings) {
  std::vector<EndLabel> labels;
  for (std::size_t i = 0; i < model.curves.size(); ++i) {
    const LineCurve& curve = model.curves[i];
    if (curve.line.empty() || curve.line.back().y.empty()) continue;
    const bool read = i < readings.size() && readings[i];
    const QString value = read ? QString::fromStdString(threeDigits(readings[i]->smoothed)) : QString();
    labels.push_back({&curve,
                      value.isEmpty() || model.wholeNumbers ? curve.label : curve.label + QLatin1Char(' ') + value,
                      frame.toY(curve.line.back().y.back())});
  }
  std::stable_sort(labels.begin(), labels.end(), [](const auto& a, const auto& b) { return a.line < b.line; });
  return labels;
}

/// Where the curve is at x, between its samples; nothing outside of them.
std::optional<double> heightAt(const LineCurve& curve, const ChartFrame& frame, double pixel) {
  const double x = frame.fromX(pixel);
  for (const Line& line : curve.line) {
    if (line.x.empty() || x < line.x.front() || x > line.x.back()) continue;
    const auto after = std::upper_bound(line.x.begin(), line.x.end() - 1, x) - line.x.begin();
    const auto right = static_cast<std::size_t>(after);
    const std::size_t left = right > 0 ? right - 1 : right;
    const double span = line.x[right] - line.x[left];
    const double share = span > 0 ? (x - line.x[left]) / span : 0;
    return frame.toY(line.y[left]) + share * (frame.toY(line.y[right]) - frame.toY(line.y[left]));
  }
  return std::nullopt;
}

/// What a label would hide there: lines, bounds, other labels.
double hidden(const ChartModel& model, const ChartFrame& frame, const QRectF& room, const std::vector<QRectF>& taken) {
  constexpr int probes = 8;
  constexpr double boundWeight = 3, labelWeight = 100;
  double sum = 0;
  for (const LineCurve& curve : model.curves) {
    for (int probe = 0; probe <= probes; ++probe) {
      const auto y = heightAt(curve, frame, room.left() + room.width() * probe / probes);
      if (y && *y > room.top() && *y < room.bottom()) ++sum;
    }
  }
  for (const ChartBound& bound : model.bounds) {
    const double y = frame.toY(bound.value);
    // Its text is above it.
    if (y > room.top() && y - room.height() < room.bottom()) sum += boundWeight;
  }
  for (const QRectF& other : taken) sum += other.intersects(room) ? labelWeight : 0;
  return sum;
}

/// Near the line's end, where it hides least.
QRectF roomFor(const EndLabel& label, const ChartModel& model, const ChartFrame& frame, const QSizeF& size,
               const std::vector<QRectF>& taken) {
  constexpr double farther = 6, mostSteps = 20, distanceWeight = 0.04;
  QRectF best(QPointF(frame.plot.right() - size.width() - 2, frame.plot.top()), size);
  double least = std::numeric_limits<double>::infinity();
  for (double step = 0; step < mostSteps; ++step) {
    for (const double side : {-1.0, 1.0}) {
      const double offset = side * (aboveLine + step * farther);
      const QRectF room(QPointF(best.left(), label.line + offset - size.height() / 2), size);
      if (room.top() < frame.plot.top() || room.bottom() > frame.plot.bottom()) continue;
      const double cost = hidden(model, frame, room, taken) + distanceWeight * std::abs(offset);
      if (cost >= least) continue;
      least = cost;
      best = room;
    }
  }
  return best;
}

}  // namespace

void paintEndLabels(QPainter& painter, const ChartModel& model, const ChartFrame& frame,
                    const std::vector<std::optional<CursorReading>>& readings) {
  const QFont font = textFont(TextSize::secondary);
  const QFontMetricsF metrics(font);
  std::vector<EndLabel> labels = labelsOf(model, frame, readings);
  std::vector<QRectF> taken;
  painter.setFont(font);
  const double most = frame.plot.width() * mostShare - labelSwatchWidth - gapSmall;
  for (const EndLabel& label : labels) {
    const QString text = metrics.elidedText(label.text, Qt::ElideMiddle, most);
    const QSizeF size(labelSwatchWidth + gapSmall + metrics.horizontalAdvance(text), metrics.height());
    const QRectF room = roomFor(label, model, frame, size, taken);
    taken.push_back(room);
    paintSwatch(painter,
                QRectF(room.left(), room.center().y() - labelSwatchHeight / 2, labelSwatchWidth, labelSwatchHeight),
                label.curve->colourSlot);
    painter.setPen(tokens().text);
    painter.drawText(QPointF(room.left() + labelSwatchWidth + gapSmall, room.top() + metrics.ascent()), text);
  }
}

}  // namespace slipstream::ui
