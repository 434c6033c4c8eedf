// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_painter.h"

#include <QFontMetricsF>
#include <cmath>
#include <utility>

#include "ui/charts/chart_legend.h"
#include "ui/charts/chart_lines.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double dotRadius = 2.5, ringRadius = 4, livingRadius = 3.5;
constexpr double tickLength = 4;
constexpr double bandOpacity = 0.18;
constexpr double censoringTick = 4, gapMarkSize = 3, gapMarkRoom = 8;

QPen dashes(const QColor& colour, double on, double off) {
  QPen pen(colour, 1, Qt::CustomDashLine, Qt::FlatCap);
  pen.setDashPattern({on, off});
  return pen;
}

double crisp(double pixel) {
  return std::floor(pixel) + 0.5;
}

}  // namespace

void ChartPainter::layOut(const ChartModel& model, const QSizeF& size) {
  model_ = &model;
  size_ = size;
  frame_ = frameOf(model, size);
  made_ = false;
}

void ChartPainter::makeLines() {
  if (std::exchange(made_, true)) return;
  raw_ = rawStrokesOf(*model_, frame_);
  qsizetype points = 0;
  for (const Stroke& stroke : raw_) points += stroke.points.size();
  crisp_ = static_cast<double>(points) > frame_.plot.width() * static_cast<double>(model_->curves.size());
  full_.setStrokes(frame_.plot, fullStrokesOf(*model_, frame_));
}

void ChartPainter::paint(QPainter& painter) {
  if (model_ == nullptr) return;
  paintBehind(painter);
  paintCurves(painter);
  paintBefore(painter);
}

void ChartPainter::paintBehind(QPainter& painter) const {
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  paintTitle(painter);
  paintGrid(painter);
  paintBorders(painter);
}

void ChartPainter::paintCurves(QPainter& painter) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(frame_.curves());
  paintBands(painter);
  paintLines(painter);
  painter.restore();
}

void ChartPainter::paintBefore(QPainter& painter) const {
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  paintBounds(painter);
  paintAxis(painter);
  painter.save();
  painter.setClipRect(frame_.plot.adjusted(-ringRadius, -ringRadius, ringRadius, ringRadius));
  for (const LineCurve& curve : model_->curves) paintDots(painter, curve);
  painter.restore();
  paintBoundTexts(painter);
  paintNotes(painter);
  if (model_->curves.empty()) paintEmpty(painter);
}

void ChartPainter::paintEmpty(QPainter& painter) const {
  painter.setFont(textFont(TextSize::secondary));
  painter.setPen(tokens().secondText);
  painter.drawText(frame_.plot, Qt::AlignCenter | Qt::TextWordWrap, model_->emptyText);
}

void ChartPainter::paintLines(QPainter& painter) {
  makeLines();
  painter.setRenderHint(QPainter::Antialiasing, !crisp_);
  for (const Stroke& stroke : raw_) {
    painter.setPen(stroke.pen);
    painter.drawPolyline(stroke.points);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  full_.paint(painter);
}

void ChartPainter::paintTitle(QPainter& painter) const {
  const QFont font = textFont(TextSize::section);
  const QFontMetricsF metrics(font);
  const QString title = metrics.elidedText(model_->title, Qt::ElideMiddle, size_.width() - pageMargin);
  painter.setFont(font);
  painter.setPen(tokens().text);
  painter.drawText(QPointF(0, metrics.ascent() + 1), title);
  painter.setFont(textFont(TextSize::secondary));
  painter.setPen(tokens().secondText);
  painter.drawText(QPointF(metrics.horizontalAdvance(title) + gapText, metrics.ascent() + 1),
                   titleRowOf(*model_, size_.width()).treatment);
}

void ChartPainter::paintGrid(QPainter& painter) const {
  const QFont font = textFont(TextSize::caption);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  for (std::size_t i = 0; i < frame_.yTicks.size(); ++i) {
    const double y = crisp(frame_.toY(frame_.yTicks[i]));
    painter.setPen(QPen(tokens().chartGrid, 1));
    painter.drawLine(QPointF(frame_.plot.left(), y), QPointF(frame_.plot.right(), y));
    const QString& text = frame_.yTexts[static_cast<qsizetype>(i)];
    painter.setPen(tokens().secondText);
    painter.drawText(QPointF(frame_.plot.left() - gapText - metrics.horizontalAdvance(text),
                             y + metrics.ascent() / 2 - metrics.descent() / 2),
                     text);
  }
}

void ChartPainter::paintAxis(QPainter& painter) const {
  const QFontMetricsF metrics(textFont(TextSize::caption));
  const double y = crisp(frame_.plot.bottom());
  painter.setFont(textFont(TextSize::caption));
  painter.setPen(QPen(tokens().chartAxis, 1));
  painter.drawLine(QPointF(frame_.plot.left(), y), QPointF(frame_.plot.right(), y));
  for (std::size_t i = 0; i < frame_.xTicks.size(); ++i) {
    const double x = crisp(frame_.toX(frame_.xTicks[i]));
    painter.setPen(QPen(tokens().chartAxis, 1));
    painter.drawLine(QPointF(x, y), QPointF(x, y + tickLength));
    const QString& text = frame_.xTexts[static_cast<qsizetype>(i)];
    const double width = metrics.horizontalAdvance(text);
    painter.setPen(tokens().secondText);
    painter.drawText(QPointF(std::clamp(x - width / 2, 0.0, std::max(0.0, size_.width() - gapSmall - width)),
                             y + tickLength + 1 + metrics.ascent()),
                     text);
  }
}

void ChartPainter::paintBounds(QPainter& painter) const {
  painter.setPen(dashes(tokens().secondText, 4, 3));
  for (const ChartBound& bound : model_->bounds) {
    const double y = crisp(frame_.toY(bound.value));
    if (!frame_.curves().contains(frame_.plot.left(), y)) continue;
    painter.drawLine(QPointF(frame_.plot.left(), y), QPointF(frame_.plot.right(), y));
  }
}

/// At the right end, or at the left one where fewer points are in the way.
void ChartPainter::paintBoundTexts(QPainter& painter) const {
  const QFontMetricsF metrics(textFont(TextSize::caption));
  painter.setFont(textFont(TextSize::caption));
  painter.setPen(tokens().secondText);
  for (const ChartBound& bound : model_->bounds) {
    const double y = crisp(frame_.toY(bound.value));
    const double width = metrics.horizontalAdvance(bound.text);
    const bool above = y - metrics.height() > frame_.plot.top();
    const double top = above ? y - gapSmall - metrics.ascent() : y + 2;
    const QRectF right(frame_.plot.right() - width, top, width, metrics.height());
    const QRectF left = right.translated(frame_.plot.left() - right.left(), 0);
    const QRectF place = pointsWithin(*model_, frame_, left) < pointsWithin(*model_, frame_, right) ? left : right;
    painter.drawText(QPointF(place.left(), top + metrics.ascent()), bound.text);
  }
}

void ChartPainter::paintBorders(QPainter& painter) const {
  const QFontMetricsF metrics(textFont(TextSize::caption));
  painter.setFont(textFont(TextSize::caption));
  for (std::size_t i = 0; i < model_->borders.size(); ++i) {
    const ChartBorderLine& border = model_->borders[i];
    const double x = crisp(frame_.toX(border.x));
    const double end = i + 1 < model_->borders.size() ? frame_.toX(model_->borders[i + 1].x) : frame_.plot.right();
    if (end < frame_.plot.left() || x > frame_.plot.right()) continue;
    painter.setPen(QPen(tokens().hairline, 1));
    const double top = frame_.plot.top() - metrics.height();
    if (x > frame_.plot.left()) painter.drawLine(QPointF(x, top), QPointF(x, frame_.plot.bottom()));
    const double from = std::max(x, frame_.plot.left()) + gapSmall;
    const QString name =
        metrics.elidedText(border.name, Qt::ElideMiddle, std::min(end, frame_.plot.right()) - from - gapSmall);
    painter.setPen(tokens().secondText);
    if (name.size() > 1) painter.drawText(QPointF(from, top + metrics.ascent() - 2), name);
  }
}

void ChartPainter::paintBands(QPainter& painter) const {
  painter.save();
  painter.setPen(Qt::NoPen);
  for (const LineCurve& curve : model_->curves) {
    QColor colour = runPen(curve.colourSlot).colour;
    colour.setAlphaF(static_cast<float>(bandOpacity));
    painter.setBrush(colour);
    for (const QPolygonF& band : bandsOf(curve, frame_)) painter.drawPolygon(band);
  }
  painter.restore();
}

void ChartPainter::paintDots(QPainter& painter, const LineCurve& curve) const {
  const QColor colour = runPen(curve.colourSlot).colour;
  painter.setBrush(colour);
  if (curve.points) {
    painter.setPen(QPen(tokens().base, 1));
    for (const Line& line : curve.line) {
      for (const QPointF& point : polylineOf(line, frame_))
        painter.drawEllipse(point, dotRadius + 0.5, dotRadius + 0.5);
    }
  }
  if (curve.living && !curve.line.empty() && !curve.line.back().x.empty()) {
    const Line& last = curve.line.back();
    painter.setPen(Qt::NoPen);
    painter.drawEllipse(QPointF(frame_.toX(last.x.back()), frame_.toY(last.y.back())), livingRadius, livingRadius);
  }
  if (curve.censored && !curve.line.empty() && !curve.line.back().x.empty()) {
    const Line& last = curve.line.back();
    painter.setPen(QPen(colour, 1.5));
    for (const double back : {2.0, 6.0}) {
      const QPointF at(frame_.toX(last.x.back()) - back, frame_.toY(last.y.back()));
      painter.drawLine(at - QPointF(0, censoringTick), at + QPointF(0, censoringTick));
    }
  }
  // A value that is no number is a cross on the axis, where the line is broken.
  painter.setPen(QPen(colour, 1.5));
  double free = frame_.plot.left() - gapMarkRoom;
  for (const double gap : curve.gaps) {
    const double x = frame_.toX(gap);
    if (x < free || x > frame_.plot.right()) continue;
    const QPointF at(x, frame_.plot.bottom() - gapMarkSize - 3);
    painter.drawLine(at + QPointF(-gapMarkSize, -gapMarkSize), at + QPointF(gapMarkSize, gapMarkSize));
    painter.drawLine(at + QPointF(-gapMarkSize, gapMarkSize), at + QPointF(gapMarkSize, -gapMarkSize));
    free = x + gapMarkRoom;
  }
}

void ChartPainter::paintNotes(QPainter& painter) const {
  const QFontMetricsF metrics(textFont(TextSize::caption));
  painter.setFont(textFont(TextSize::caption));
  painter.setPen(tokens().secondText);
  for (const ChartNote& note : model_->notes) {
    const double x = frame_.toX(note.x);
    if (x < frame_.plot.left() || x > frame_.plot.right()) continue;
    const double width = metrics.horizontalAdvance(note.text);
    const double left = x - width - gapText > frame_.plot.left() ? x - width - gapText : x + gapText;
    const double y = std::clamp(frame_.toY(note.y) + metrics.ascent() / 2, frame_.plot.top() + metrics.ascent(),
                                frame_.plot.bottom() - metrics.descent());
    painter.drawText(QPointF(left, y), note.text);
  }
}

void ChartPainter::paintCursor(QPainter& painter) const {
  if (model_ == nullptr) return;
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  const std::vector<std::optional<CursorReading>> readings = readingsOf(*model_);
  const bool shown = model_->cursor && *model_->cursor >= model_->first && *model_->cursor <= model_->last;
  if (shown) {
    const double x = crisp(frame_.toX(*model_->cursor));
    painter.setPen(dashes(tokens().secondText, 3, 3));
    painter.drawLine(QPointF(x, frame_.plot.top()), QPointF(x, frame_.plot.bottom()));
    for (std::size_t i = 0; i < readings.size(); ++i) {
      if (!readings[i] || !std::isfinite(readings[i]->smoothed)) continue;
      painter.setPen(QPen(runPen(model_->curves[i].colourSlot).colour, 1.5));
      painter.setBrush(tokens().base);
      painter.drawEllipse(QPointF(frame_.toX(readings[i]->x), frame_.toY(readings[i]->smoothed)), ringRadius - 0.75,
                          ringRadius - 0.75);
    }
    if (model_->cursorTag) paintTag(painter, x, xText(model_->xKind, *model_->cursor));
  }
  paintLegend(painter, *model_, frame_, size_, readings);
}

void ChartPainter::paintTag(QPainter& painter, double pixel, const QString& text) const {
  const QFont font = textFont(TextSize::caption);
  const QFontMetricsF metrics(font);
  const double width = metrics.horizontalAdvance(text) + 2 * gapText;
  const double left = std::clamp(pixel - width / 2, 0.0, std::max(0.0, size_.width() - width));
  const QRectF tag(left, frame_.plot.bottom() + tickLength, width, metrics.height() + 3);
  painter.setPen(Qt::NoPen);
  painter.setBrush(tokens().text);
  painter.drawRoundedRect(tag, 3, 3);
  painter.setFont(font);
  painter.setPen(tokens().base);
  painter.drawText(tag, Qt::AlignCenter, text);
}

}  // namespace slipstream::ui
