// SPDX-License-Identifier: GPL-3.0-or-later
// Names of curves inside the plot, where they hide least.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/document/chart_layout.h"

namespace slipstream {
namespace {

/// Where the curve is at x, between its samples; nothing outside of them.
std::optional<double> heightAt(const ChartCurve& curve, const ChartLayout& layout, double pixel) {
  const double x = layout.fromX(pixel);
  for (const Line& line : curve.line) {
    if (line.x.empty() || x < line.x.front() || x > line.x.back()) continue;
    const auto right = static_cast<std::size_t>(std::upper_bound(line.x.begin(), line.x.end() - 1, x) - line.x.begin());
    const std::size_t left = right > 0 ? right - 1 : right;
    const double span = line.x[right] - line.x[left];
    const double share = span > 0 ? (x - line.x[left]) / span : 0;
    return std::lerp(layout.toY(line.y[left]), layout.toY(line.y[right]), share);
  }
  return std::nullopt;
}

/// What a label would hide there: lines, bounds, other labels.
double hidden(const ChartModel& chart, const ChartLayout& layout, const Rect& room,
              const std::vector<EndLabel>& placed) {
  constexpr int probes = 8;
  constexpr double boundWeight = 3, labelWeight = 100;
  double sum = 0;
  for (const ChartCurve& curve : chart.curves) {
    for (int probe = 0; probe <= probes; ++probe) {
      const auto y = heightAt(curve, layout, room.left + room.width() * probe / probes);
      if (y && *y > room.top && *y < room.bottom) ++sum;
    }
  }
  for (const ChartBound& bound : chart.bounds) {
    const double y = layout.toY(bound.value);
    // Its text is above it.
    if (y > room.top && y - room.height() < room.bottom) sum += boundWeight;
  }
  for (const EndLabel& other : placed) sum += other.place.intersects(room) ? labelWeight : 0;
  return sum;
}

Rect roomFor(double end, double width, double height, const ChartModel& chart, const ChartLayout& layout,
             const std::vector<EndLabel>& placed) {
  constexpr double aboveLine = 13, farther = 6, distanceWeight = 0.04;
  constexpr int mostSteps = 20;
  const double left = layout.plot.right - width - 2;
  Rect best{left, layout.plot.top, left + width, layout.plot.top + height};
  double least = std::numeric_limits<double>::infinity();
  for (int step = 0; step < mostSteps; ++step) {
    for (const double side : {-1.0, 1.0}) {
      const double offset = side * (aboveLine + step * farther);
      const double top = end + offset - height / 2;
      const Rect room{left, top, left + width, top + height};
      if (room.top < layout.plot.top || room.bottom > layout.plot.bottom) continue;
      const double cost = hidden(chart, layout, room, placed) + distanceWeight * std::abs(offset);
      if (cost >= least) continue;
      least = cost;
      best = room;
    }
  }
  return best;
}

}  // namespace

std::vector<EndLabel> labelsWithin(const ChartModel& chart, const ChartLayout& layout,
                                   const std::vector<std::string>& texts, const TextMetrics& font) {
  constexpr double mostShare = 0.9;  // of the plot
  std::vector<EndLabel> labels;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const std::optional<double> last = chart.curves[i].last();
    if (last && !texts[i].empty()) labels.push_back({chart.curves[i].colourSlot, texts[i], layout.toY(*last)});
  }
  std::ranges::stable_sort(labels, {}, &EndLabel::end);
  std::vector<EndLabel> placed;
  for (EndLabel& label : labels) {
    constexpr double swatch = labelSwatch + labelSwatchGap;
    label.text = elided(label.text, layout.plot.width() * mostShare - swatch, font);
    label.place = roomFor(label.end, swatch + font.width(label.text), font.height(), chart, layout, placed);
    placed.push_back(std::move(label));
  }
  return placed;
}

}  // namespace slipstream
