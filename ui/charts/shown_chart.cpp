// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/shown_chart.h"

#include <QFontInfo>
#include <QFontMetricsF>
#include <QPainterPath>
#include <algorithm>

#include "ui/charts/reading_row.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {

ChartLayout layoutOf(const ShownChart& chart, const QSizeF& size) {
  constexpr double leastLeft = 44;  // so that charts below each other begin at the same place
  const ChartSpace space{.width = size.width(),
                         .height = size.height(),
                         .above = QFontMetricsF(textFont(TextSize::section)).height() + gapWide +
                                  (chart.readingRow == ReadingRow::none ? 0 : readingRowHeight()),
                         .left = std::max(leastLeft, chart.leftRoom),
                         .right = std::max<double>(pageMargin, chart.rightRoom),
                         .xLabels = chart.xLabels,
                         .xTitle = chart.x == ChartX::number};
  return layOut(chart, space, metricsOf(textFont(TextSize::caption)), windowLanguage());
}

ShownChart aloneOf(ShownChart chart) {
  if (chart.legend == LegendPlace::none) chart.legend = LegendPlace::inside;
  chart.readingRow = ReadingRow::none;
  chart.titleLeft = chart.titleRight = 0;
  return chart;
}

TextMetrics metricsOf(const QFont& font) {
  const QFontMetricsF metrics(font);
  return {[metrics](const std::string& words) { return metrics.horizontalAdvance(text(words)); }, metrics.ascent(),
          metrics.descent()};
}

QRectF rectOf(const Rect& rect) {
  return {rect.left, rect.top, rect.width(), rect.height()};
}

QRectF curvesRect(const ChartLayout& layout) {
  constexpr double halfPen = 3;
  const auto goesOut = [&](bool above) {
    return std::ranges::any_of(layout.outside, [above](const OutsideMark& mark) { return mark.above == above; });
  };
  return rectOf(layout.plot).adjusted(0, goesOut(true) ? 0 : -halfPen, 0, goesOut(false) ? 0 : halfPen);
}

double labelSize() {
  return QFontInfo(textFont(TextSize::caption)).pixelSize();
}

QRectF cursorTag(const QRectF& plot, double x, double width, const QString& words) {
  constexpr double tickLength = 4;
  const QFontMetricsF metrics(textFont(TextSize::caption));
  const double wide = metrics.horizontalAdvance(words) + 2 * gapText;
  return {std::clamp(x - wide / 2, 0.0, std::max(0.0, width - wide)), plot.bottom() + tickLength, wide,
          metrics.height() + 3};
}

void paintCursorLine(QPainter& painter, const QRectF& plot, double x, double width, const QColor& colour,
                     const QString& words) {
  QPen pen(colour, 1, Qt::CustomDashLine, Qt::FlatCap);
  pen.setDashPattern({3, 3});
  painter.setPen(pen);
  painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  if (words.isEmpty()) return;
  const QRectF tag = cursorTag(plot, x, width, words);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(tokens().text);
  painter.drawRoundedRect(tag, 3, 3);
  painter.setFont(textFont(TextSize::caption));
  painter.setPen(tokens().base);
  painter.drawText(tag, Qt::AlignCenter, words);
}

void paintHalo(QPainter& painter, const QPointF& start, const QFont& font, const QString& words) {
  constexpr double width = 4;
  QPainterPath outline;
  outline.addText(start, font, words);
  QColor ground = tokens().base;
  ground.setAlphaF(0.9F);
  painter.strokePath(outline, QPen(ground, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
}

void clearLabelsUnder(QPainter& painter, const ChartLayout& layout, const QRectF& tag) {
  const QFontMetricsF metrics(textFont(TextSize::caption));
  for (const AxisTick& tick : layout.xTicks) {
    const double width = metrics.horizontalAdvance(QString::fromStdString(tick.text)) + 2;
    const QRectF label(tick.middle - width / 2, tag.top(), width, tag.height());
    if (label.intersects(tag)) painter.fillRect(label, tokens().base);
  }
}

QString xText(ChartX kind, double value) {
  return text(xText(kind, value, windowLanguage()));
}

}  // namespace slipstream::ui
