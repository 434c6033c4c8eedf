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

/// What a label would hide there of lines and bounds.
double hidden(const ChartModel& chart, const ChartLayout& layout, const Rect& room) {
  constexpr int probes = 8;
  constexpr double boundWeight = 3;
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
  return sum;
}

/// How far from its line's end a label would be, and how many other lines end nearer to it.
double estranged(const EndLabel& label, const std::vector<EndLabel>& labels, double middle) {
  constexpr double distanceWeight = 0.04, nearerWeight = 10, closest = 13, tooClose = 20;
  const double distance = std::abs(middle - label.end);
  double sum = distanceWeight * distance + (distance < closest ? tooClose : 0);
  for (const EndLabel& other : labels) sum += std::abs(middle - other.end) < distance ? nearerWeight : 0;
  return sum;
}

/// Chooses a top for each label so that all costs together are least, none is over another, and they follow each other
/// as the ends do. `costs`: of each label at each top; `apart`: that tops of labels are at least. Empty where there is
/// no room.
std::vector<std::size_t> chooseTops(const std::vector<std::vector<double>>& costs, std::size_t apart) {
  const std::size_t tops = costs.front().size();
  constexpr double never = std::numeric_limits<double>::infinity();
  std::vector<double> least(tops, 0);  // of the labels so far, the last of which is at this top or above
  std::vector<std::vector<double>> sums;
  for (const std::vector<double>& cost : costs) {
    std::vector<double> sum(tops, never);
    for (std::size_t top = 0; top < tops; ++top) {
      const bool first = sums.empty();
      if (first || top >= apart) sum[top] = cost[top] + (first ? 0 : least[top - apart]);
    }
    sums.push_back(sum);
    for (std::size_t top = 0; top < tops; ++top) least[top] = top > 0 ? std::min(sum[top], least[top - 1]) : sum[top];
  }
  std::vector<std::size_t> chosen(costs.size());
  std::size_t end = tops;  // behind the tops that are left
  for (std::size_t i = costs.size(); i-- > 0;) {
    if (end == 0) return {};
    const auto best = std::min_element(sums[i].begin(), sums[i].begin() + static_cast<std::ptrdiff_t>(end));
    if (*best == never) return {};
    chosen[i] = static_cast<std::size_t>(best - sums[i].begin());
    end = chosen[i] >= apart ? chosen[i] - apart + 1 : 0;
  }
  return chosen;
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
  constexpr double swatch = labelSwatch + labelSwatchGap, step = 3;
  const double height = font.height();
  const auto tops = static_cast<std::size_t>(std::max(0.0, (layout.plot.height() - height) / step)) + 1;
  const auto roomAt = [&](const EndLabel& label, std::size_t top) {
    const double y = layout.plot.top + step * static_cast<double>(top);
    const double right = layout.plot.right - 2;
    return Rect{right - swatch - font.width(label.text), y, right, y + height};
  };
  std::vector<std::vector<double>> costs;
  for (EndLabel& label : labels) {
    label.text = elided(label.text, layout.plot.width() * mostShare - swatch, font);
    std::vector<double>& cost = costs.emplace_back();
    for (std::size_t top = 0; top < tops; ++top) {
      const Rect room = roomAt(label, top);
      cost.push_back(hidden(chart, layout, room) + estranged(label, labels, room.top + height / 2));
    }
  }
  if (labels.empty()) return labels;
  const auto chosen = chooseTops(costs, static_cast<std::size_t>(std::ceil(height / step)));
  if (chosen.empty()) return {};
  for (std::size_t i = 0; i < labels.size(); ++i) labels[i].place = roomAt(labels[i], chosen[i]);
  return labels;
}

}  // namespace slipstream
