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

// Pixels. The plotting area starts behind the labels of the values.
constexpr double left = 40, top = 12, plotWidth = 416, plotHeight = 168, width = 464, height = 220;

/// From steps and values to pixels.
class Scale {
 public:
  Scale(const Chart& chart, const std::vector<double>& ticks)
      : lastStep_(std::max(chart.lastStep, 1.0)),
        logarithmic_(chart.logarithmic),
        low_(along(ticks.front())),
        high_(along(ticks.back())) {}
  double x(double step) const { return left + plotWidth * step / lastStep_; }
  double y(double value) const { return top + plotHeight * (high_ - along(value)) / (high_ - low_); }

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
  const double bottom = top + plotHeight;
  svg += fmt::format("<path class=\"axis\" d=\"M{} {}h{}\"/>", left, bottom, plotWidth);
  const auto last = static_cast<std::int64_t>(std::max(1.0, chart.lastStep));
  const std::int64_t parts = std::min<std::int64_t>(4, last);
  for (std::int64_t i = 0; i <= parts; ++i) {
    const std::int64_t step = last * i / parts;
    const double x = scale.x(static_cast<double>(step));
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

/// A line where a stage begins, its name along it; names that have no room of their own share one.
std::string bordersOf(const Chart& chart, const Scale& scale) {
  constexpr double room = 13;
  std::string svg;
  for (std::size_t i = 0; i < chart.borders.size();) {
    const double x = scale.x(chart.borders[i].step);
    std::string names;
    std::size_t next = i;
    for (; next < chart.borders.size() && scale.x(chart.borders[next].step) < x + room; ++next) {
      const ChartBorder& border = chart.borders[next];
      if (border.step > 0) {
        svg += fmt::format("<path class=\"border\" d=\"M{:.1f} {}v{}\"/>", scale.x(border.step), top, plotHeight);
      }
      names += (next > i ? ", " : "") + border.name;
    }
    svg += fmt::format("<text text-anchor=\"end\" transform=\"translate({:.1f} {}) rotate(-90)\">{}</text>",
                       std::min(scale.x(chart.borders[next - 1].step), left + plotWidth - 4) + 11, top + 2,
                       escaped(names));
    i = next;
  }
  return svg;
}

/// Labels stand at the right, on the side of the lines' ends where there is more room, in the order of the ends.
std::string labelsOf(const Chart& chart, const Scale& scale) {
  constexpr double lineHeight = 17;
  std::vector<std::pair<double, const ChartCurve*>> ends;
  for (const ChartCurve& curve : chart.curves) {
    if (!curve.line.empty()) ends.emplace_back(scale.y(curve.last), &curve);
  }
  if (ends.empty()) return "";
  // One curve needs no name, and the names of stages stand where it would.
  if (ends.size() == 1 && !chart.borders.empty()) return "";
  std::sort(ends.begin(), ends.end());
  const bool below = ends.back().first < top + plotHeight / 2;
  double y = below ? ends.back().first + lineHeight + 2
                   : std::max(top + 8, ends.front().first - 16 - lineHeight * static_cast<double>(ends.size() - 1));
  std::string svg;
  for (const auto& [end, curve] : ends) {
    svg += fmt::format(
        "<text class=\"label\" x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\"><tspan fill=\"{}\">━</tspan> {}</text>",
        left + plotWidth, y, runColour(curve->colourSlot),
        escaped(fmt::format("{} {}", curve->label, threeDigits(curve->last))));
    y += lineHeight;
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
  const Scale scale(chart, ticks);
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">", width, height);
  svg += axesOf(chart, ticks, scale) + bordersOf(chart, scale) + targetOf(chart, scale);
  for (const ChartCurve& curve : chart.curves) svg += curveOf(curve, scale);
  return svg + labelsOf(chart, scale) + "</svg>";
}

}  // namespace slipstream
