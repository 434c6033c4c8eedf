// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cell_grid.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/widgets/drawing_painter.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double shapeSize = 10, swatchWidth = 14, swatchHeight = 4;

/// A drawing of the engine, in the middle of a place's height.
void paintShape(QPainter& painter, const QRectF& place, const Drawing& drawing) {
  painter.save();
  painter.translate(std::round(place.left()), std::round(place.center().y() - drawing.height / 2));
  DrawingPainter{painter, painter.font()}.paint(drawing);
  painter.restore();
}

QFont headingFont() {
  QFont font = textFont(TextSize::secondary);
  font.setWeight(smallStrongWeight());
  return font;
}

/// Returns what is left of the place.
QRectF afterSwatch(QPainter& painter, const QRectF& place, std::optional<int> swatch, double textWidth, bool number) {
  if (!swatch) return place;
  const double left = number ? std::max(place.left(), place.right() - textWidth - swatchRoom) : place.left();
  paintSwatch(painter, QRectF(left, place.center().y() - swatchHeight / 2, swatchWidth, swatchHeight), *swatch);
  return QRectF(QPointF(left + swatchRoom, place.top()), place.bottomRight());
}

void paintText(QPainter& painter, const QRectF& place, const QString& text, const QFont& font, bool number) {
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  const Qt::Alignment side = number ? Qt::AlignRight : Qt::AlignLeft;
  // A hair of slack: widths of texts are no whole pixels.
  painter.drawText(place, static_cast<int>(side | Qt::AlignVCenter) | Qt::TextSingleLine,
                   metrics.elidedText(text, Qt::ElideMiddle, place.width() + 1));
}

/// The two lines that are the narrowest; the second one is empty where there is one word.
std::pair<QString, QString> linesOf(const QString& text) {
  const QFontMetricsF metrics(headingFont());
  std::pair<QString, QString> best{text, {}};
  double least = metrics.horizontalAdvance(text);
  for (qsizetype at = text.indexOf(QLatin1Char(' ')); at >= 0; at = text.indexOf(QLatin1Char(' '), at + 1)) {
    const QString first = text.left(at), second = text.mid(at + 1);
    const double width = std::max(metrics.horizontalAdvance(first), metrics.horizontalAdvance(second));
    if (width >= least) continue;
    least = width;
    best = {first, second};
  }
  return best;
}

}  // namespace

QFont cellFont(CellTone tone) {
  if (tone == CellTone::fixed) return fixedFont();
  return textFont(tone == CellTone::strong ? TextSize::section : TextSize::body);
}

double cellWidth(const Cell& cell) {
  if (cell.interval) return intervalWidth + 2 * cellPadding;
  const double shape = (cell.swatch ? swatchRoom : 0) + (cell.verdict ? shapeSize + gapText : 0);
  return QFontMetricsF(cellFont(cell.tone)).horizontalAdvance(cell.text) + shape + 2 * cellPadding + 1;
}

double headingWidth(const ColumnHeading& heading) {
  return QFontMetricsF(headingFont()).horizontalAdvance(heading.text) + (heading.swatch ? swatchRoom : 0) +
         2 * cellPadding + 1;
}

double wrappedHeadingWidth(const ColumnHeading& heading) {
  const auto [first, second] = linesOf(heading.text);
  return std::max(headingWidth({first, heading.number, heading.swatch}), headingWidth({second}));
}

double headingLineHeight() {
  return QFontMetricsF(headingFont()).height();
}

void paintCell(QPainter& painter, const QRectF& place, const Cell& cell, bool number) {
  QRectF inner = place.adjusted(cellPadding, 0, -cellPadding, 0);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (cell.interval) {
    paintShape(painter, inner, drawingOf(*cell.interval, inner.width()));
  }
  if (cell.verdict) {
    paintShape(painter, inner, drawingOf(*cell.verdict));
    inner.setLeft(inner.left() + shapeSize + gapText);
  }
  const QFont font = cellFont(cell.tone);
  inner = afterSwatch(painter, inner, cell.swatch, QFontMetricsF(font).horizontalAdvance(cell.text), number);
  painter.setPen(cell.tone == CellTone::second ? tokens().secondText : tokens().text);
  paintText(painter, inner, cell.text, font, number);
  painter.restore();
}

void paintHeading(QPainter& painter, const QRectF& place, const ColumnHeading& heading) {
  QRectF inner = place.adjusted(cellPadding, 0, -cellPadding, 0);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont font = headingFont();
  const QFontMetricsF metrics(font);
  const double whole = metrics.horizontalAdvance(heading.text),
               room = inner.width() - (heading.swatch ? swatchRoom : 0);
  const bool isWhole = whole <= room + 1 || place.height() < 2 * headingLineHeight();
  double width = whole;  // of the text beside the swatch
  if (!isWhole) {
    const auto [first, second] = linesOf(heading.text);
    width = std::max(metrics.horizontalAdvance(first), metrics.horizontalAdvance(second));
  }
  inner = afterSwatch(painter, inner, heading.swatch, width, heading.number);
  painter.setPen(tokens().secondText);
  if (isWhole) {
    paintText(painter, inner, heading.text, font, heading.number);
  } else {
    const auto [first, second] = linesOf(heading.text);
    const double half = inner.height() / 2, line = headingLineHeight() / 2;
    paintText(painter, inner.adjusted(0, half - 2 * line, 0, -half), first, font, heading.number);
    paintText(painter, inner.adjusted(0, half, 0, -half + 2 * line), second, font, heading.number);
  }
  painter.restore();
}

}  // namespace slipstream::ui
