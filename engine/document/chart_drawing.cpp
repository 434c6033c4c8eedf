// SPDX-License-Identifier: GPL-3.0-or-later
// Where everything of a chart is: grid and axes, stage names above the plot, labels behind the lines' ends.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/number_format.h"
#include "engine/base/text.h"
#include "engine/document/chart_scale.h"
#include "engine/document/drawing.h"

namespace slipstream {
namespace {

// At a font of 11 pixels. The plot begins behind the labels of the values.
constexpr double left = 40, below = 40, labelGap = 8, labelHeight = 15, nameHeight = 13, mostLabel = 186;
constexpr double labelSlack = 1.1;  ///< fonts of pages are wider than Helvetica
constexpr int mostYTicks = 5, mostLogarithmicTicks = 8, mostXTicks = 6;

ValueRange rangeOf(const ChartModel& chart) {
  ValueRange range;
  for (const ChartCurve& curve : chart.curves) {
    for (const auto* lines : {&curve.raw, &curve.line, &curve.lowest, &curve.highest}) {
      for (const Line& line : *lines) {
        for (const double value : line.y) {
          if (!chart.logarithmic || value > 0) range.include(value);
        }
      }
    }
  }
  for (const ChartBound& bound : chart.bounds) {
    if (!range.empty()) range.include(bound.value);
  }
  return range;
}

/// The end of a curve and its name, which is right of the plot, where no curve is.
struct EndLabel {
  double end = 0;  ///< y of the curve's last value
  double y = 0;
  int colourSlot = 0;
  std::string text;
};

/// The name of a stage, in the lowest row above the plot where it has room.
struct StageName {
  double x = 0;
  std::size_t row = 0;
  std::string text;
};

class ChartLayout {
 public:
  ChartLayout(const ChartModel& chart, const FigureSize& size, Language language)
      : chart_(chart),
        language_(language),
        unit_(size.font / 11),
        font_(size.font),
        left_(left * unit_),
        width_(size.chartWidth),
        height_(size.chartHeight),
        y_(valueAxis(rangeOf(chart), chart.logarithmic, chart.upperLimit,
                     chart.logarithmic ? mostLogarithmicTicks : mostYTicks)),
        x_{0, std::max(chart.last, 1e-9)},
        labels_(endLabels()),
        names_(stageNames()),
        top_((12 + nameHeight * static_cast<double>(nameRows())) * unit_) {}

  Drawing drawing() {
    drawing_ = {left_ + width_ + labelsWidth(), top_ + height_ + below * unit_};
    addAxes();
    addNames();
    addBounds();
    for (const ChartCurve& curve : chart_.curves) addCurve(curve);
    addLabels();
    return std::move(drawing_);
  }

 private:
  double toX(double value) const { return left_ + width_ * x_.share(value); }
  double toY(double value) const { return top_ + height_ * (1 - y_.scale.share(value)); }
  double right() const { return left_ + width_; }
  double bottom() const { return top_ + height_; }

  void addText(Point at, std::string text, Anchor anchor = Anchor::start, Ink ink = Ink::second) {
    drawing_.add(DrawnText{at, std::move(text), font_, anchor, ink});
  }
  void addLine(Point from, Point to, Ink ink, std::string_view dashes = {}) {
    drawing_.add(DrawnPath{.lines = {{from, to}}, .stroke = ink, .dashes = dashes});
  }

  std::string xText(double value, int decimals) const {
    if (chart_.x == ChartX::step || chart_.x == ChartX::samples) return countText(std::llround(value));
    return fmt::format("{:.{}f}", value, decimals);
  }

  Text xTitle() const {
    switch (chart_.x) {
      case ChartX::epoch:
        return phrase("epoch");
      case ChartX::samples:
        return phrase("samples");
      case ChartX::wallTime:
      case ChartX::relativeTime:
        return phrase("seconds");
      case ChartX::step:
        break;
    }
    return phrase("step");
  }

  void addAxes() {
    for (const double tick : y_.ticks) {
      const double y = toY(tick);
      addLine({left_, y}, {right(), y}, Ink::grid);
      addText({left_ - 8 * unit_, y + 4 * unit_}, fmt::format("{:.6g}", tick), Anchor::end);
    }
    addLine({left_, bottom()}, {right(), bottom()}, Ink::axis);
    const bool whole = chart_.x == ChartX::step || chart_.x == ChartX::samples;
    const std::vector<double> ticks = ticksWithin(x_, mostXTicks, whole);
    for (const double tick : ticks) {
      addLine({toX(tick), bottom()}, {toX(tick), bottom() + 4 * unit_}, Ink::axis);
      addText({toX(tick), bottom() + 17 * unit_}, xText(tick, tickDecimals(ticks)), Anchor::middle);
    }
    addText({right(), bottom() + 33 * unit_}, xTitle().in(language_), Anchor::end);
  }

  std::vector<StageName> stageNames() const {
    std::vector<StageName> names;
    std::vector<double> ends;  // of the last name in each row
    for (const ChartBorder& border : chart_.borders) {
      const double x = toX(border.x);
      std::size_t row = 0;
      while (row < ends.size() && ends[row] + labelGap * unit_ > x) ++row;
      if (row == ends.size()) ends.push_back(0);
      ends[row] = x + labelSlack * textWidth(border.name, font_);
      names.push_back({x, row, border.name});
    }
    return names;
  }

  std::size_t nameRows() const {
    std::size_t rows = 0;
    for (const StageName& name : names_) rows = std::max(rows, name.row + 1);
    return rows;
  }

  /// A line where each stage begins, up to its name.
  void addNames() {
    for (const StageName& name : names_) {
      const double y = top_ - (4 + nameHeight * static_cast<double>(name.row)) * unit_;
      addLine({name.x, y}, {name.x, bottom()}, Ink::border, "1 3");
      addText({std::min(name.x + 2 * unit_, drawing_.width - textWidth(name.text, font_)), y}, name.text);
    }
  }

  void addBounds() {
    for (const ChartBound& bound : chart_.bounds) {
      const double y = toY(bound.value);
      addLine({left_, y}, {right(), y}, Ink::target, "4 3");
      addText({left_ + 4 * unit_, y - 4 * unit_}, bound.text.in(language_));
    }
  }

  std::vector<Point> pointsOf(const Line& line) const {
    std::vector<Point> points;
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      if (!chart_.logarithmic || line.y[i] > 0) points.push_back({toX(line.x[i]), toY(line.y[i])});
    }
    // A sample between two gaps is a dot.
    if (points.size() == 1) points.push_back({points.front().x + 0.01, points.front().y});
    return points;
  }

  DrawnPath pathOf(const std::vector<Line>& lines, int slot) const {
    DrawnPath path{.stroke = Ink::series, .colour = runColour(slot)};
    for (const Line& line : lines) path.lines.push_back(pointsOf(line));
    return path;
  }

  void addBand(const ChartCurve& curve) {
    DrawnPath band{.fill = Ink::series, .colour = runColour(curve.colourSlot), .opacity = 0.18};
    for (std::size_t i = 0; i < std::min(curve.lowest.size(), curve.highest.size()); ++i) {
      std::vector<Point> outline = pointsOf(curve.highest[i]);
      const std::vector<Point> low = pointsOf(curve.lowest[i]);
      outline.insert(outline.end(), low.rbegin(), low.rend());
      band.lines.push_back(std::move(outline));
    }
    if (!band.lines.empty()) drawing_.add(std::move(band));
  }

  void addCurve(const ChartCurve& curve) {
    addBand(curve);
    if (!curve.raw.empty()) {
      DrawnPath raw = pathOf(curve.raw, curve.colourSlot);
      raw.raw = true;
      raw.opacity = 0.3;
      drawing_.add(std::move(raw));
    }
    DrawnPath line = pathOf(curve.line, curve.colourSlot);
    line.width = 2 * unit_;
    line.dashes = runDashes(curve.colourSlot);
    drawing_.add(std::move(line));
    if (!curve.points) return;
    for (const Line& dots : curve.line) {
      for (std::size_t i = 0; i < dots.x.size(); ++i) {
        drawing_.add(DrawnDot{{toX(dots.x[i]), toY(dots.y[i])}, 2.5 * unit_, runColour(curve.colourSlot)});
      }
    }
  }

  std::vector<EndLabel> endLabels() const {
    std::vector<EndLabel> labels;
    for (const ChartCurve& curve : chart_.curves) {
      if (curve.line.empty()) continue;
      const std::string value = chart_.wholeNumbers ? "" : " " + threeDigits(curve.last);
      labels.push_back(
          {curve.last, 0, curve.colourSlot, elided(curve.name().in(language_), font_, mostLabel * unit_) + value});
    }
    // One curve needs no name beside the names of its stages.
    if (labels.size() == 1 && !chart_.borders.empty()) labels.clear();
    return labels;
  }

  double labelsWidth() const {
    double width = 0;
    for (const EndLabel& label : labels_) width = std::max(width, labelSlack * textWidth(label.text, font_));
    return labels_.empty() ? labelGap * unit_ : (2 * labelGap + 6) * unit_ + width;
  }

  /// Each as near to its curve's end as the others allow, in the order of the ends.
  void spreadLabels() {
    for (EndLabel& label : labels_) label.end = toY(label.end);
    std::ranges::sort(labels_, {}, &EndLabel::end);
    double least = top_;
    for (EndLabel& label : labels_) {
      label.y = std::max(label.end, least);
      least = label.y + labelHeight * unit_;
    }
    double most = bottom();
    for (auto label = labels_.rbegin(); label != labels_.rend(); ++label) {
      label->y = std::min(label->y, most);
      most = label->y - labelHeight * unit_;
    }
  }

  /// A short line from the curve's end leads to each name.
  void addLabels() {
    spreadLabels();
    for (const EndLabel& label : labels_) {
      drawing_.add(DrawnPath{.lines = {{{right() + 2 * unit_, label.end}, {right() + labelGap * unit_, label.y}}},
                             .stroke = Ink::series,
                             .colour = runColour(label.colourSlot)});
      addText({right() + (labelGap + 3) * unit_, label.y + 4 * unit_}, label.text, Anchor::start, Ink::text);
    }
  }

  const ChartModel& chart_;
  Language language_;
  double unit_, font_, left_, width_, height_;
  ValueAxis y_;
  AxisScale x_;
  std::vector<EndLabel> labels_;
  std::vector<StageName> names_;
  double top_;
  Drawing drawing_;
};

}  // namespace

Drawing drawingOf(const ChartModel& chart, const FigureSize& size, Language language) {
  return ChartLayout(chart, size, language).drawing();
}

}  // namespace slipstream
