// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/chart_layout.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/number_format.h"

namespace slipstream {
namespace {

// In units.
constexpr double xLabelRoom = 76, yLabelRoom = 26;  ///< a label needs that much to itself
constexpr double nearestLabels = 60;
constexpr double wideGap = 8, smallGap = 4, tickLength = 4;
constexpr double mostLabel = 186, labelHeight = 15, leastTickText = 40;

constexpr int mostEvenParts = 4;
constexpr double roomOfCount = 1.15;  ///< in heights of a line
constexpr int mostYTicks = 6;

/// Every value in sight. The neighbours outside carry lines to the edge; they do not stretch the axis.
template <class Visit>
void forEachValue(const ChartModel& chart, const ChartCurve& curve, Visit visit) {
  for (const auto* lines : {&curve.raw, &curve.line, &curve.lowest, &curve.highest}) {
    for (const Line& line : *lines) {
      for (std::size_t i = 0; i < line.x.size(); ++i) {
        const bool shown = !chart.logarithmic || line.y[i] > 0;
        if (shown && line.x[i] >= chart.first && line.x[i] <= chart.last) visit(line.x[i], line.y[i]);
      }
    }
  }
}

/// With room below, so that its line is not hidden by the axis.
void includeBound(ValueRange& range, double value, bool logarithmic) {
  constexpr double margin = 0.04;
  range.include(value);
  const double room = margin * (logarithmic ? value : *range.high - *range.low);
  if (value <= *range.low) range.include(value - room);
}

ValueRange rangeOf(std::vector<double> values, const ChartModel& chart) {
  if (chart.robust) return robustRange(std::move(values), chart.logarithmic);
  ValueRange range;
  for (const double value : values) range.include(value);
  return range;
}

/// Where a curve's beginning ends: after a share of it. One that has been cut by the left edge has none in sight.
double endOfBeginning(const ChartModel& chart, const ChartCurve& curve, double share) {
  if (curve.line.empty() || curve.line.front().x.empty()) return chart.first;
  const double first = curve.line.front().x.front(), last = curve.line.back().x.back();
  return first < chart.first ? chart.first : first + share * (last - first);
}

ValueRange rangeBehind(const ChartModel& chart, double beginning) {
  std::vector<double> values;
  for (const ChartCurve& curve : chart.curves) {
    const double from = beginning > 0 ? endOfBeginning(chart, curve, beginning) : chart.first;
    forEachValue(chart, curve, [&](double x, double value) {
      if (x >= from) values.push_back(value);
    });
  }
  return rangeOf(std::move(values), chart);
}

/// Whether the curve does nothing but rise, or fall, until there; by less than `noise` it may turn.
bool goesOneWay(const ChartCurve& curve, double until, double noise) {
  double highest = -INFINITY, lowest = INFINITY, fall = 0, rise = 0;
  for (const Line& line : curve.line) {
    for (std::size_t i = 0; i < line.x.size() && line.x[i] <= until; ++i) {
      highest = std::max(highest, line.y[i]);
      lowest = std::min(lowest, line.y[i]);
      fall = std::max(fall, highest - line.y[i]);
      rise = std::max(rise, line.y[i] - lowest);
    }
  }
  return std::min(fall, rise) <= noise;
}

/// Without the curves' beginnings, where an axis of all would be twice as long: a fifth of them, or a half in which
/// there is nothing else to see than their rise or fall. One that goes on to the end is twice as long as its half.
ValueRange rangeOf(const ChartModel& chart) {
  constexpr double noise = 0.05;
  const ValueRange whole = rangeBehind(chart, 0);
  if (!chart.settled || whole.empty()) return whole;
  const auto length = [&](const ValueRange& range) {
    return chart.logarithmic ? std::log(*range.high / *range.low) : *range.high - *range.low;
  };
  const auto isOnlySteep = [&](double beginning) {
    return std::ranges::all_of(chart.curves, [&](const ChartCurve& curve) {
      return goesOneWay(curve, endOfBeginning(chart, curve, beginning), noise * (*whole.high - *whole.low));
    });
  };
  for (const auto& [beginning, worthwhile] : {std::pair(0.2, 2.0), std::pair(0.5, 2.25)}) {
    if (beginning >= 0.5 && !isOnlySteep(beginning)) continue;
    const ValueRange rest = rangeBehind(chart, beginning);
    if (!rest.empty() && length(rest) > 0 && length(whole) > worthwhile * length(rest)) return rest;
  }
  return whole;
}

/// What the y axis shows at least.
ValueRange shownRange(const ChartModel& chart) {
  ValueRange range = rangeOf(chart);
  if (range.empty()) return range;
  for (const ChartBound& bound : chart.bounds) {
    if (!chart.logarithmic || bound.value > 0) includeBound(range, bound.value, chart.logarithmic);
  }
  return range;
}

std::vector<double> xTicksOf(const ChartModel& chart, const AxisScale& scale, double width) {
  const int most = std::max(2, static_cast<int>(width / xLabelRoom) + 1);
  if (chart.x == ChartX::wallTime) return timeTicks(scale.low, scale.high, most, zoneSeconds(chart.first));
  if (chart.x == ChartX::relativeTime) return timeTicks(scale.low, scale.high, most, 0);
  return ticksWithin(scale, most, chart.x != ChartX::epoch && chart.x != ChartX::number);
}

AxisScale xScaleOf(const ChartModel& chart) {
  const double first = chart.logarithmicX ? std::max(chart.first, 1.0) : chart.first;
  return {first, std::max(chart.last, first + 1e-9), chart.logarithmicX};
}

/// Lays out one chart, each part in the room that those before have left.
class Arrangement {
 public:
  Arrangement(const ChartModel& chart, const ChartSpace& space, const TextMetrics& font, Language language)
      : chart_(chart), space_(space), font_(font), language_(language), unit_(space.unit) {}

  ChartLayout layout() {
    made_.width = space_.width;
    made_.height = space_.height;
    made_.unit = unit_;
    made_.plot.top = std::floor(space_.above + (chart_.borders.empty() ? 0 : font_.height()));
    made_.plot.bottom = std::max(made_.plot.top + 1, std::floor(space_.height - below()));
    placeValues();
    placeLabels();
    placeX();
    placeNames();
    placeOutside();
    spreadLabels();
    placeBounds();
    return std::move(made_);
  }

 private:
  double below() const {
    if (!space_.xLabels) return font_.height() / 2;
    return (tickLength + smallGap) * unit_ + font_.height() * (space_.xTitle ? 2 : 1);
  }

  /// A few counts are all labelled. Of more, how many there are in all is the number that one looks for, as the last
  /// step is.
  void labelAll(ValueAxis& axis) const {
    const double all = axis.scale.high;
    if (all != std::floor(all) || axis.ticks.empty()) return;
    const bool areFew = axis.scale.low == 0 && all * roomOfCount * font_.height() <= made_.plot.height();
    if (areFew) {
      axis.ticks.clear();
      for (int count = 0; count <= all; ++count) axis.ticks.push_back(count);
    }
    if (axis.ticks.back() >= all) return;
    const double distance = (axis.scale.share(all) - axis.scale.share(axis.ticks.back())) * made_.plot.height();
    if (distance < 1.5 * yLabelRoom * unit_) axis.ticks.pop_back();  // ticks farther apart are seen to be so
    axis.ticks.push_back(all);
  }

  void placeValues() {
    const int most = std::clamp(static_cast<int>(made_.plot.height() / (yLabelRoom * unit_)), 2, mostYTicks);
    const bool fixed =
        chart_.range && chart_.range->second > chart_.range->first && (!chart_.logarithmic || chart_.range->first > 0);
    ValueAxis axis =
        fixed ? fixedAxis(chart_.range->first, chart_.range->second, chart_.logarithmic, most, chart_.wholeNumbers)
              : valueAxis(shownRange(chart_), chart_.logarithmic, chart_.upperLimit, most);
    if (chart_.wholeNumbers) std::erase_if(axis.ticks, [](double value) { return value != std::floor(value); });
    made_.y = axis.scale;
    if (fixed && chart_.wholeNumbers) labelAll(axis);
    made_.yTicks = labelledY(axis);
    double widest = 0;
    for (const AxisTick& labelled : made_.yTicks) widest = std::max(widest, font_.width(labelled.text));
    made_.plot.left = std::ceil(std::max(space_.left, widest + wideGap * unit_));
  }

  void placeX() {
    made_.plot.right = std::max(made_.plot.left + 1, space_.width - std::max(space_.right, labelRoom_));
    made_.x = xScaleOf(chart_);
    if (!space_.xLabels) return;
    if (chart_.xTicks.empty()) {
      const std::vector<double> even = evenSteps();
      made_.xTicks =
          labelledX(chart_, even.empty() ? xTicksOf(chart_, made_.x, made_.plot.width() / unit_) : even, language_);
    }
    labelLastStep();
    for (const ChartTick& tick : chart_.xTicks) made_.xTicks.push_back({tick.x, fittingTick(tick.text)});
    for (AxisTick& labelled : made_.xTicks) {
      const double half = font_.width(labelled.text) / 2;
      const double end = std::min(space_.width - smallGap * unit_, made_.plot.right + smallGap * unit_);
      const double most = std::max(half, end - half);
      labelled.middle = std::clamp(made_.toX(labelled.value), half, most);
    }
    if (space_.xTitle) made_.xTitle = chart_.xName.empty() ? axisName(chart_.x) : chart_.xName;
  }

  bool isWholeRun() const {
    return chart_.x == ChartX::step && chart_.first == 0 && !chart_.logarithmicX &&
           chart_.last == std::floor(chart_.last);
  }

  /// As many equal parts as there is room for, whole steps each; empty where there are none.
  std::vector<double> evenSteps() const {
    if (!chart_.evenSteps || !isWholeRun()) return {};
    const int most = std::clamp(static_cast<int>(made_.plot.width() / (xLabelRoom * unit_)), 2, mostEvenParts);
    for (int parts = most; parts >= 2; --parts) {
      const double step = chart_.last / parts;
      if (step != std::floor(step)) continue;
      std::vector<double> ticks;
      for (int i = 0; i <= parts; ++i) ticks.push_back(i * step);
      return ticks;
    }
    return {};
  }

  /// Where a whole run is shown, its last step is the number that one looks for: it takes the place of a round one that
  /// is too near.
  void labelLastStep() {
    if (!isWholeRun() || !chart_.xTicks.empty() || made_.xTicks.size() < 2) return;
    const double last = chart_.last;
    if (made_.xTicks.back().value >= last) return;
    const double distance = made_.toX(last) - made_.toX(made_.xTicks.back().value);
    if (distance < nearestLabels * unit_) made_.xTicks.pop_back();
    made_.xTicks.push_back(labelledX(chart_, {0, last}, language_).back());
  }

  /// Texts in place of values share the axis; none where more than half of it would be cut.
  std::string fittingTick(const std::string& tick) const {
    const double room = made_.plot.width() / static_cast<double>(chart_.xTicks.size()) - wideGap * unit_;
    const bool isNumber = tick.find_first_not_of("0123456789.,") == std::string::npos;
    if (isNumber || font_.width(tick) <= room) return tick;
    if (room < leastTickText * unit_) return "";
    std::string cut = elided(tick, room, font_);
    return 2 * characterCount(cut) < characterCount(tick) ? "" : cut;
  }

  /// Each in the lowest row where it has room; where none has, cut before the next one in the highest row.
  void placeNames() {
    std::vector<double> ends;       // of the last name in each row
    std::vector<std::size_t> rows;  // of each name
    for (std::size_t i = 0; i < chart_.borders.size(); ++i) {
      const double x = made_.toX(chart_.borders[i].x);
      const double end = i + 1 < chart_.borders.size() ? made_.toX(chart_.borders[i + 1].x) : made_.plot.right;
      if (end < made_.plot.left || x > made_.plot.right) continue;
      const double width = font_.width(chart_.borders[i].name);
      double from = std::max(x, made_.plot.left) + smallGap * unit_;
      // One at the end of the axis is before its line: nothing follows that it could name.
      if (x > made_.plot.right - smallGap * unit_) from = std::max(made_.plot.left, x - smallGap * unit_ - width);
      if (space_.nameRows > 1) from = std::max(made_.plot.left, std::min(from, space_.width - width));
      std::size_t row = 0;
      while (row < ends.size() && ends[row] + wideGap * unit_ > from) ++row;
      if (row == ends.size() && row < space_.nameRows) ends.push_back(0);
      row = std::min(row, ends.size() - 1);
      ends[row] = from + width;
      rows.push_back(row);
      made_.names.push_back({x, {from, 0}, chart_.borders[i].name});
    }
    if (ends.size() > 1) made_.plot.top += font_.height() * static_cast<double>(ends.size() - 1);
    made_.plot.top = std::min(made_.plot.top, made_.plot.bottom - 1);
    std::vector<double> limits(ends.size(), space_.width);
    for (std::size_t i = made_.names.size(); i-- > 0;) {
      StageName& name = made_.names[i];
      name.at.y = made_.plot.top - font_.height() * static_cast<double>(rows[i]) - font_.descent;
      name.text = elided(name.text, limits[rows[i]] - name.at.x, font_);
      limits[rows[i]] = name.at.x - wideGap * unit_;
    }
  }

  /// The farthest of each curve on each side; none over another.
  void placeOutside() {
    if (!chart_.robust && !chart_.settled && !chart_.range) return;
    const double room = 9 * unit_;
    for (const bool above : {true, false}) {
      std::vector<OutsideMark> marks;
      for (const ChartCurve& curve : chart_.curves) {
        std::optional<OutsideMark> farthest;
        forEachValue(chart_, curve, [&](double x, double value) {
          const double y = made_.toY(value);
          const bool outside = above ? y < made_.plot.top - unit_ : y > made_.plot.bottom + unit_;
          const bool farther = !farthest || (above ? value > farthest->value : value < farthest->value);
          if (outside && farther) farthest = OutsideMark{{}, above, curve.colourSlot, x, value};
        });
        if (farthest) marks.push_back(*farthest);
      }
      std::ranges::stable_sort(marks, [&](const OutsideMark& a, const OutsideMark& b) {
        return above ? a.value > b.value : a.value < b.value;
      });
      for (OutsideMark& mark : marks) {
        mark.at = {made_.toX(mark.x), above ? made_.plot.top : made_.plot.bottom};
        const bool taken = std::ranges::any_of(made_.outside, [&](const OutsideMark& other) {
          return other.above == above && std::abs(other.at.x - mark.at.x) < room;
        });
        if (!taken) made_.outside.push_back(mark);
      }
    }
  }

  int inTheWayOf(const Rect& text) const {
    const auto crosses = [&](const ChartBorder& border) {
      const double x = made_.toX(border.x);
      return x >= text.left && x <= text.right;
    };
    return pointsWithin(chart_, made_, text) + static_cast<int>(std::ranges::count_if(chart_.borders, crosses));
  }

  /// At the left end, or at the right one, where curves end and have their names, if more is in the way there.
  void placeBounds() {
    for (const ChartBound& bound : chart_.bounds) {
      const double y = made_.toY(bound.value);
      const double width = font_.width(bound.text.in(language_));
      const bool above = y - font_.height() > made_.plot.top;
      const double top = above ? y - smallGap * unit_ - font_.ascent : y + 2 * unit_;
      const Rect left{made_.plot.left + 2 * unit_, top, made_.plot.left + 2 * unit_ + width, top + font_.height()};
      const Rect right{made_.plot.right - width, top, made_.plot.right, left.bottom};
      const bool isLeft = inTheWayOf(left) <= inTheWayOf(right);
      made_.boundTexts.push_back({(isLeft ? left : right).left, top + font_.ascent});
    }
  }

  /// Room for the names right of the plot. One curve needs none beside the names of its stages.
  void placeLabels() {
    if (!space_.labels) return;
    labelRoom_ = wideGap * unit_;
    if (chart_.curves.size() == 1 && !chart_.borders.empty()) return;
    for (const ChartCurve& curve : chart_.curves) {
      const std::string text = labelOf(curve);
      if (!curve.last() || text.empty()) continue;
      made_.labels.push_back({curve.colourSlot, text});
      labelRoom_ = std::max(labelRoom_, (2 * wideGap + 6) * unit_ + font_.width(text));
    }
  }

  std::string labelOf(const ChartCurve& curve) const {
    if (!space_.names) return elided(curve.note.in(language_), mostLabel * unit_, font_);
    // What the curve does not show is never what is cut.
    const std::string note = curve.note.empty() ? "" : ", " + curve.note.in(language_);
    const std::string name = elided(curve.label, mostLabel * unit_ - font_.width(note), font_) + note;
    return chart_.wholeNumbers || !curve.last() ? name : name + " · " + threeDigits(*curve.last());
  }

  /// Each as near to its curve's end as the others allow, in the order of the ends.
  void spreadLabels() {
    std::size_t next = 0;
    for (const ChartCurve& curve : chart_.curves) {
      const bool isLabelled = curve.last() && !labelOf(curve).empty();
      if (isLabelled && next < made_.labels.size()) made_.labels[next++].end = made_.toY(*curve.last());
    }
    std::ranges::sort(made_.labels, {}, &EndLabel::end);
    std::vector<double> middles;
    double least = made_.plot.top;
    for (const EndLabel& label : made_.labels) {
      middles.push_back(std::max(label.end, least));
      least = middles.back() + labelHeight * unit_;
    }
    double most = made_.plot.bottom;
    for (std::size_t i = middles.size(); i-- > 0;) {
      const double y = std::min(middles[i], most);
      const double left = made_.plot.right + (wideGap + 3) * unit_;
      made_.labels[i].place = {left, y - font_.height() / 2, left + font_.width(made_.labels[i].text),
                               y + font_.height() / 2};
      most = y - labelHeight * unit_;
    }
  }

  const ChartModel& chart_;
  const ChartSpace& space_;
  const TextMetrics& font_;
  Language language_;
  double unit_, labelRoom_ = 0;
  ChartLayout made_;
};

}  // namespace

std::optional<double> ChartCurve::last() const {
  for (auto piece = line.rbegin(); piece != line.rend(); ++piece) {
    if (!piece->y.empty()) return piece->y.back();
  }
  return std::nullopt;
}

ChartLayout layOut(const ChartModel& chart, const ChartSpace& space, const TextMetrics& font, Language language) {
  return Arrangement(chart, space, font, language).layout();
}

}  // namespace slipstream
