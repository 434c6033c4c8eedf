// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/latex/figure_files.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/document/drawing.h"
#include "engine/document/pdf_file.h"

namespace slipstream {
namespace {

constexpr double figureWidth = 453.6, figureHeight = 188, figureFontSize = 8;  ///< points: 160 mm, the text of a page

/// Above a chart, what its axis of values is: pages say it in the caption, which is not part of the file.
Drawing titled(const ChartModel& chart, const Drawing& drawing, Language language) {
  constexpr double titleHeight = 14, gap = 5;
  const std::string title = chart.title.in(language);
  if (title.empty()) return drawing;
  Drawing whole{drawing.width, drawing.height + titleHeight};
  whole.add(DrawnText{{0, figureFontSize}, title, figureFontSize, Anchor::start, Ink::text, Font::strong});
  const double left = textWidth(title, figureFontSize, Font::strong) + gap;
  whole.add(DrawnText{{left, figureFontSize}, chart.treatment.in(language), figureFontSize});
  whole.place(drawing, {0, titleHeight});
  return whole;
}

Cell numberCell(double value) {
  return {.number = value};
}

void addLines(const std::string& curve, const char* part, const std::vector<Line>& lines, Table& table) {
  for (std::size_t piece = 0; piece < lines.size(); ++piece) {
    for (std::size_t i = 0; i < lines[piece].x.size(); ++i) {
      table.rows.push_back({{.text = curve},
                            {.text = part},
                            {.text = std::to_string(piece + 1)},
                            numberCell(lines[piece].x[i]),
                            numberCell(lines[piece].y[i])});
    }
  }
}

Table dataOf(const ChartModel& chart) {
  Table table;
  for (const char* key : {"curve", "part", "piece", "x", "y"}) table.columns.push_back({.key = key});
  for (const ChartCurve& curve : chart.curves) {
    addLines(curve.label, "line", curve.line, table);
    addLines(curve.label, "raw", curve.raw, table);
    addLines(curve.label, "lowest", curve.lowest, table);
    addLines(curve.label, "highest", curve.highest, table);
  }
  return table;
}

Table dataOf(const BarChart& chart) {
  Table table;
  for (const char* key : {"bar", "part", "value"}) table.columns.push_back({.key = key});
  for (const BarChart::Bar& bar : chart.bars) {
    for (std::size_t part = 0; part < bar.parts.size(); ++part) {
      table.rows.push_back({{.text = bar.name}, {.text = std::to_string(part + 1)}, numberCell(bar.parts[part].value)});
    }
  }
  return table;
}

Table dataOf(const HeatMap& map) {
  Table table;
  for (const char* key : {"row", "first step", "value"}) table.columns.push_back({.key = key});
  for (const HeatRow& row : map.rows) {
    const auto count = static_cast<double>(row.values.size());
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const double step = std::ceil(static_cast<double>(map.lastStep) * static_cast<double>(i) / count);
      table.rows.push_back({{.text = row.name}, numberCell(step), numberCell(row.values[i])});
    }
  }
  return table;
}

}  // namespace

std::shared_ptr<PrintFonts> sharedFonts() {
  return std::make_shared<PrintFonts>();
}

Result<std::vector<NamedFile>> figureFiles(const Figure& figure, Language language,
                                           const std::shared_ptr<PrintFonts>& fonts) {
  const FigureSize size{
      .width = figureWidth, .chartWidth = figureWidth, .chartHeight = figureHeight, .font = figureFontSize};
  const auto* chart = std::get_if<ChartModel>(&figure.image);
  Drawing drawing = drawingOf(figure, size, language);
  if (chart != nullptr) drawing = titled(*chart, drawing, language);
  PdfFile pdf(chart != nullptr ? chart->title.in(language) : figure.name, language, fonts);
  SLIPSTREAM_CHECK(pdf.addPage(drawing));
  const Table data = std::visit([](const auto& image) { return dataOf(image); }, figure.image);
  std::vector<NamedFile> files{{figure.name + ".svg", toSvgFile(drawing)},
                               {figure.name + ".pdf", pdf.finish()},
                               {figure.name + ".csv", toCsv(data)}};
  if (chart != nullptr) {
    PlotFiles plot = toPgfplots(*chart, figure.name, language);
    files.push_back({figure.name + ".dat", std::move(plot.data)});
    files.push_back({figure.name + ".tex", std::move(plot.tex)});
  }
  return files;
}

}  // namespace slipstream
