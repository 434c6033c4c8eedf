// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/svg_shapes.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/html.h"

namespace slipstream {
namespace {

constexpr double nameWidth = 160, barsWidth = 700, pageWidth = 960;

std::string colourKey() {
  std::string key;
  for (int i = 0; i < 40; ++i) {
    key += fmt::format("<rect x=\"{}\" y=\"2\" width=\"3.2\" height=\"10\" fill=\"{}\"/>", pageWidth - 130 + 3 * i,
                       mapColour(i / 39.0));
  }
  return key + fmt::format("<text x=\"{}\" y=\"11\" text-anchor=\"end\">0</text><text x=\"{}\" y=\"11\">1</text>",
                           pageWidth - 136, pageWidth - 6);
}

}  // namespace

std::string heatMap(const std::vector<HeatRow>& rows, std::int64_t lastStep) {
  constexpr double top = 22, rowHeight = 18, gap = 2;
  const double mapWidth = pageWidth - nameWidth;
  const double bottom = top + (rowHeight + gap) * static_cast<double>(rows.size());
  std::string svg = fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">{2}", pageWidth,
                                bottom + 24, colourKey());
  for (std::size_t row = 0; row < rows.size(); ++row) {
    const double y = top + (rowHeight + gap) * static_cast<double>(row);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", nameWidth - 8, y + 13,
                       escaped(rows[row].name));
    const auto count = static_cast<double>(rows[row].values.size());
    for (std::size_t i = 0; i < rows[row].values.size(); ++i) {
      if (!std::isfinite(rows[row].values[i])) continue;
      const double from = std::round(nameWidth + mapWidth * static_cast<double>(i) / count);
      const double to = std::round(nameWidth + mapWidth * static_cast<double>(i + 1) / count);
      svg += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>", from, y, to - from,
                         rowHeight, mapColour(rows[row].values[i]));
    }
  }
  for (int i = 0; i <= 4; ++i) {
    const double x = nameWidth + mapWidth * i / 4;
    const char* anchor = i == 0 ? "start" : i == 4 ? "end" : "middle";
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"{}\">{}</text>", x, bottom + 14, anchor,
                       countText(lastStep * i / 4));
  }
  return svg + "</svg>";
}

std::string stackedBars(const std::vector<Bar>& bars) {
  constexpr double rowHeight = 20;
  double longest = 0;
  for (const Bar& bar : bars) {
    double sum = 0;
    for (const BarPart& part : bar.parts) sum += part.value;
    longest = std::max(longest, sum);
  }
  std::string svg = fmt::format("<svg viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" role=\"img\">", pageWidth,
                                rowHeight * static_cast<double>(bars.size()));
  for (std::size_t row = 0; row < bars.size(); ++row) {
    const double y = rowHeight * static_cast<double>(row);
    svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", nameWidth - 8, y + 14,
                       escaped(bars[row].name));
    double x = nameWidth;
    for (const BarPart& part : bars[row].parts) {
      const double width = longest > 0 ? barsWidth * part.value / longest : 0;
      if (width < 0.5) continue;
      svg += fmt::format("<rect x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"14\" fill=\"{}\"/>", x, y + 3,
                         std::max(0.5, width - 1), part.colour);
      x += width;
    }
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\">{}</text>", x + 8, y + 14, escaped(bars[row].total));
  }
  return svg + "</svg>";
}

std::string intervalPicture(double low, double value, double high) {
  constexpr double width = 130, middle = 9;
  const double from = std::min(low, 0.0);
  const double to = std::max(high, 0.0);
  const double scale = to > from ? (width - 24) / (to - from) : 0;
  const auto x = [&](double at) { return 12 + (at - from) * scale; };
  return fmt::format(
      "<svg viewBox=\"0 0 {0} 18\" width=\"{0}\" height=\"18\" role=\"img\">"
      "<path class=\"zero\" d=\"M{1:.1f} 2v14\" stroke-dasharray=\"2 2\"/>"
      "<path class=\"mark\" d=\"M{2:.1f} {5}H{3:.1f}M{2:.1f} {6}v8M{3:.1f} {6}v8\" fill=\"none\" stroke-width=\"1.5\"/>"
      "<path class=\"mark\" d=\"M{4:.1f} {7}l4 4l-4 4l-4 -4Z\"/></svg>",
      width, x(0), x(low), x(high), x(value), middle, middle - 4, middle - 4);
}

}  // namespace slipstream
