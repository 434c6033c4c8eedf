// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/svg_chart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/html.h"
#include "engine/record/number_format.h"

namespace slipstream {
namespace {

// Pixels. The plotting area starts behind the labels of the values, under the names of the stages and before the labels
// of the curves.
constexpr double left = 40, plotWidth = 416, plotHeight = 168, below = 40, labelGap = 8, labelHeight = 15;
constexpr double letterWidth = 6.2, nameHeight = 13;
constexpr std::size_t mostLetters = 30;  ///< of a curve's name

/// From steps and values to pixels; the plot begins `top` pixels from above.
class Scale {
 public:
  Scale(const Chart& chart, const std::vector<double>& ticks, double plotTop)
      : top(plotTop),
        lastStep_(std::max(chart.lastStep, 1.0)),
        logarithmic_(chart.logarithmic),
        low_(along(ticks.front())),
        high_(along(ticks.back())) {}
  double x(double step) const { return left + plotWidth * step / lastStep_; }
  double y(double value) const { return top + plotHeight * (high_ - along(value)) / (high_ - low_); }

  const double top;

 private:
  double along(double value) const { return logarithmic_ ? std::log10(value) : value; }
  double lastStep_;
  bool logarithmic_;
  double low_, high_;
};

struct Range {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();
  void include(double value) {
    low = std::min(low, value);
    high = std::max(high, value);
  }
  void include(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
      for (const double value : line.y) include(value);
    }
  }
};

Range rangeOf(const Chart& chart) {
  Range range;
  for (const ChartCurve& curve : chart.curves) {
    for (const auto* lines : {&curve.raw, &curve.line, &curve.lowest, &curve.highest}) range.include(*lines);
  }
  if (chart.target && std::isfinite(range.low)) range.include(*chart.target);
  if (!std::isfinite(range.low)) return {chart.logarithmic ? 0.1 : 0.0, 1.0};
  return range;
}

/// Characters, not bytes, of UTF-8.
std::size_t charactersIn(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

/// At most so many characters, the last one dots where some are left out.
std::string shortenedTo(std::size_t most, const std::string& text) {
  if (charactersIn(text) <= most) return text;
  std::size_t end = 0;
  for (std::size_t count = 0; end < text.size(); ++end) {
    if ((text[end] & 0xC0) != 0x80 && ++count == most) break;
  }
  return text.substr(0, end) + "…";
}

std::string pathOf(const std::vector<Line>& lines, const Scale& scale) {
  std::string path;
  for (const Line& line : lines) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      path += fmt::format("{}{:.1f} {:.1f}", i == 0 ? "M" : "L", scale.x(line.x[i]), scale.y(line.y[i]));
    }
    // A sample between two gaps is a dot.
    if (line.x.size() == 1) path += "h0.01";
  }
  return path;
}

std::string bandOf(const ChartCurve& curve, const Scale& scale) {
  std::string bands;
  for (std::size_t i = 0; i < std::min(curve.lowest.size(), curve.highest.size()); ++i) {
    std::string path = pathOf({curve.highest[i]}, scale);
    const Line& low = curve.lowest[i];
    for (std::size_t at = low.x.size(); at-- > 0;) {
      path += fmt::format("L{:.1f} {:.1f}", scale.x(low.x[at]), scale.y(low.y[at]));
    }
    bands += fmt::format("<path d=\"{}Z\" fill=\"{}\" opacity=\"0.18\"/>", path, runColour(curve.colourSlot));
  }
  return bands;
}

std::string curveOf(const ChartCurve& curve, const Scale& scale) {
  const std::string_view colour = runColour(curve.colourSlot);
  const std::string_view dashes = runDashes(curve.colourSlot);
  const std::string dash = dashes.empty() ? "" : fmt::format(" stroke-dasharray=\"{}\"", dashes);
  std::string svg = bandOf(curve, scale);
  if (!curve.raw.empty()) {
    svg += fmt::format("<path class=\"raw\" d=\"{}\" fill=\"none\" stroke=\"{}\"/>", pathOf(curve.raw, scale), colour);
  }
  svg += fmt::format(
      "<path d=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"2\" stroke-linejoin=\"round\" "
      "stroke-linecap=\"round\"{}/>",
      pathOf(curve.line, scale), colour, dash);
  if (!curve.points) return svg;
  for (const Line& line : curve.line) {
    for (std::size_t i = 0; i < line.x.size(); ++i) {
      svg += fmt::format("<circle class=\"ring\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\" fill=\"{}\"/>",
                         scale.x(line.x[i]), scale.y(line.y[i]), colour);
    }
  }
  return svg;
}

std::string axesOf(const Chart& chart, const std::vector<double>& ticks, const Scale& scale) {
  std::string svg;
  for (const double tick : ticks) {
    const double y = scale.y(tick);
    svg += fmt::format(
        "<path class=\"grid\" d=\"M{} {:.1f}h{}\"/><text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left, y,
        plotWidth, left - 8, y + 4, chart.logarithmic ? fmt::format("{:g}", tick) : fmt::format("{:.6g}", tick));
  }
  const double bottom = scale.top + plotHeight;
  svg += fmt::format("<path class=\"axis\" d=\"M{} {}h{}\"/>", left, bottom, plotWidth);
  constexpr int mostSteps = 6;
  for (const double tick : ticksWithin({0, std::max(1.0, chart.lastStep)}, mostSteps, true)) {
    const auto step = static_cast<std::int64_t>(std::llround(tick));
    const double x = scale.x(tick);
    svg += fmt::format(
        "<path class=\"axis\" d=\"M{:.1f} {}v4\"/><text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>", x,
        bottom, x, bottom + 17, countText(step));
  }
  return svg + fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">step</text>", left + plotWidth, bottom + 33);
}

std::string targetOf(const Chart& chart, const Scale& scale) {
  if (!chart.target) return "";
  const double y = scale.y(*chart.target);
  return fmt::format("<path class=\"target\" d=\"M{} {:.1f}h{}\"/><text x=\"{}\" y=\"{:.1f}\">target</text>", left, y,
                     plotWidth, left + 4, y - 4);
}

/// Where the name of a stage stands: above the plot, in the lowest row where it has room.
struct StageName {
  const ChartBorder& border;
  double x = 0;
  std::size_t row = 0;
};

double textWidth(const std::string& text) {
  return letterWidth * static_cast<double>(charactersIn(text));
}

std::vector<StageName> stageNamesOf(const Chart& chart) {
  std::vector<StageName> names;
  std::vector<double> ends;  // of the last name in each row
  for (const ChartBorder& border : chart.borders) {
    const double x = left + plotWidth * border.step / std::max(chart.lastStep, 1.0);
    std::size_t row = 0;
    while (row < ends.size() && ends[row] + labelGap > x) ++row;
    if (row == ends.size()) ends.push_back(0);
    ends[row] = x + textWidth(border.name);
    names.push_back({border, x, row});
  }
  return names;
}

/// How much the names of the stages take above the plot.
double heightOf(const std::vector<StageName>& names) {
  std::size_t rows = 0;
  for (const StageName& name : names) rows = std::max(rows, name.row + 1);
  return nameHeight * static_cast<double>(rows);
}

/// A line where each stage begins, up to its name.
std::string bordersOf(const std::vector<StageName>& names, const Scale& scale) {
  std::string svg;
  for (const StageName& name : names) {
    const double y = scale.top - 4 - nameHeight * static_cast<double>(name.row);
    svg += fmt::format("<path class=\"border\" d=\"M{:.1f} {:.1f}V{:.1f}\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>",
                       name.x, y, scale.top + plotHeight, name.x + 2, y, escaped(name.border.name));
  }
  return svg;
}

/// The end of a curve and its name, which stands right of the plot, where no curve is.
struct EndLabel {
  double end = 0;  ///< y of the curve's last value
  double y = 0;
  int colourSlot = 0;
  std::string text;
};

std::vector<EndLabel> endLabelsOf(const Chart& chart) {
  std::vector<EndLabel> labels;
  for (const ChartCurve& curve : chart.curves) {
    if (curve.line.empty()) continue;
    labels.push_back(
        {curve.last, 0, curve.colourSlot, shortenedTo(mostLetters, curve.label) + " " + threeDigits(curve.last)});
  }
  // One curve needs no name beside the names of its stages.
  if (labels.size() == 1 && !chart.borders.empty()) labels.clear();
  return labels;
}

double labelsWidth(const std::vector<EndLabel>& labels) {
  double width = 0;
  for (const EndLabel& label : labels) width = std::max(width, textWidth(label.text));
  return labels.empty() ? labelGap : 2 * labelGap + 6 + width;
}

/// Each as near to its curve's end as the others allow, in the order of the ends.
void spread(std::vector<EndLabel>& labels, const Scale& scale) {
  for (EndLabel& label : labels) label.end = scale.y(label.end);
  std::sort(labels.begin(), labels.end(), [](const EndLabel& a, const EndLabel& b) { return a.end < b.end; });
  double least = scale.top;
  for (EndLabel& label : labels) {
    label.y = std::max(label.end, least);
    least = label.y + labelHeight;
  }
  double most = scale.top + plotHeight;
  for (auto label = labels.rbegin(); label != labels.rend(); ++label) {
    label->y = std::min(label->y, most);
    most = label->y - labelHeight;
  }
}

/// A short line from the curve's end leads to each name.
std::string labelsOf(std::vector<EndLabel> labels, const Scale& scale) {
  spread(labels, scale);
  std::string svg;
  for (const EndLabel& label : labels) {
    const double right = left + plotWidth;
    svg += fmt::format(
        "<path d=\"M{0} {1:.1f}L{2} {3:.1f}\" stroke=\"{4}\" fill=\"none\"/>"
        "<text class=\"label\" x=\"{5}\" y=\"{6:.1f}\">{7}</text>",
        right + 2, label.end, right + labelGap, label.y, runColour(label.colourSlot), right + labelGap + 3, label.y + 4,
        escaped(label.text));
  }
  return svg;
}

}  // namespace

int chartColumns() {
  return static_cast<int>(plotWidth);
}

std::string svgOf(const Chart& chart) {
  Range range = rangeOf(chart);
  std::vector<double> ticks = niceTicks(range.low, range.high, chart.logarithmic);
  if (chart.upperLimit) {
    while (ticks.size() > 2 && ticks.back() > *chart.upperLimit) ticks.pop_back();
  }
  const std::vector<StageName> names = stageNamesOf(chart);
  const std::vector<EndLabel> labels = endLabelsOf(chart);
  const Scale scale(chart, ticks, 12 + heightOf(names));
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" height=\"{1:.0f}\" role=\"img\">",
                  left + plotWidth + labelsWidth(labels), scale.top + plotHeight + below);
  svg += axesOf(chart, ticks, scale) + bordersOf(names, scale) + targetOf(chart, scale);
  for (const ChartCurve& curve : chart.curves) svg += curveOf(curve, scale);
  return svg + labelsOf(labels, scale) + "</svg>";
}

}  // namespace slipstream
