// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <cmath>

#include "ui/charts/shown_chart.h"
#include "ui/layers/strip_chart.h"
#include "ui/widgets/drawing_painter.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double keyWidth = 120, keyHeight = 10, boxSize = 11;
constexpr int narrowPitch = 12;  ///< below, the gap is 1 px

/// Draws the text so that it ends at `right`; returns where it begins.
double textBefore(QPainter& painter, const QString& text, double right, double baseline) {
  const double left = right - QFontMetricsF(painter.font()).horizontalAdvance(text);
  painter.setPen(tokens().secondText);
  painter.drawText(QPointF(left, baseline), text);
  return left;
}

/// Returns where the key begins.
double paintKey(QPainter& painter, const StripModel& model, double right, double baseline) {
  painter.setFont(textFont(TextSize::caption));
  double left = right;
  if (model.emptyKey) {
    left = textBefore(painter, model.emptyText, left, baseline) - gapSmall - boxSize;
    painter.setPen(QPen(tokens().control, 1));
    painter.setBrush(tokens().base);
    painter.drawRect(
        QRectF(std::floor(left) + 0.5, std::floor(baseline - boxSize + 2) + 0.5, boxSize - 1, boxSize - 1));
    left -= gapSection;
  }
  if (!model.key.map) return textBefore(painter, model.key.text, left, baseline);
  left = textBefore(painter, model.key.high, left, baseline) - gapText - keyWidth;
  for (int i = 0; i < static_cast<int>(keyWidth); ++i) {
    painter.fillRect(QRectF(std::floor(left) + i, std::floor(baseline - keyHeight + 1), 1, keyHeight),
                     model.colour(model.key.from + (1 - model.key.from) * i / (keyWidth - 1)));
  }
  return textBefore(painter, model.key.low, left - gapText, baseline);
}

/// Where rows are closer than lines of text, every second one is named, or every third.
void paintName(QPainter& painter, const QString& name, int row, int pitch, const QRectF& place) {
  const QFont font = textFont(TextSize::caption);
  const QFontMetricsF metrics(font);
  const int named = std::max(1, static_cast<int>(std::ceil(metrics.ascent() / pitch)));
  if (row % named != 0) return;
  const double more = std::max(0.0, metrics.height() - place.height()) / 2;
  painter.setFont(font);
  painter.setPen(tokens().secondText);
  painter.drawText(place.adjusted(0, -more, 0, more), Qt::AlignRight | Qt::AlignVCenter,
                   metrics.elidedText(name, Qt::ElideMiddle, place.width()));
}

}  // namespace

int stripTitleHeight() {
  return QFontMetrics(textFont(TextSize::section)).height() + gapWide;
}

void paintStripTitle(QPainter& painter, const StripModel& model, const QString& reading, double right) {
  const QFont font = textFont(TextSize::section);
  const QFontMetricsF metrics(font);
  const double baseline = metrics.ascent() + 1;
  const double end = paintKey(painter, model, right, baseline) - gapWide;
  painter.setFont(font);
  painter.setPen(tokens().text);
  const QString title = metrics.elidedText(model.title, Qt::ElideRight, end);
  painter.drawText(QPointF(0, baseline), title);
  const double left = metrics.horizontalAdvance(title) + gapWide;
  const QFont second = textFont(TextSize::secondary);
  painter.setFont(second);
  painter.setPen(tokens().secondText);
  const QFontMetricsF small(second);
  const bool hasRoom = small.horizontalAdvance(model.treatment) <= end - left;
  const QString words = !reading.isEmpty() ? reading : hasRoom ? model.treatment : QString();
  const QString shown = small.elidedText(words, Qt::ElideMiddle, end - left);
  if (shown.size() > 1) painter.drawText(QPointF(left, baseline), shown);
}

void paintStrip(QPainter& painter, const StripModel& model, int row, int pitch, const QRectF& plot) {
  const HeatRow& strip = model.rows[static_cast<std::size_t>(row)];
  const double top = plot.top() + row * pitch;
  const double high = pitch < narrowPitch ? pitch - 1 : pitch - 2;
  paintName(painter, QString::fromStdString(strip.name), row, pitch, {0, top, plot.left() - gapText, high});
  if (model.threads) {
    painter.setPen(tokens().hairline);
    painter.drawLine(QPointF(plot.left(), top + std::floor(high / 2)),
                     QPointF(plot.right(), top + std::floor(high / 2)));
  }
  // Cells end at whole pixels, and the next one begins there; cells of one colour in a row are one.
  const double cell = plot.width() / static_cast<double>(std::max<std::size_t>(1, strip.values.size()));
  const auto edge = [&](std::size_t column) { return std::round(plot.left() + static_cast<double>(column) * cell); };
  for (std::size_t i = 0; i < strip.values.size();) {
    std::size_t end = i + 1;
    while (end < strip.values.size() && strip.values[end] == strip.values[i]) ++end;
    if (std::isfinite(strip.values[i])) {
      painter.fillRect(QRectF(edge(i), top, edge(end) - edge(i), high), model.colour(strip.values[i]));
    }
    i = end;
  }
}

namespace {

/// The axis below the strips, and where its parts are.
std::pair<ShownChart, ChartLayout> axisOf(const StripModel& model, const QRectF& plot, double width) {
  ShownChart axis;
  axis.first = model.first;
  axis.last = model.last;
  axis.leftRoom = plot.left();
  axis.rightRoom = width - plot.right();
  ChartLayout layout = layoutOf(axis, {width, plot.bottom() + stripTitleHeight()});
  layout.plot.bottom = plot.bottom();
  return {std::move(axis), std::move(layout)};
}

}  // namespace

void paintStripAxis(QPainter& painter, const StripModel& model, const QRectF& plot, double width) {
  const auto [axis, layout] = axisOf(model, plot, width);
  DrawingPainter{painter, textFont(TextSize::caption)}.paint(frontMarks(axis, layout, labelSize(), windowLanguage()));
}

void paintStripCursor(QPainter& painter, const StripModel& model, const QRectF& plot, double pixel, double width) {
  if (pixel < plot.left() || pixel > plot.right()) return;
  const QString words = model.xLabels ? xText(ChartX::step, std::floor(*model.cursor)) : QString();
  const double x = std::floor(pixel) + 0.5;
  painter.setPen(QPen(tokens().base, 3));  // seen on cells of any colour
  painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.bottom()));
  if (!words.isEmpty()) clearLabelsUnder(painter, axisOf(model, plot, width).second, cursorTag(plot, x, width, words));
  paintCursorLine(painter, plot, x, width, tokens().text, words);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void paintStripReading(QPainter& painter, const QString& reading, const QRectF& plot, int row, int pitch) {
  const double top = plot.top() + row * pitch;
  painter.setFont(textFont(TextSize::caption));
  painter.setPen(tokens().text);
  painter.drawText(QRectF(plot.right() + gapText, top, stripReadingRoom(), pitch - 2), Qt::AlignVCenter, reading);
}

double stripReadingRoom() {
  return QFontMetricsF(textFont(TextSize::caption)).horizontalAdvance(QStringLiteral("0.000")) + gapText;
}

}  // namespace slipstream::ui
