// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/document_view.h"

#include <QCoreApplication>
#include <algorithm>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr std::size_t mostEndLabels = 3, mostInside = 6;
constexpr std::size_t mostDots = 24;

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
  Cell cell{text(from.text), toneOf(from.tone), from.swatch, from.verdict, from.interval};
  if (!from.note.empty())
    cell.text = QCoreApplication::translate("Document", "%1 (%2)").arg(cell.text, text(from.note));
  return cell;
}

/// In charts this small, dots of many samples would hide the line.
bool isCrowded(const ChartCurve& curve) {
  std::size_t samples = 0;
  for (const Line& line : curve.line) samples += line.x.size();
  return samples > mostDots;
}

}  // namespace

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
    QString heading = text(title);
    // "verdict (± detectable)": cells have such a note behind their words.
    if (!column.noteTitle.empty())
      heading = QCoreApplication::translate("Document", "%1 (± %2)").arg(heading, text(column.noteTitle));
    grid.headings.push_back({heading, column.number, column.swatch});
  }
  for (const auto& row : table.rows) {
    std::vector<Cell>& cells = grid.rows.emplace_back();
    for (const slipstream::Cell& cell : row) cells.push_back(cellOf(cell));
  }
  return grid;
}

std::vector<ShownChart> shownChartsOf(const std::vector<ChartModel>& charts) {
  std::vector<ShownChart> all;
  double last = 0;
  const auto isOverSteps = [](const ChartModel& chart) { return chart.x != ChartX::number; };
  for (const ChartModel& chart : charts) {
    ShownChart& shown = all.emplace_back(chart);
    for (ChartCurve& curve : shown.curves) curve.points = curve.points && !isCrowded(curve);
    shown.legend = legendPlaceOf(shown.curves.size());
    if (isOverSteps(shown)) last = std::max(last, shown.last);
  }
  for (ShownChart& shown : all) {
    if (isOverSteps(shown)) shown.last = last;
  }
  return all;
}

}  // namespace slipstream::ui
