// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_painter.h"

#include <QFontMetricsF>
#include <cmath>
#include <utility>

#include "ui/charts/chart_legend.h"
#include "ui/charts/chart_lines.h"
#include "ui/charts/reading_row.h"
#include "ui/widgets/drawing_painter.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double ringRadius = 4;
constexpr std::size_t manyCurves = 12;
constexpr std::size_t mostRings = 40;  ///< more would hide the lines

double crisp(double pixel) {
  return std::floor(pixel) + 0.5;
}

}  // namespace

void ChartPainter::layOut(const ShownChart& model, const QSizeF& size) {
  model_ = &model;
  size_ = size;
  frame_ = layoutOf(model, size);
  made_ = false;
}

/// Raw lines are behind all full ones, so that none of those hides behind another's noise.
void ChartPainter::makeLines() {
  if (std::exchange(made_, true)) return;
  raw_.clear();
  std::vector<Stroke> full;
  for (const ChartCurve& curve : model_->curves) {
    addStrokes(rawPath(curve, frame_), raw_);
    addStrokes(linePath(*model_, curve, frame_), full);
  }
  qsizetype points = 0;
  for (const Stroke& stroke : raw_) points += stroke.points.size();
  crisp_ = static_cast<double>(points) > frame_.plot.width() * static_cast<double>(model_->curves.size());
  // Qt Charts takes longer for each line than a painter does.
  many_ = model_->curves.size() > manyCurves;
  thin_.clear();
  full_.setStrokes(rectOf(frame_.plot), many_ ? std::vector<Stroke>() : full);
  if (many_) thin_ = std::move(full);
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
  DrawingPainter{painter, textFont(TextSize::caption)}.paint(gridMarks(frame_, labelSize()));
}

void ChartPainter::paintCurves(QPainter& painter) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(curvesRect(frame_));
  for (const ChartCurve& curve : model_->curves) DrawingPainter{painter}(bandPath(curve, frame_));
  paintLines(painter);
  painter.restore();
}

void ChartPainter::paintBefore(QPainter& painter) const {
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  DrawingPainter{painter, textFont(TextSize::caption)}.paint(
      frontMarks(*model_, frame_, labelSize(), windowLanguage()));
  paintNotes(painter);
  if (model_->curves.empty()) paintEmpty(painter);
}

void ChartPainter::paintPointedOut(QPainter& painter, const std::vector<std::size_t>& curves) const {
  constexpr double width = 2.6;
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(curvesRect(frame_));
  painter.setBrush(Qt::NoBrush);
  for (const std::size_t curve : curves) {
    if (curve >= model_->curves.size()) continue;
    DrawnPath path = linePath(*model_, model_->curves[curve], frame_);
    path.width = width;
    std::vector<Stroke> strokes;
    addStrokes(path, strokes);
    for (const Stroke& stroke : strokes) {
      painter.setPen(stroke.pen);
      painter.drawPolyline(stroke.points);
    }
  }
  painter.restore();
}

void ChartPainter::paintEmpty(QPainter& painter) const {
  painter.setFont(textFont(TextSize::secondary));
  painter.setPen(tokens().secondText);
  painter.drawText(rectOf(frame_.plot), Qt::AlignCenter | Qt::TextWordWrap, model_->emptyText);
}

void ChartPainter::paintLines(QPainter& painter) {
  makeLines();
  painter.setRenderHint(QPainter::Antialiasing, !crisp_);
  for (const Stroke& stroke : raw_) {
    painter.setPen(stroke.pen);
    painter.drawPolyline(stroke.points);
  }
  painter.setRenderHint(QPainter::Antialiasing);
  if (!many_) return full_.paint(painter);
  for (const Stroke& stroke : thin_) {
    painter.setPen(stroke.pen);
    painter.drawPolyline(stroke.points);
  }
}

void ChartPainter::paintTitle(QPainter& painter) const {
  const QFont font = textFont(TextSize::section);
  const QFontMetricsF metrics(font);
  const double left = model_->titleLeft;
  const double room = size_.width() - left - std::max<double>(pageMargin, model_->titleRight);
  const QString title = metrics.elidedText(text(model_->title), Qt::ElideMiddle, room);
  painter.setFont(font);
  painter.setPen(tokens().text);
  painter.drawText(QPointF(left, metrics.ascent() + 1), title);
  painter.setFont(textFont(TextSize::secondary));
  painter.setPen(tokens().secondText);
  painter.drawText(QPointF(left + metrics.horizontalAdvance(title) + gapText, metrics.ascent() + 1),
                   titleRowOf(*model_, size_.width()).treatment);
}

void ChartPainter::paintNotes(QPainter& painter) const {
  const QFontMetricsF metrics(textFont(TextSize::caption));
  painter.setFont(textFont(TextSize::caption));
  painter.setPen(tokens().secondText);
  for (const ChartNote& note : model_->notes) {
    const double x = frame_.toX(note.x);
    if (x < frame_.plot.left || x > frame_.plot.right) continue;
    const double width = metrics.horizontalAdvance(note.text);
    const double left = x - width - gapText > frame_.plot.left ? x - width - gapText : x + gapText;
    const double y = std::clamp(frame_.toY(note.y) + metrics.ascent() / 2, frame_.plot.top + metrics.ascent(),
                                frame_.plot.bottom - metrics.descent());
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
    paintCursorLine(painter, rectOf(frame_.plot), x, size_.width(), tokens().secondText,
                    model_->cursorTag ? xText(model_->x, *model_->cursor) : QString());
    for (std::size_t i = 0; i < std::min(readings.size(), mostRings); ++i) {
      if (!readings[i] || !std::isfinite(readings[i]->smoothed)) continue;
      painter.setPen(QPen(runPen(model_->curves[i].colourSlot).colour, 1.5));
      painter.setBrush(tokens().base);
      painter.drawEllipse(QPointF(frame_.toX(readings[i]->x), frame_.toY(readings[i]->smoothed)), ringRadius - 0.75,
                          ringRadius - 0.75);
    }
  }
  paintLegend(painter, *model_, frame_, size_, readings);
  if (model_->readingRow) paintReadingRow(painter, *model_, size_, readings);
}

}  // namespace slipstream::ui
