// SPDX-License-Identifier: GPL-3.0-or-later
// Names of curves inside the plot, where they hide least.
#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <limits>
#include <optional>
#include <utility>

#include "engine/document/chart_layout.h"

namespace slipstream {
namespace {

/// What is drawn within one column of the plot.
struct Passage {
  double top, bottom;
  double weight;  ///< of a band or a raw line less than of a line
  bool isFilled;  ///< a text is read well on a band, however high that is
};

/// What is drawn of the curves, column by column: what a label would hide is looked up there.
class DrawnColumns {
 public:
  DrawnColumns(const ChartModel& chart, const ChartLayout& layout)
      : layout_(layout), columns_(static_cast<std::size_t>(std::ceil(layout.plot.width() / width)) + 1) {
    constexpr double full = 0.5, faint = 0.25;
    for (const ChartCurve& curve : chart.curves) {
      add({&curve.line}, full);
      add({&curve.raw}, faint);
      add({&curve.lowest, &curve.highest}, faint);
    }
  }
  /// What a label at that place hides. An upright through its text is worse than a line below it.
  double hidden(const Rect& place) const {
    constexpr double crossed = 5;
    double sum = 0;
    // A line that ends at the label's swatch looks as if it went on there.
    for (std::size_t column = columnAt(place.left - width); column <= columnAt(place.right); ++column) {
      for (const Passage& passage : columns_[column]) {
        if (passage.bottom <= place.top || passage.top >= place.bottom) continue;
        const bool isThrough = !passage.isFilled && passage.top <= place.top && passage.bottom >= place.bottom;
        sum += passage.weight * (isThrough ? crossed : 1);
      }
    }
    return sum;
  }

 private:
  static constexpr double width = 6;

  std::size_t columnAt(double x) const {
    const double column = std::floor((x - layout_.plot.left) / width);
    return static_cast<std::size_t>(std::clamp(column, 0.0, static_cast<double>(columns_.size() - 1)));
  }
  /// All that one curve draws in one way.
  void add(std::initializer_list<const std::vector<Line>*> parts, double weight) {
    std::vector<std::optional<Passage>> passed(columns_.size());
    const auto extend = [&](std::size_t column, double y) {
      Passage& passage =
          passed[column] ? *passed[column] : passed[column].emplace(Passage{y, y, weight, parts.size() > 1});
      passage.top = std::min(passage.top, y);
      passage.bottom = std::max(passage.bottom, y);
    };
    for (const std::vector<Line>* lines : parts) {
      for (const Line& line : *lines) addLine(pointsOf(line, layout_), extend);
    }
    for (std::size_t column = 0; column < passed.size(); ++column) {
      if (passed[column]) columns_[column].push_back(*passed[column]);
    }
  }
  template <class Extend>
  void addLine(const std::vector<Point>& points, const Extend& extend) const {
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Point& from = points[i > 0 ? i - 1 : 0];
      const Point& to = points[i];
      const double span = to.x - from.x;
      for (std::size_t column = columnAt(from.x); column <= columnAt(to.x); ++column) {
        const double begin = layout_.plot.left + width * static_cast<double>(column);
        for (const double edge : {begin, begin + width}) {
          const double share = span > 0 ? std::clamp((edge - from.x) / span, 0.0, 1.0) : edge > from.x ? 1.0 : 0.0;
          extend(column, std::lerp(from.y, to.y, share));
        }
      }
    }
  }

  const ChartLayout& layout_;
  std::vector<std::vector<Passage>> columns_;
};

/// What a label hides of bounds, whose texts are above them.
double hiddenBounds(const ChartModel& chart, const ChartLayout& layout, double top, double bottom) {
  constexpr double boundWeight = 3;
  double sum = 0;
  for (const ChartBound& bound : chart.bounds) {
    const double y = layout.toY(bound.value);
    if (y > top && y - (bottom - top) < bottom) sum += boundWeight;
  }
  return sum;
}

/// How far from its line's end a label would be, and how many other lines end nearer to it.
double distanceCost(const EndLabel& label, const std::vector<EndLabel>& labels, double middle) {
  constexpr double distanceWeight = 0.08, nearerWeight = 10, closest = 13, tooClose = 20;
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

/// How far to the left of the plot's right edge a label costs least, and what it costs there: what it hides, and the
/// distance.
std::pair<double, double> leastHidden(const DrawnColumns& drawn, Rect place, const Rect& plot) {
  constexpr double step = 6, shiftWeight = 0.02, margin = 5, mostShare = 0.35;  // of the plot
  const double most = std::min(place.left - plot.left - step, mostShare * plot.width());
  place = {place.left - margin, place.top, place.right + margin, place.bottom};
  std::pair<double, double> best{0, drawn.hidden(place)};
  for (double shift = step; shift <= most && shiftWeight * shift < best.second; shift += step) {
    const Rect moved{place.left - shift, place.top, place.right - shift, place.bottom};
    const double cost = drawn.hidden(moved) + shiftWeight * shift;
    if (cost < best.second) best = {shift, cost};
  }
  return best;
}

}  // namespace

std::vector<EndLabel> labelsWithin(const ChartModel& chart, const ChartLayout& layout,
                                   const std::vector<std::string>& texts, const TextMetrics& font) {
  constexpr double mostShare = 0.9;  // of the plot
  constexpr double besideGap = 6;
  constexpr double swatch = labelSwatch + labelSwatchGap, step = 3;
  const double height = font.height();
  std::vector<EndLabel> labels = labelsOfEnds(chart, layout, texts);
  double widest = 0;
  for (const EndLabel& label : labels) widest = std::max(widest, swatch + font.width(label.text));
  const bool beside = layout.plot.right + besideGap + widest <= layout.width;
  if (labels.empty() || height > layout.plot.height()) return {};
  const auto tops = static_cast<std::size_t>((layout.plot.height() - height) / step) + 1;
  const auto leastGap = static_cast<std::size_t>(std::ceil(height / step));
  labels.resize(std::min(labels.size(), (tops - 1) / leastGap + 1));
  const auto topAt = [&](std::size_t top) { return layout.plot.top + step * static_cast<double>(top); };
  const DrawnColumns drawn(chart, layout);
  std::vector<std::vector<double>> costs, shifts;  // of each label at each top: the shift that hides least there
  for (EndLabel& label : labels) {
    label.text = elided(label.text, layout.plot.width() * mostShare - swatch, font);
    const double width = swatch + font.width(label.text);
    const double left = beside ? layout.plot.right + besideGap : layout.plot.right - 2 - width;
    label.place = {left, 0, left + width, 0};
    costs.emplace_back();
    shifts.emplace_back();
    for (std::size_t top = 0; top < tops; ++top) {
      label.place.top = topAt(top);
      label.place.bottom = label.place.top + height;
      const auto [shift, hidden] = beside ? std::pair(0.0, 0.0) : leastHidden(drawn, label.place, layout.plot);
      const double middle = label.place.top + height / 2;
      const double bounds = beside ? 0 : hiddenBounds(chart, layout, label.place.top, label.place.bottom);
      shifts.back().push_back(shift);
      costs.back().push_back(hidden + bounds + distanceCost(label, labels, middle));
    }
  }
  const auto chosen = chooseTops(costs, leastGap);
  for (std::size_t i = 0; i < labels.size(); ++i) {
    labels[i].place.top = topAt(chosen[i]);
    labels[i].place.bottom = labels[i].place.top + height;
    labels[i].place.left -= shifts[i][chosen[i]];
    labels[i].place.right -= shifts[i][chosen[i]];
  }
  return labels;
}

}  // namespace slipstream
