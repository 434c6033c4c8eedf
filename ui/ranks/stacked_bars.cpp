// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/stacked_bars.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QPainter>
#include <QToolTip>
#include <cmath>
#include <numeric>

#include "engine/document/chart_scale.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int barHeight = 20, rowPitch = 28;
constexpr int tickLength = 4, labelRoom = 48;

double sumOf(const StackedBar& bar) {
  return std::accumulate(bar.parts.begin(), bar.parts.end(), 0.0);
}

double widest(const std::vector<StackedBar>& bars, QString StackedBar::*text, const QFont& font) {
  const QFontMetricsF metrics(font);
  double width = 0;
  for (const StackedBar& bar : bars) width = std::max(width, metrics.horizontalAdvance(bar.*text));
  return std::ceil(width);
}

int barsHeadHeight() {
  return QFontMetrics(textFont(TextSize::section)).height() + gapWide;
}

int pitch() {
  return std::max(rowPitch, QFontMetrics(textFont(TextSize::body)).height() + gapText);
}

}  // namespace

StackedBars::StackedBars(QWidget* parent) : QWidget(parent) {
  setFocusPolicy(Qt::StrongFocus);
  setProperty(drawsFocusProperty, true);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void StackedBars::setModel(BarsModel model) {
  const bool grown = model.bars.size() != model_.bars.size();
  model_ = std::move(model);
  current_ = std::clamp(current_, 0, std::max(0, static_cast<int>(model_.bars.size()) - 1));
  setAccessibleName(model_.title);
  if (grown) updateGeometry();
  update();
}

QSize StackedBars::minimumSizeHint() const {
  const int axis = QFontMetrics(textFont(TextSize::caption)).height() + tickLength + gapText;
  return {260, barsHeadHeight() + static_cast<int>(model_.bars.size()) * pitch() + axis};
}

QSize StackedBars::sizeHint() const {
  return {440, minimumSizeHint().height()};
}

std::pair<double, double> StackedBars::margins() const {
  return {widest(model_.bars, &StackedBar::name, textFont(TextSize::secondary)) + gapWide,
          widest(model_.bars, &StackedBar::total, textFont(TextSize::body)) + gapWide};
}

void StackedBars::setLeastMargins(std::pair<double, double> least) {
  leastMargins_ = least;
  update();
}

/// The bars' place: names at the left, totals at the right.
QRectF StackedBars::plot() const {
  const auto [needLeft, needRight] = margins();
  const double left = std::max(needLeft, leastMargins_.first), right = std::max(needRight, leastMargins_.second);
  return {left, static_cast<double>(barsHeadHeight()), std::max(1.0, width() - left - right - 1),
          static_cast<double>(model_.bars.size()) * pitch()};
}

QRectF StackedBars::row(int index) const {
  return {0, plot().top() + index * pitch(), static_cast<double>(width()), static_cast<double>(pitch())};
}

std::vector<double> StackedBars::ticks(double end) const {
  const int most = std::max(2, static_cast<int>(plot().width()) / labelRoom);
  return ticksWithin({0, end / model_.unitSize, false}, most);
}

double StackedBars::axisEnd() const {
  double most = 0;
  for (const StackedBar& bar : model_.bars) most = std::max(most, sumOf(bar));
  if (!(most > 0)) return model_.unitSize;
  const std::vector<double> within = ticks(most);
  if (within.size() < 2) return most;
  const double step = (within[1] - within[0]) * model_.unitSize;
  return std::ceil(most / step - 1e-9) * step;
}

void StackedBars::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintTitle(painter);
  for (int i = 0; i < static_cast<int>(model_.bars.size()); ++i) paintBar(painter, i);
  paintAxis(painter);
}

void StackedBars::paintTitle(QPainter& painter) const {
  const QFont font = textFont(TextSize::section);
  const QFontMetricsF metrics(font);
  painter.setFont(font);
  painter.setPen(tokens().text);
  const QString title = metrics.elidedText(model_.title, Qt::ElideRight, width());
  painter.drawText(QPointF(0, metrics.ascent() + 1), title);
  const double left = metrics.horizontalAdvance(title) + gapText;
  const QFont second = textFont(TextSize::secondary);
  const QFontMetricsF secondMetrics(second);
  const QString treatment = secondMetrics.elidedText(model_.treatment, Qt::ElideRight, width() - left);
  painter.setFont(second);
  painter.setPen(tokens().secondText);
  painter.drawText(QPointF(width() - secondMetrics.horizontalAdvance(treatment), metrics.ascent() + 1), treatment);
}

void StackedBars::paintBar(QPainter& painter, int index) const {
  const StackedBar& bar = model_.bars[static_cast<std::size_t>(index)];
  const QRectF place = row(index);
  const QRectF inner = plot();
  if (index == hovered_ && bar.rank >= 0) painter.fillRect(place, tokens().shade);
  painter.setFont(textFont(TextSize::secondary));
  painter.setPen(tokens().secondText);
  painter.drawText(QRectF(0, place.top(), inner.left() - gapText, place.height()), Qt::AlignVCenter, bar.name);
  painter.setFont(textFont(TextSize::body));
  painter.setPen(tokens().text);
  painter.drawText(place.adjusted(0, 0, -1, 0), Qt::AlignVCenter | Qt::AlignRight, bar.total);

  const double scale = inner.width() / axisEnd();
  const double top = std::round(place.center().y() - barHeight / 2.0);
  double reached = 0;
  for (std::size_t i = 0; i < bar.parts.size(); ++i) {
    // Snapped to whole pixels, a pixel between two parts.
    const double from = std::round(inner.left() + reached * scale);
    reached += bar.parts[i];
    const double to = std::round(inner.left() + reached * scale);
    if (to - from >= 1)
      painter.fillRect(QRectF(from, top, std::max(1.0, to - from - 1), barHeight), model_.colours[i]());
  }
  if (!hasFocus() || index != current_) return;
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(QPen(tokens().accent, 2));
  painter.setBrush(Qt::NoBrush);
  painter.drawRoundedRect(place.adjusted(1, 1, -1, -1), 4, 4);
  painter.setRenderHint(QPainter::Antialiasing, false);
}

void StackedBars::paintAxis(QPainter& painter) const {
  const QRectF inner = plot();
  const QFontMetricsF metrics(textFont(TextSize::caption));
  const AxisScale scale{0, axisEnd() / model_.unitSize, false};
  const std::vector<double> labelled = ticks(axisEnd());
  const int decimals = tickDecimals(labelled);
  const double y = std::floor(inner.bottom()) + 2.5;
  painter.setFont(textFont(TextSize::caption));
  painter.setPen(tokens().chartAxis);
  painter.drawLine(QPointF(inner.left(), y), QPointF(inner.right(), y));
  for (const double tick : labelled) {
    const double x = std::floor(inner.left() + scale.share(tick) * inner.width()) + 0.5;
    painter.setPen(tokens().chartAxis);
    painter.drawLine(QPointF(x, y), QPointF(x, y + tickLength));
    const QString text = QLocale().toString(tick, 'f', decimals);
    const double half = metrics.horizontalAdvance(text) / 2;
    painter.setPen(tokens().secondText);
    painter.drawText(QPointF(std::max(0.0, x - half), y + tickLength + metrics.ascent() + 1), text);
  }
  painter.drawText(QPointF(width() - metrics.horizontalAdvance(model_.unit) - 1, y + tickLength + metrics.ascent() + 1),
                   model_.unit);
}

int StackedBars::barAt(const QPointF& place) const {
  const double top = plot().top();
  const int index = static_cast<int>(std::floor((place.y() - top) / pitch()));
  return index >= 0 && index < static_cast<int>(model_.bars.size()) ? index : -1;
}

void StackedBars::mousePressEvent(QMouseEvent* event) {
  const int index = barAt(event->position());
  if (index < 0 || event->button() != Qt::LeftButton) return event->ignore();
  current_ = index;
  choose(index);
  update();
}

void StackedBars::choose(int index) {
  if (index < 0 || index >= static_cast<int>(model_.bars.size())) return;
  const int rank = model_.bars[static_cast<std::size_t>(index)].rank;
  if (rank >= 0) Q_EMIT activated(rank);
}

void StackedBars::mouseMoveEvent(QMouseEvent* event) {
  const int index = barAt(event->position());
  if (index == hovered_) return;
  hovered_ = index;
  const bool opens = index >= 0 && model_.bars[static_cast<std::size_t>(index)].rank >= 0;
  setCursor(opens ? Qt::PointingHandCursor : Qt::ArrowCursor);
  update();
}

void StackedBars::leaveEvent(QEvent*) {
  hovered_ = -1;
  update();
}

void StackedBars::keyPressEvent(QKeyEvent* event) {
  const int count = static_cast<int>(model_.bars.size());
  const int step = event->key() == Qt::Key_Down ? 1 : event->key() == Qt::Key_Up ? -1 : 0;
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space) {
    return choose(current_);
  }
  if (step == 0 || count == 0) return QWidget::keyPressEvent(event);
  current_ = std::clamp(current_ + step, 0, count - 1);
  setAccessibleDescription(model_.bars[static_cast<std::size_t>(current_)].text);
  update();
}

void StackedBars::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::FontChange) updateGeometry();
  update();
}

bool StackedBars::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const int index = barAt(help->pos());
  if (index < 0) {
    QToolTip::hideText();
  } else {
    QToolTip::showText(help->globalPos(), model_.bars[static_cast<std::size_t>(index)].text, this);
  }
  return true;
}

}  // namespace slipstream::ui
