// SPDX-License-Identifier: GPL-3.0-or-later
// The marks of a chart that has been laid out.
#include <algorithm>
#include <array>
#include <cmath>

#include "engine/base/number_format.h"
#include "engine/document/chart_layout.h"

namespace slipstream {
namespace {

constexpr double tickLength = 4, dotRadius = 2.5, largeRadius = 3.5, gapMark = 3, gapMarkRoom = 8, edge = 4;
constexpr std::size_t manyCurves = 12;  ///< above, thin lines tell more apart than wide ones
/// Of a line's length to the plot's width: noise so dense fills an area, which wide pens only make slow; dashes of less
/// cannot be seen already.
constexpr double dense = 12, denseSmoothed = 24, rough = 3;

/// Where values are in the plot.
struct PlotAxes {
  PixelAxis x, y;
  explicit PlotAxes(const ChartLayout& layout)
      : x(layout.x, layout.plot.left, layout.plot.right), y(layout.y, layout.plot.bottom, layout.plot.top) {}
  Point of(const Line& line, std::size_t i) const { return {x.at(line.x[i]), y.at(line.y[i])}; }
};

DrawnPath segment(Point from, Point to, Ink ink, std::string_view dashes = {}) {
  return {.lines = {{from, to}}, .stroke = ink, .dashes = dashes};
}

DrawnPath pathOf(const std::vector<Line>& lines, int slot, const ChartLayout& layout) {
  DrawnPath path{.stroke = Ink::series, .colour = runColour(slot)};
  for (const Line& line : lines) {
    path.lines.push_back(pointsOf(line, layout));
    std::vector<Point>& points = path.lines.back();
    // A sample between two gaps is a dot.
    if (points.size() == 1) points.push_back({points.front().x + 0.01, points.front().y});
  }
  return path;
}

int pointsWithin(const std::vector<Line>& lines, const PlotAxes& axes, const Rect& place) {
  int count = 0;
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.x.size(); ++i) count += place.contains(axes.of(line, i)) ? 1 : 0;
  }
  return count;
}

/// Whether most samples of two lines are the same: the one that is drawn first would not be seen.
bool coincide(const std::vector<Line>& one, const std::vector<Line>& other) {
  if (one.size() != other.size()) return false;
  std::size_t samples = 0, equal = 0;
  for (std::size_t piece = 0; piece < one.size(); ++piece) {
    const Line &a = one[piece], &b = other[piece];
    if (a.x.size() != b.x.size()) return false;
    samples += a.x.size();
    for (std::size_t i = 0; i < a.x.size(); ++i) equal += std::size_t{a.x[i] == b.x[i] && a.y[i] == b.y[i]};
  }
  return 2 * equal > samples;
}

/// A curve that lies on earlier ones has gaps in which they are seen: the more, the longer. Empty where it lies on
/// none.
std::string_view gapsAbove(const ChartModel& chart, const ChartCurve& curve) {
  constexpr std::array<std::string_view, 3> gaps{"6 6", "3 9", "2 16"};
  if (chart.curves.size() > manyCurves) return {};
  const auto isBelow = [&](const ChartCurve& other) { return &other < &curve && coincide(other.line, curve.line); };
  const auto below = static_cast<std::size_t>(std::ranges::count_if(chart.curves, isBelow));
  return below == 0 ? std::string_view() : gaps.at(std::min(below, gaps.size()) - 1);
}

double lengthOf(const DrawnPath& path) {
  double length = 0;
  for (const auto& points : path.lines) {
    for (std::size_t i = 1; i < points.size(); ++i) {
      length += std::abs(points[i].x - points[i - 1].x) + std::abs(points[i].y - points[i - 1].y);
    }
  }
  return length;
}

/// Dots, and what is at the end of a curve.
void addDots(const ChartCurve& curve, const ChartLayout& layout, Drawing& drawing) {
  const std::string_view colour = runColour(curve.colourSlot);
  const PlotAxes axes(layout);
  const Rect near{layout.plot.left - edge, layout.plot.top - edge, layout.plot.right + edge, layout.plot.bottom + edge};
  const auto addDot = [&](Point at, double radius) {
    if (near.contains(at)) drawing.add(DrawnDot{at, radius * layout.unit, colour});
  };
  for (const Line& line : curve.line) {
    for (std::size_t i = 0; curve.points && i < line.x.size(); ++i) addDot(axes.of(line, i), dotRadius);
  }
  if (curve.line.empty() || curve.line.back().x.empty()) return;
  const Point end = axes.of(curve.line.back(), curve.line.back().x.size() - 1);
  if (curve.largeEnd) addDot(end, largeRadius);
  if (!curve.censored || !near.contains(end)) return;
  DrawnPath ticks{.stroke = Ink::series, .width = 1.5 * layout.unit, .colour = colour};
  for (const double back : {2.0, 6.0}) {
    const double x = end.x - back * layout.unit;
    ticks.lines.push_back({{x, end.y - tickLength * layout.unit}, {x, end.y + tickLength * layout.unit}});
  }
  drawing.add(std::move(ticks));
}

/// A value that is no number is a cross on the axis, where the line is broken.
void addGaps(const ChartCurve& curve, const ChartLayout& layout, Drawing& drawing) {
  DrawnPath crosses{.stroke = Ink::series, .width = 1.5 * layout.unit, .colour = runColour(curve.colourSlot)};
  const double size = gapMark * layout.unit, y = layout.plot.bottom - size - 3 * layout.unit;
  double free = layout.plot.left - gapMarkRoom * layout.unit;
  for (const double gap : curve.gaps) {
    const double x = layout.toX(gap);
    if (x < free || x > layout.plot.right) continue;
    crosses.lines.push_back({{x - size, y - size}, {x + size, y + size}});
    crosses.lines.push_back({{x - size, y + size}, {x + size, y - size}});
    free = x + gapMarkRoom * layout.unit;
  }
  if (!crosses.lines.empty()) drawing.add(std::move(crosses));
}

/// Fonts of the screen are up to a tenth wider than print's.
double widthOnScreen(const std::string& text, double size) {
  return 1.1 * textWidth(text, size);
}

/// Keeps curves out of the words that are drawn over them.
DrawnPath groundOf(const DrawnText& text) {
  const double width = widthOnScreen(text.text, text.size) + 4;
  const double left = text.at.x - 2 - (text.anchor == Anchor::end ? width - 4 : 0);
  const double top = text.at.y - text.size, bottom = text.at.y + 0.3 * text.size;
  return {.lines = {{{left, top}, {left + width, top}, {left + width, bottom}, {left, bottom}}},
          .fill = Ink::base,
          .opacity = 0.85};
}

/// Whether a line or the edge of a band goes through a place, also between its samples.
bool anyLineCrosses(const ChartModel& chart, const ChartLayout& layout, const Rect& place) {
  const auto crosses = [&](const Point& a, const Point& b) {
    const double left = std::max(a.x, place.left), right = std::min(b.x, place.right);
    if (left > right) return false;
    const auto at = [&](double x) { return a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x); };
    const bool isUpright = a.x == b.x;
    const auto [top, bottom] = isUpright ? std::minmax({a.y, b.y}) : std::minmax({at(left), at(right)});
    return top <= place.bottom && bottom >= place.top;
  };
  for (const ChartCurve& curve : chart.curves) {
    for (const auto* lines : {&curve.line, &curve.lowest, &curve.highest}) {
      for (const Line& line : *lines) {
        const std::vector<Point> points = pointsOf(line, layout);
        if (std::ranges::adjacent_find(points, crosses) != points.end()) return true;
      }
    }
  }
  return false;
}

/// Where words about a mark may begin: right of its triangle, left of it, or in the middle; beside the row of
/// triangles, which may be close to each other, then farther into the plot.
std::vector<Point> placesBeside(const OutsideMark& mark, const ChartLayout& layout, double width, double fontSize) {
  const double half = 3.5 * layout.unit, height = 5 * layout.unit;
  const double after = mark.at.x + 4 * half, before = mark.at.x - 4 * half - width;
  std::vector<double> lefts;
  if (after + width <= layout.plot.right) lefts.push_back(after);
  if (before >= layout.plot.left) lefts.push_back(before);
  lefts.push_back(
      std::clamp(mark.at.x - width / 2, layout.plot.left, std::max(layout.plot.left, layout.plot.right - width)));
  std::vector<Point> places;
  for (const double row : {0.0, 1.0, 2.0}) {
    const double y = mark.above ? layout.plot.top + height + (1 + row) * fontSize
                                : layout.plot.bottom - height - 3 * layout.unit - row * fontSize;
    for (const double left : lefts) places.push_back({left, y});
  }
  return places;
}

/// Small triangles that point to what the axis leaves out, and the farthest of it in words.
void addOutside(const ChartModel& chart, const ChartLayout& layout, double fontSize, Language language,
                Drawing& drawing) {
  const double half = 3.5 * layout.unit, height = 5 * layout.unit;
  for (const OutsideMark& mark : layout.outside) {
    const double base = mark.at.y + (mark.above ? height : -height);
    const double x = std::clamp(mark.at.x, layout.plot.left + half, layout.plot.right - half);
    drawing.add(DrawnPath{.lines = {{{x - half, base}, {x + half, base}, {x, mark.at.y}}},
                          .fill = Ink::series,
                          .colour = runColour(mark.colourSlot)});
  }
  if (layout.outside.empty()) return;
  const OutsideMark& farthest = layout.outside.front();
  const Text words = phrase("{} at {}", {threeDigits(farthest.value), xText(chart.x, farthest.x, language)});
  const std::string text = words.in(language);
  // The words about where a curve begins give way to the curve itself.
  const bool givesWay = chart.settled && !farthest.above;
  for (const Point& at : placesBeside(farthest, layout, widthOnScreen(text, fontSize), fontSize)) {
    const Rect place{at.x, at.y - fontSize, at.x + widthOnScreen(text, fontSize), at.y};
    if (givesWay && anyLineCrosses(chart, layout, place)) continue;
    const DrawnText drawn{at, text, fontSize};
    drawing.add(groundOf(drawn));
    return drawing.add(drawn);
  }
}

void addXAxis(const ChartLayout& layout, double fontSize, Language language, Drawing& drawing) {
  const Rect& plot = layout.plot;
  const double below = plot.bottom + (tickLength + 1) * layout.unit + fontSize;
  drawing.add(segment({plot.left, plot.bottom}, {plot.right, plot.bottom}, Ink::axis));
  for (const AxisTick& labelled : layout.xTicks) {
    const double x = layout.toX(labelled.value);
    drawing.add(segment({x, plot.bottom}, {x, plot.bottom + tickLength * layout.unit}, Ink::axis));
    drawing.add(DrawnText{{labelled.middle, below}, labelled.text, fontSize, Anchor::middle});
  }
  if (layout.xTitle.empty()) return;
  drawing.add(DrawnText{{plot.right, below + 1.4 * fontSize}, layout.xTitle.in(language), fontSize, Anchor::end});
}

}  // namespace

std::vector<Point> pointsOf(const Line& line, const ChartLayout& layout) {
  const double left = layout.plot.left - 2, right = layout.plot.right + 2;
  const PlotAxes axes(layout);
  std::vector<Point> points;
  points.reserve(line.x.size());
  const auto cut = [](const Point& from, const Point& to, double x) {
    return Point{x, from.y + (to.y - from.y) * (x - from.x) / (to.x - from.x)};
  };
  for (std::size_t i = 0; i < line.x.size(); ++i) {
    if ((layout.x.logarithmic && line.x[i] <= 0) || (layout.y.logarithmic && line.y[i] <= 0)) continue;
    const Point point = axes.of(line, i);
    if (point.x < left) {
      points.assign(1, point);
      continue;
    }
    if (points.size() == 1 && points.front().x < left) points.front() = cut(points.front(), point, left);
    if (point.x > right) {
      if (!points.empty()) points.push_back(cut(points.back(), point, right));
      break;
    }
    points.push_back(point);
  }
  if (points.size() == 1 && points.front().x < left) points.clear();
  return points;
}

namespace {

/// The share of a segment that lies in a place (Liang and Barsky, ACM Transactions on Graphics 3 (1), 1984).
double shareWithin(const Point& from, const Point& to, const Rect& place) {
  double enter = 0, leave = 1;
  const auto cut = [&](double start, double way, double low, double high) {
    if (way == 0) return low <= start && start <= high;
    const double one = (low - start) / way, other = (high - start) / way;
    enter = std::max(enter, std::min(one, other));
    leave = std::min(leave, std::max(one, other));
    return enter <= leave;
  };
  const bool meets =
      cut(from.x, to.x - from.x, place.left, place.right) && cut(from.y, to.y - from.y, place.top, place.bottom);
  return meets ? leave - enter : 0;
}

/// Samples, and of long pieces between them one point every few pixels.
int drawnPointsWithin(const std::vector<Line>& lines, const ChartLayout& layout, const Rect& place) {
  constexpr double every = 8;
  int count = 0;
  for (const Line& line : lines) {
    const std::vector<Point> points = pointsOf(line, layout);
    for (std::size_t i = 0; i < points.size(); ++i) {
      count += place.contains(points[i]) ? 1 : 0;
      if (i == 0) continue;
      const double length = std::hypot(points[i].x - points[i - 1].x, points[i].y - points[i - 1].y);
      if (length > every) count += static_cast<int>(length * shareWithin(points[i - 1], points[i], place) / every);
    }
  }
  return count;
}

}  // namespace

int pointsWithin(const ChartModel& chart, const ChartLayout& layout, const Rect& place) {
  const PlotAxes axes(layout);
  int count = 0;
  for (const ChartCurve& curve : chart.curves) count += pointsWithin(curve.line, axes, place);
  return count;
}

int allPointsWithin(const ChartModel& chart, const ChartLayout& layout, const Rect& place) {
  int count = 0;
  for (const ChartCurve& curve : chart.curves) {
    for (const auto* lines : {&curve.line, &curve.raw, &curve.lowest, &curve.highest}) {
      count += drawnPointsWithin(*lines, layout, place);
    }
  }
  return count;
}

Drawing gridMarks(const ChartLayout& layout, double fontSize) {
  Drawing drawing{layout.width, layout.height};
  const Rect& plot = layout.plot;
  for (const AxisTick& labelled : layout.yTicks) {
    const double y = layout.toY(labelled.value);
    drawing.add(segment({plot.left, y}, {plot.right, y}, Ink::grid));
    drawing.add(DrawnText{{plot.left - 8 * layout.unit, y + 0.36 * fontSize}, labelled.text, fontSize, Anchor::end});
  }
  for (const StageName& name : layout.names) {
    if (name.x > plot.left) drawing.add(segment({name.x, name.at.y}, {name.x, plot.bottom}, Ink::border, "1 3"));
    if (!name.text.empty()) drawing.add(DrawnText{name.at, name.text, fontSize});
  }
  return drawing;
}

DrawnPath bandPath(const ChartCurve& curve, const ChartLayout& layout) {
  DrawnPath band{.fill = Ink::series, .colour = runColour(curve.colourSlot), .opacity = 0.18};
  for (std::size_t i = 0; i < std::min(curve.lowest.size(), curve.highest.size()); ++i) {
    std::vector<Point> outline = pointsOf(curve.highest[i], layout);
    const std::vector<Point> low = pointsOf(curve.lowest[i], layout);
    outline.insert(outline.end(), low.rbegin(), low.rend());
    band.lines.push_back(std::move(outline));
  }
  return band;
}

DrawnPath rawPath(const ChartCurve& curve, const ChartLayout& layout) {
  DrawnPath raw = pathOf(curve.raw, curve.colourSlot, layout);
  raw.raw = true;
  raw.opacity = 0.3;
  return raw;
}

DrawnPath linePath(const ChartModel& chart, const ChartCurve& curve, const ChartLayout& layout) {
  DrawnPath line = pathOf(curve.line, curve.colourSlot, layout);
  if (curve.ideal) {
    line.stroke = Ink::target;
    line.dashes = "4 3";
    return line;
  }
  const double length = lengthOf(line) / layout.plot.width();
  // What stands before a raw line is smoothed, and keeps its width longer.
  const bool isNoise = length >= (curve.raw.empty() ? dense : denseSmoothed);
  line.width = (!isNoise && chart.curves.size() <= manyCurves ? 2 : 1) * layout.unit;
  const std::string_view gaps = length < dense ? gapsAbove(chart, curve) : std::string_view();
  line.dashes = gaps.empty() && length < rough ? runDashes(curve.colourSlot) : gaps;
  return line;
}

Drawing frontMarks(const ChartModel& chart, const ChartLayout& layout, double fontSize, Language language) {
  Drawing drawing{layout.width, layout.height};
  for (std::size_t i = 0; i < chart.bounds.size(); ++i) {
    const double y = layout.toY(chart.bounds[i].value);
    if (y < layout.plot.top - 2 || y > layout.plot.bottom + 2) continue;
    drawing.add(segment({layout.plot.left, y}, {layout.plot.right, y}, Ink::target, "4 3"));
    drawing.add(DrawnText{layout.boundTexts[i], chart.bounds[i].text.in(language), fontSize});
  }
  addXAxis(layout, fontSize, language, drawing);
  addOutside(chart, layout, fontSize, language, drawing);
  for (const ChartCurve& curve : chart.curves) {
    addDots(curve, layout, drawing);
    addGaps(curve, layout, drawing);
  }
  // A short line from the curve's end leads to each name.
  for (const EndLabel& label : layout.labels) {
    const double middle = (label.place.top + label.place.bottom) / 2, right = layout.plot.right;
    drawing.add(DrawnPath{.lines = {{{right + 2 * layout.unit, label.end}, {right + 8 * layout.unit, middle}}},
                          .stroke = Ink::series,
                          .colour = runColour(label.colourSlot)});
    drawing.add(
        DrawnText{{label.place.left, middle + 0.36 * fontSize}, label.text, fontSize, Anchor::start, Ink::text});
  }
  return drawing;
}

Drawing curveMarks(const ChartModel& chart, const ChartLayout& layout) {
  Drawing drawing{layout.width, layout.height};
  const auto addPath = [&](DrawnPath path) {
    if (!path.lines.empty()) drawing.add(std::move(path));
  };
  for (const ChartCurve& curve : chart.curves) addPath(bandPath(curve, layout));
  for (const ChartCurve& curve : chart.curves) addPath(rawPath(curve, layout));
  for (const ChartCurve& curve : chart.curves) addPath(linePath(chart, curve, layout));
  return drawing;
}

Drawing drawingOf(const ChartModel& chart, const FigureSize& size, Language language) {
  const double unit = size.font / 11;
  const ChartSpace space{.width = size.chartWidth,
                         .height = size.chartHeight,
                         .unit = unit,
                         .above = 10 * unit,
                         .left = 40 * unit,
                         .xTitle = true,
                         .labels = true,
                         .names = size.names,
                         .nameRows = 4};
  const ChartLayout layout = layOut(chart, space, helveticaMetrics(size.font), language);
  Drawing drawing = gridMarks(layout, size.font);
  drawing.place(curveMarks(chart, layout), {});
  drawing.place(frontMarks(chart, layout, size.font, language), {});
  return drawing;
}

}  // namespace slipstream
