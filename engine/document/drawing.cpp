// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/drawing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "engine/analysis/run_colours.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

/// A name column as wide as the longest name, up to a share of the figure.
double nameRoom(double longest, const FigureSize& size) {
  constexpr double most = 0.3, slack = 1.15;  // fonts of pages are wider than Helvetica
  return std::min(most * size.width, slack * longest + size.font);
}

void addColourKey(const FigureSize& size, Drawing& drawing) {
  const double unit = size.font / 11;
  constexpr int steps = 40;
  const double left = size.width - 136 * unit;
  for (int i = 0; i < steps; ++i) {
    drawing.add(DrawnBox{left + (6 + 3 * i) * unit, 2 * unit, 3.2 * unit, 10 * unit, Ink::series,
                         mapColour(i / (steps - 1.0))});
  }
  drawing.add(DrawnText{{left, 11 * unit}, "0", size.font, Anchor::end});
  drawing.add(DrawnText{{size.width - 6 * unit, 11 * unit}, "1", size.font});
}

void addSteps(double left, double y, std::int64_t last, const FigureSize& size, Drawing& drawing) {
  constexpr int parts = 4;
  for (int i = 0; i <= parts; ++i) {
    const double x = left + (size.width - left) * i / parts;
    const Anchor anchor = i == 0 ? Anchor::start : i == parts ? Anchor::end : Anchor::middle;
    drawing.add(DrawnText{{x, y}, countText(last * i / parts), size.font, anchor});
  }
}

}  // namespace

Drawing drawingOf(const HeatMap& map, const FigureSize& size) {
  const double unit = size.font / 11, rowHeight = 18 * unit, gap = 2 * unit, top = 22 * unit;
  double longest = 0;
  for (const HeatRow& row : map.rows) longest = std::max(longest, textWidth(row.name, size.font));
  const double left = nameRoom(longest, size);
  const double mapWidth = size.width - left;
  const double bottom = top + (rowHeight + gap) * static_cast<double>(map.rows.size());
  Drawing drawing{size.width, bottom + 24 * unit};
  addColourKey(size, drawing);
  double y = top;
  for (const HeatRow& row : map.rows) {
    drawing.add(DrawnText{{left - 8 * unit, y + 13 * unit},
                          elided(row.name, left - 8 * unit, helveticaMetrics(size.font)),
                          size.font,
                          Anchor::end});
    const auto count = static_cast<double>(row.values.size());
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      if (!std::isfinite(row.values[i])) continue;
      const double from = std::round(left + mapWidth * static_cast<double>(i) / count);
      const double to = std::round(left + mapWidth * static_cast<double>(i + 1) / count);
      drawing.add(DrawnBox{from, y, to - from, rowHeight, Ink::series, mapColour(row.values[i])});
    }
    y += rowHeight + gap;
  }
  addSteps(left, bottom + 14 * unit, map.lastStep, size, drawing);
  return drawing;
}

Drawing drawingOf(const BarChart& chart, const FigureSize& size, Language language) {
  const double unit = size.font / 11, rowHeight = 20 * unit;
  double longest = 0, names = 0, totals = 0;
  for (const BarChart::Bar& bar : chart.bars) {
    double sum = 0;
    for (const BarChart::Part& part : bar.parts) sum += part.value;
    longest = std::max(longest, sum);
    names = std::max(names, textWidth(bar.name.in(language), size.font));
    totals = std::max(totals, textWidth(bar.total.in(language), size.font));
  }
  const double left = nameRoom(names, size);
  const double barsWidth = size.width - left - 1.15 * totals - 12 * unit;
  Drawing drawing{size.width, rowHeight * static_cast<double>(chart.bars.size())};
  double y = 0;
  for (const BarChart::Bar& bar : chart.bars) {
    drawing.add(DrawnText{{left - 8 * unit, y + 14 * unit},
                          elided(bar.name.in(language), left - 8 * unit, helveticaMetrics(size.font)),
                          size.font,
                          Anchor::end});
    double x = left;
    for (const BarChart::Part& part : bar.parts) {
      const double width = longest > 0 ? barsWidth * part.value / longest : 0;
      if (width < 0.5) continue;
      drawing.add(
          DrawnBox{x, y + 3 * unit, std::max(0.5, width - unit), 14 * unit, Ink::series, std::string(part.colour)});
      x += width;
    }
    drawing.add(DrawnText{{x + 8 * unit, y + 14 * unit}, bar.total.in(language), size.font});
    y += rowHeight;
  }
  return drawing;
}

Drawing drawingOf(const ChartModel& chart, const FigureSize& size, Language language);

Drawing drawingOf(const Figure& figure, const FigureSize& size, Language language) {
  if (const auto* chart = std::get_if<ChartModel>(&figure.image)) return drawingOf(*chart, size, language);
  if (const auto* bars = std::get_if<BarChart>(&figure.image)) return drawingOf(*bars, size, language);
  return drawingOf(std::get<HeatMap>(figure.image), size);
}

Drawing drawingOf(const Interval& interval, double width) {
  constexpr double middle = 9, whisker = 4, narrow = 80;
  const double margin = width < narrow ? 5 : 12;
  const bool isShared = interval.to > interval.from;
  // By itself it has zero in its middle, so that one sees at once on which side of it the interval is.
  const double farthest = std::max(std::abs(interval.low), std::abs(interval.high));
  const double from = isShared ? interval.from : -farthest;
  const double to = isShared ? interval.to : farthest;
  const double scale = to > from ? (width - 2 * margin) / (to - from) : 0;
  const auto x = [&](double value) { return margin + (std::clamp(value, from, to) - from) * scale; };
  const double low = x(interval.low), high = x(interval.high), at = x(interval.value);
  const double diamond = std::clamp((high - low) / 4, 2.0, 4.0);  // within its whiskers
  Drawing drawing{width, 2 * middle};
  drawing.add(DrawnPath{.lines = {{{x(0), 2}, {x(0), 16}}}, .stroke = Ink::second, .dashes = "2 2"});
  DrawnPath line{.lines = {{{low, middle}, {high, middle}}}, .stroke = Ink::text, .width = 1.5};
  // An end that goes on beyond the scale has no whisker.
  if (interval.low >= from) line.lines.push_back({{low, middle - whisker}, {low, middle + whisker}});
  if (interval.high <= to) line.lines.push_back({{high, middle - whisker}, {high, middle + whisker}});
  drawing.add(std::move(line));
  drawing.add(DrawnPath{
      .lines = {{{at, middle - diamond}, {at + diamond, middle}, {at, middle + diamond}, {at - diamond, middle}}},
      .fill = Ink::text});
  return drawing;
}

namespace {

std::vector<Point> ring(Point middle, double radius) {
  constexpr int corners = 24;
  std::vector<Point> points;
  for (int i = 0; i <= corners; ++i) {
    const double angle = 2 * std::numbers::pi * i / corners;
    points.push_back({middle.x + radius * std::cos(angle), middle.y + radius * std::sin(angle)});
  }
  return points;
}

}  // namespace

Drawing drawingOf(ComparisonVerdict verdict) {
  const std::vector<std::vector<Point>> arrowDown{{{5, 1}, {5, 9}}, {{2, 6}, {5, 9}, {8, 6}}};
  DrawnPath path{.stroke = Ink::second, .width = 1.5};
  switch (verdict) {
    case ComparisonVerdict::better:
      path.stroke = Ink::good;
      path.lines = {{{1, 5}, {4, 8}, {9, 2}}};
      break;
    case ComparisonVerdict::worse:
      path.stroke = Ink::bad;
      path.lines = arrowDown;
      break;
    case ComparisonVerdict::costsMore:
      path.stroke = Ink::costs;
      path.lines = arrowDown;
      break;
    case ComparisonVerdict::noDifferenceShown:
      path.lines = {{{1, 5}, {9, 5}}};
      break;
    case ComparisonVerdict::noClaim:
    case ComparisonVerdict::notReached:
      path.lines = {ring({5, 5}, 3.5)};
      break;
  }
  return {10, 10, {std::move(path)}};
}

Drawing drawingOf(Sign sign) {
  DrawnPath path{.stroke = Ink::second, .width = 1.5};
  switch (sign) {
    case Sign::better:
      path.stroke = Ink::good;
      path.lines = {{{1, 5}, {4, 8}, {9, 2}}};
      break;
    case Sign::worse:
      path.stroke = Ink::bad;
      path.lines = {{{5, 1}, {5, 9}}, {{2, 6}, {5, 9}, {8, 6}}};
      break;
    case Sign::same:
      path.stroke = Ink::text;
      path.lines = {{{1, 3.5}, {9, 3.5}}, {{1, 6.5}, {9, 6.5}}};
      break;
    case Sign::notShown:
      path.lines = {{{1, 5}, {9, 5}}};
      break;
    case Sign::notComparable:
      path.stroke = Ink::costs;
      path.lines = {{{5, 1}, {9.5, 9}, {0.5, 9}, {5, 1}}, {{5, 4}, {5, 6}}, {{5, 7.4}, {5, 7.5}}};
      path.width = 1.1;
      break;
    case Sign::invalid:
      path.stroke = Ink::bad;
      path.lines = {{{2, 2}, {8, 8}}, {{8, 2}, {2, 8}}};
      break;
  }
  return {10, 10, {std::move(path)}};
}

namespace {

Point moved(const Point& point, const Point& by, double scale) {
  return {by.x + scale * point.x, by.y + scale * point.y};
}

struct Moved {
  Point by;
  double scale;

  Mark operator()(DrawnPath path) const {
    for (auto& line : path.lines) {
      for (Point& point : line) point = moved(point, by, scale);
    }
    path.width *= scale;
    return path;
  }
  Mark operator()(DrawnBox box) const {
    const Point corner = moved({box.x, box.y}, by, scale);
    return DrawnBox{corner.x, corner.y, box.width * scale, box.height * scale, box.fill, std::move(box.colour)};
  }
  Mark operator()(DrawnDot dot) const { return DrawnDot{moved(dot.at, by, scale), dot.radius * scale, dot.colour}; }
  Mark operator()(DrawnText text) const {
    text.at = moved(text.at, by, scale);
    text.size *= scale;
    return text;
  }
};

}  // namespace

void Drawing::add(Mark mark) {
  marks.push_back(std::move(mark));
}

void Drawing::place(const Drawing& other, Point at, double scale) {
  for (const Mark& mark : other.marks) marks.push_back(std::visit(Moved{at, scale}, mark));
}

std::string_view printColour(Ink ink) {
  constexpr std::array<std::string_view, 19> colours{
      "",        "#1A1E23", "#565E68", "#FFFFFF", "#DADDE1", "#F3F4F6", "#EDEFF2", "#1A5FA8", "#E8EAED", "#7B828B",
      "#858C95", "#565E68", "#858C95", "#1C7A3E", "#B8261F", "#8A5A00", "#7646A6", "#FCF1D8", ""};
  return colours.at(static_cast<std::size_t>(ink));
}

std::string_view runColour(int slot) {
  constexpr std::array<std::string_view, runColourCount> colours{"#4B72D8", "#995308", "#E4657F", "#9F8206", "#31A2B1",
                                                                 "#C1436E", "#9F81F3", "#07754F", "#7873A5", "#7E4EAB"};
  return colours[static_cast<std::size_t>(slot) % colours.size()];
}

std::string_view runDashes(int slot) {
  constexpr std::array<std::string_view, runDashCount> dashes{"", "6 3", "2 2", "8 2 2 2", "2 5", "5 5"};
  return dashes[static_cast<std::size_t>(slot / runColourCount) % dashes.size()];
}

std::uint32_t mapRgb(double value) {
  constexpr std::array<std::uint32_t, 7> stops{0x1B1E4B, 0x1F3F7A, 0x1F6690, 0x2C8C93, 0x5BB085, 0xA9CF74, 0xF4E58C};
  const double position = std::clamp(value, 0.0, 1.0) * (stops.size() - 1);
  const auto lower = std::min(static_cast<std::size_t>(position), stops.size() - 2);
  const double share = position - static_cast<double>(lower);
  const auto channel = [&](unsigned shift) {
    const double a = (stops[lower] >> shift) & 255U;
    const double b = (stops[lower + 1] >> shift) & 255U;
    return static_cast<std::uint32_t>(std::lround(a + share * (b - a))) << shift;
  };
  return channel(16) | channel(8) | channel(0);
}

std::string mapColour(double value) {
  return fmt::format("#{:06X}", mapRgb(value));
}

}  // namespace slipstream
