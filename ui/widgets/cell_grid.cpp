// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/cell_grid.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double shapeSize = 10, swatchWidth = 14, swatchHeight = 4;
constexpr double diamond = 4, whisker = 4;

QColor shapeColour(ComparisonVerdict verdict) {
  switch (verdict) {
    case ComparisonVerdict::better:
      return tokens().good;
    case ComparisonVerdict::worse:
      return tokens().error;
    case ComparisonVerdict::costsMore:
      return tokens().warning;
    case ComparisonVerdict::noDifferenceShown:
    case ComparisonVerdict::noClaim:
    case ComparisonVerdict::notReached:
      break;
  }
  return tokens().secondText;
}

QPainterPath shapeOf(ComparisonVerdict verdict, const QPointF& at) {
  QPainterPath path;
  const double half = shapeSize / 2 - 1;
  switch (verdict) {
    case ComparisonVerdict::better:  // a tick
      path.moveTo(at + QPointF(-half, 0));
      path.lineTo(at + QPointF(-half / 3, half * 0.8));
      path.lineTo(at + QPointF(half, -half * 0.8));
      break;
    case ComparisonVerdict::worse:  // a cross
      path.moveTo(at + QPointF(-half * 0.8, -half * 0.8));
      path.lineTo(at + QPointF(half * 0.8, half * 0.8));
      path.moveTo(at + QPointF(half * 0.8, -half * 0.8));
      path.lineTo(at + QPointF(-half * 0.8, half * 0.8));
      break;
    case ComparisonVerdict::costsMore:  // an arrow down
      path.moveTo(at + QPointF(0, -half));
      path.lineTo(at + QPointF(0, half));
      path.moveTo(at + QPointF(-half * 0.7, half * 0.3));
      path.lineTo(at + QPointF(0, half));
      path.lineTo(at + QPointF(half * 0.7, half * 0.3));
      break;
    case ComparisonVerdict::noDifferenceShown:  // a dash
      path.moveTo(at + QPointF(-half, 0));
      path.lineTo(at + QPointF(half, 0));
      break;
    case ComparisonVerdict::noClaim:
    case ComparisonVerdict::notReached:  // an open ring
      path.addEllipse(at, half - 0.5, half - 0.5);
      break;
  }
  return path;
}

void paintVerdict(QPainter& painter, const QPointF& at, ComparisonVerdict verdict) {
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(shapeColour(verdict), 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  painter.drawPath(shapeOf(verdict, at));
}

void paintInterval(QPainter& painter, const QRectF& place, const CellInterval& interval) {
  const double low = std::min(0.0, interval.low);
  const double high = std::max(0.0, interval.high);
  const double span = high > low ? high - low : 1;
  const double room = place.width() - 2 * diamond;
  const auto x = [&](double value) { return place.left() + diamond + (value - low) / span * room; };
  const double y = place.center().y();
  QPen zero(tokens().control, 1);
  zero.setDashPattern({2, 2});
  painter.setPen(zero);
  painter.drawLine(QPointF(x(0), place.top() + 3), QPointF(x(0), place.bottom() - 3));
  painter.setPen(QPen(tokens().text, 1.5));
  painter.drawLine(QPointF(x(interval.low), y), QPointF(x(interval.high), y));
  for (const double end : {interval.low, interval.high}) {
    painter.drawLine(QPointF(x(end), y - whisker), QPointF(x(end), y + whisker));
  }
  const QPointF middle(x(interval.value), y);
  painter.setPen(Qt::NoPen);
  painter.setBrush(tokens().text);
  painter.drawPolygon(QPolygonF({middle + QPointF(-diamond, 0), middle + QPointF(0, -diamond),
                                 middle + QPointF(diamond, 0), middle + QPointF(0, diamond)}));
}

QFont headFont() {
  QFont font = textFont(TextSize::secondary);
  font.setWeight(strongWeight());
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

double headWidth(const CellHead& head) {
  return QFontMetricsF(headFont()).horizontalAdvance(head.text) + (head.swatch ? swatchRoom : 0) + 2 * cellPadding + 1;
}

void paintCell(QPainter& painter, const QRectF& place, const Cell& cell, bool number) {
  QRectF inner = place.adjusted(cellPadding, 0, -cellPadding, 0);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  if (cell.interval) {
    paintInterval(painter,
                  QRectF(inner.left(), inner.top(), std::min<double>(intervalWidth, inner.width()), inner.height()),
                  *cell.interval);
  }
  if (cell.verdict) {
    paintVerdict(painter, QPointF(inner.left() + shapeSize / 2, inner.center().y()), *cell.verdict);
    inner.setLeft(inner.left() + shapeSize + gapText);
  }
  const QFont font = cellFont(cell.tone);
  inner = afterSwatch(painter, inner, cell.swatch, QFontMetricsF(font).horizontalAdvance(cell.text), number);
  painter.setPen(cell.tone == CellTone::second ? tokens().secondText : tokens().text);
  paintText(painter, inner, cell.text, font, number);
  painter.restore();
}

void paintHead(QPainter& painter, const QRectF& place, const CellHead& head) {
  QRectF inner = place.adjusted(cellPadding, 0, -cellPadding, 0);
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QFont font = headFont();
  inner = afterSwatch(painter, inner, head.swatch, QFontMetricsF(font).horizontalAdvance(head.text), head.number);
  painter.setPen(tokens().secondText);
  paintText(painter, inner, head.text, font, head.number);
  painter.restore();
}

}  // namespace slipstream::ui
