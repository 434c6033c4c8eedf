// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/document_view.h"

#include <QLocale>
#include <algorithm>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t mostEndLabels = 3, mostInside = 6;
constexpr std::size_t mostDots = 24;  ///< more of them would hide the line in charts this small

/// A table of many lines would cover the curves of a small chart.
LegendPlace legendPlaceOf(std::size_t curves) {
  if (curves <= mostEndLabels) return LegendPlace::lineEnds;
  return curves <= mostInside ? LegendPlace::inside : LegendPlace::titleRow;
}

CellTone toneOf(Tone tone) {
  if (tone == Tone::strong) return CellTone::strong;
  return tone == Tone::quiet ? CellTone::second : CellTone::plain;
}

Cell cellOf(const slipstream::Cell& from) {
  Cell cell{text(from.text), toneOf(from.tone), from.swatch, from.verdict};
  if (!from.note.empty()) cell.text += QStringLiteral(" (%1)").arg(text(from.note));
  if (from.interval) cell.interval = CellInterval{from.interval->low, from.interval->value, from.interval->high};
  return cell;
}

LineCurve curveOf(const ChartCurve& curve) {
  std::size_t samples = 0;
  for (const Line& line : curve.line) samples += line.x.size();
  LineCurve line;
  line.label = text(curve.name());
  line.colourSlot = curve.colourSlot;
  line.raw = curve.raw;
  line.line = curve.line;
  line.lowest = curve.lowest;
  line.highest = curve.highest;
  line.points = curve.points && samples <= mostDots;
  line.censored = curve.censored;
  return line;
}

ChartModel pictureOf(const slipstream::ChartModel& chart) {
  ChartModel picture;
  picture.title = text(chart.title);
  picture.treatment = text(chart.treatment);
  picture.xKind = chart.x;
  picture.last = std::max(chart.last, 1e-9);
  picture.logarithmic = chart.logarithmic;
  picture.upperLimit = chart.upperLimit;
  picture.wholeNumbers = chart.wholeNumbers;
  for (const ChartCurve& curve : chart.curves) picture.curves.push_back(curveOf(curve));
  for (const ChartBorder& border : chart.borders) picture.borders.push_back({border.x, text(border.name)});
  for (const slipstream::ChartBound& bound : chart.bounds) picture.bounds.push_back({bound.value, text(bound.text)});
  picture.legend = legendPlaceOf(picture.curves.size());
  return picture;
}

}  // namespace

Language windowLanguage() {
  return QLocale().language() == QLocale::Chinese ? Language::chinese : Language::english;
}

QString text(const Text& words) {
  return QString::fromStdString(words.in(windowLanguage()));
}

QString richText(const Text& words) {
  QString html;
  for (const Span& span : words.spans(windowLanguage())) {
    const QString escaped = QString::fromStdString(span.words).toHtmlEscaped();
    html += span.strong ? QStringLiteral("<b>%1</b>").arg(escaped) : escaped;
  }
  return html;
}

CellGrid gridOf(const Table& table) {
  CellGrid grid;
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Column& column = table.columns[i];
    const Text title = i == 0 && !table.title.empty() ? capitalized(table.title) : column.title;
    grid.heads.push_back({text(title), column.number, column.swatch});
  }
  for (const auto& row : table.rows) {
    std::vector<Cell>& cells = grid.rows.emplace_back();
    for (const slipstream::Cell& cell : row) cells.push_back(cellOf(cell));
  }
  return grid;
}

std::vector<ChartModel> picturesOf(const std::vector<slipstream::ChartModel>& charts) {
  std::vector<ChartModel> pictures;
  double last = 0;
  for (const slipstream::ChartModel& chart : charts) {
    pictures.push_back(pictureOf(chart));
    last = std::max(last, pictures.back().last);
  }
  for (ChartModel& picture : pictures) picture.last = last;
  return pictures;
}

}  // namespace slipstream::ui
