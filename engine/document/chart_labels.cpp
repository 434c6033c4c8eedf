// SPDX-License-Identifier: GPL-3.0-or-later
// Names of curves inside the plot, where they hide least.
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/document/chart_layout.h"

namespace slipstream {
namespace {

/// Where a curve is at x, between its samples; nothing outside of them.
std::optional<double> heightAt(const std::vector<Line>& lines, const ChartLayout& layout, double pixel) {
  const double x = layout.fromX(pixel);
  for (const Line& line : lines) {
    if (line.x.empty() || x < line.x.front() || x > line.x.back()) continue;
    const auto right = static_cast<std::size_t>(std::upper_bound(line.x.begin(), line.x.end() - 1, x) - line.x.begin());
    const std::size_t left = right > 0 ? right - 1 : right;
    const double span = line.x[right] - line.x[left];
    const double share = span > 0 ? (x - line.x[left]) / span : 0;
    return std::lerp(layout.toY(line.y[left]), layout.toY(line.y[right]), share);
  }
  return std::nullopt;
}

/// What a curve passes through between two places.
struct Passage {
  double top, bottom;
  double weight = 1;  ///< of a band less than of its line
};

/// Where the curves are between places across a label that begins and ends there: a step passes through all heights
/// between its ends.
std::vector<Passage> passagesBetween(const ChartModel& chart, const ChartLayout& layout, double left, double right) {
  constexpr int probes = 8;
  constexpr double bandWeight = 0.5;
  std::vector<Passage> passages;
  for (const ChartCurve& curve : chart.curves) {
    std::optional<double> before;
    for (int probe = 0; probe <= probes; ++probe) {
      const double pixel = std::lerp(left, right, 1.0 * probe / probes);
      const auto low = heightAt(curve.lowest, layout, pixel), high = heightAt(curve.highest, layout, pixel);
      if (low && high) passages.push_back({*high, *low, bandWeight});
      const auto y = heightAt(curve.line, layout, pixel);
      if (y) passages.push_back({std::min(*y, before.value_or(*y)), std::max(*y, before.value_or(*y))});
      before = y;
    }
  }
  return passages;
}

/// What a label would hide there of lines, which pass through these heights, and of bounds.
double hiddenCost(const ChartModel& chart, const ChartLayout& layout, const std::vector<Passage>& passages, double top,
                  double bottom) {
  constexpr double boundWeight = 3;
  double sum = 0;
  for (const Passage& passage : passages) sum += passage.bottom > top && passage.top < bottom ? passage.weight : 0;
  for (const ChartBound& bound : chart.bounds) {
    const double y = layout.toY(bound.value);
    // Its text is above it.
    if (y > top && y - (bottom - top) < bottom) sum += boundWeight;
  }
  return sum;
}

/// How far from its line's end a label would be, and how many other lines end nearer to it.
double distanceCost(const EndLabel& label, const std::vector<EndLabel>& labels, double middle) {
  constexpr double distanceWeight = 0.04, nearerWeight = 10, closest = 13, tooClose = 20;
  const double distance = std::abs(middle - label.end);
  double sum = distanceWeight * distance + (distance < closest ? tooClose : 0);
  for (const EndLabel& other : labels) sum += std::abs(middle - other.end) < distance ? nearerWeight : 0;
  return sum;
}

/// Chooses a top for each label so that all costs together are least and the labels follow each other as the ends do.
/// `costs`: of each label at each top. `leastGap`: so many tops lie between two labels at least; there is room for all.
std::vector<std::size_t> chooseTops(const std::vector<std::vector<double>>& costs, std::size_t leastGap) {
  const std::size_t tops = costs.front().size();
  constexpr double impossible = std::numeric_limits<double>::infinity();
  std::vector<double> least(tops, 0);  // of the labels so far, the last of which is at this top or above
  std::vector<std::vector<double>> sums;
  for (const std::vector<double>& cost : costs) {
    std::vector<double> sum(tops, impossible);
    for (std::size_t top = 0; top < tops; ++top) {
      const bool first = sums.empty();
      if (first || top >= leastGap) sum[top] = cost[top] + (first ? 0 : least[top - leastGap]);
    }
    sums.push_back(sum);
    for (std::size_t top = 0; top < tops; ++top) least[top] = top > 0 ? std::min(sum[top], least[top - 1]) : sum[top];
  }
  std::vector<std::size_t> chosen(costs.size());
  std::size_t end = tops;  // behind the tops that are left
  for (std::size_t i = costs.size(); i-- > 0;) {
    const auto best = std::min_element(sums[i].begin(), sums[i].begin() + static_cast<std::ptrdiff_t>(end));
    chosen[i] = static_cast<std::size_t>(best - sums[i].begin());
    end = chosen[i] >= leastGap ? chosen[i] - leastGap + 1 : 0;
  }
  return chosen;
}

/// From the highest end to the lowest; their places are not chosen yet. A logarithmic axis has no place for every end.
std::vector<EndLabel> labelsOfEnds(const ChartModel& chart, const ChartLayout& layout,
                                   const std::vector<std::string>& texts) {
  std::vector<EndLabel> labels;
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const std::optional<double> last = chart.curves[i].last();
    const double end = last ? layout.toY(*last) : NAN;
    if (std::isfinite(end) && !texts[i].empty()) labels.push_back({chart.curves[i].colourSlot, texts[i], end});
  }
  std::ranges::stable_sort(labels, {}, &EndLabel::end);
  return labels;
}

}  // namespace

std::vector<EndLabel> labelsWithin(const ChartModel& chart, const ChartLayout& layout,
                                   const std::vector<std::string>& texts, const TextMetrics& font) {
  constexpr double mostShare = 0.9;  // of the plot
  constexpr double swatch = labelSwatch + labelSwatchGap, step = 3;
  const double height = font.height(), right = layout.plot.right - 2;
  std::vector<EndLabel> labels = labelsOfEnds(chart, layout, texts);
  if (labels.empty() || height > layout.plot.height()) return {};
  const auto tops = static_cast<std::size_t>((layout.plot.height() - height) / step) + 1;
  const auto leastGap = static_cast<std::size_t>(std::ceil(height / step));
  labels.resize(std::min(labels.size(), (tops - 1) / leastGap + 1));
  const auto topAt = [&](std::size_t top) { return layout.plot.top + step * static_cast<double>(top); };
  std::vector<std::vector<double>> costs;
  for (EndLabel& label : labels) {
    label.text = elided(label.text, layout.plot.width() * mostShare - swatch, font);
    label.place = {right - swatch - font.width(label.text), 0, right, 0};
    const std::vector<Passage> passages = passagesBetween(chart, layout, label.place.left, right);
    std::vector<double>& cost = costs.emplace_back();
    for (std::size_t top = 0; top < tops; ++top) {
      const double y = topAt(top);
      cost.push_back(hiddenCost(chart, layout, passages, y, y + height) + distanceCost(label, labels, y + height / 2));
    }
  }
  const auto chosen = chooseTops(costs, leastGap);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i].place.top = topAt(chosen[i]);
    labels[i].place.bottom = labels[i].place.top + height;
  }
  return labels;
}

}  // namespace slipstream
