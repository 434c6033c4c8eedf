// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_painter.h"

#include <QFontMetricsF>
#include <cmath>
#include <utility>

#include "ui/charts/chart_legend.h"
#include "ui/charts/reading_row.h"
#include "ui/widgets/drawing_painter.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double ringRadius = 4;
constexpr std::size_t mostRings = 40;  ///< more would hide the lines

double crisp(double pixel) {
  return std::floor(pixel) + 0.5;
}

}  // namespace

void ChartPainter::layOut(const ShownChart& model, const QSizeF& size) {
  model_ = &model;
  size_ = size;
  frame_ = layoutOf(model, size);
  many_ = haveManyPoints(model);
  made_ = false;
}

/// Qt Charts takes longer for each line than a painter does: it draws few.
void ChartPainter::makeLines() {
  if (std::exchange(made_, true)) return;
  strokes_ = strokesOf(*model_, frame_);
  full_.setStrokes(curvesRect(frame_), hasMany() ? std::vector<Stroke>() : strokes_.full);
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
  paintBands(painter, *model_, frame_);
  makeLines();
  paintRaw(painter, strokes_);
  hasMany() ? paintStrokes(painter, strokes_.full) : full_.paint(painter);
  painter.restore();
}

void ChartPainter::paintBefore(QPainter& painter) const {
  painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
  DrawingPainter{painter, textFont(TextSize::caption)}.paint(
      frontMarks(*model_, frame_, labelSize(), windowLanguage()));
  paintNotes(painter);
  if (model_->curves.empty()) paintEmpty(painter);
}

void ChartPainter::paintPointedOut(QPainter& painter, const ChartModel& curves) const {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setClipRect(curvesRect(frame_));
  painter.setBrush(Qt::NoBrush);
  paintStrokes(painter, wideStrokesOf(curves, frame_, pointedOutWidth));
  painter.restore();
}

void ChartPainter::paintEmpty(QPainter& painter) const {
  painter.setFont(textFont(TextSize::secondary));
  painter.setPen(tokens().secondText);
  painter.drawText(rectOf(frame_.plot), Qt::AlignCenter | Qt::TextWordWrap, model_->emptyText);
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
    paintHalo(painter, {left, y}, painter.font(), note.text);
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
    const QString words = model_->cursorTag ? xText(model_->x, *model_->cursor) : QString();
    if (!words.isEmpty()) clearLabelsUnder(painter, frame_, cursorTag(rectOf(frame_.plot), x, size_.width(), words));
    paintCursorLine(painter, rectOf(frame_.plot), x, size_.width(), tokens().secondText, words);
    for (std::size_t i = 0; i < std::min(readings.size(), mostRings); ++i) {
      if (!readings[i] || !std::isfinite(readings[i]->smoothed)) continue;
      painter.setPen(QPen(runPen(model_->curves[i].colourSlot).colour, 1.5));
      painter.setBrush(tokens().base);
      painter.drawEllipse(QPointF(frame_.toX(readings[i]->x), frame_.toY(readings[i]->smoothed)), ringRadius - 0.75,
                          ringRadius - 0.75);
    }
  }
  paintLegend(painter, *model_, frame_, size_, readings);
  if (model_->readingRow != ReadingRow::none) paintReadingRow(painter, *model_, size_, readings);
}

}  // namespace slipstream::ui
