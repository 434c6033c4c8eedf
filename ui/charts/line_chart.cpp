// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/line_chart.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/charts/chart_accessible.h"
#include "ui/charts/chart_legend.h"
#include "ui/theme/theme.h"
#include "ui/widgets/focus_ring.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr double leastDrag = 4;  ///< pixels: less is a click
constexpr double wheelFactor = 1.25;
constexpr int wheelNotch = 120;
constexpr double panShare = 0.1;  ///< of the plot, by a notch
constexpr double focusGap = 3;
constexpr int farSteps = 1 << 30;
constexpr double leastRange = 1e-12;  ///< of the numbers at its ends
constexpr double mostRescale = 4;     ///< what is drawn already, any wider or narrower, would say nothing

/// Where the plot of `from` comes to lie in `to`, which has the same kinds of axes.
QRectF placeOf(const ChartLayout& from, const ChartLayout& to) {
  return QRectF(QPointF(to.toX(from.x.low), to.toY(from.y.high)), QPointF(to.toX(from.x.high), to.toY(from.y.low)));
}

}  // namespace

LineChart::LineChart(QWidget* parent) : QWidget(parent) {
  makeChartsAccessible();
  setFocusPolicy(Qt::StrongFocus);
  setProperty(drawsFocusProperty, true);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LineChart::setModel(ShownChart model) {
  model_ = std::move(model);
  setAccessibleName(text(model_.title));
  setAccessibleDescription(text(model_.treatment));
  invalidate();
}

void LineChart::setRange(double first, double last) {
  model_.first = first;
  model_.last = last;
  stale_ = true;
  layOut();
  if (!canRescale()) curvesStale_ = true;
  update();
}

void LineChart::pointOut(std::vector<std::size_t> curves) {
  if (curves == pointedOut_) return;
  pointedOut_ = std::move(curves);
  stale_ = true;
  update();
}

void LineChart::setCursor(std::optional<double> x, std::vector<std::optional<CursorReading>> readings) {
  model_.cursor = x;
  model_.readings = std::move(readings);
  model_.cursor = cursorOnSample(model_);
  update();
}

int LineChart::columns() const {
  return columns_;
}

void LineChart::render(QPainter& painter, const QSizeF& size) const {
  const ShownChart alone = aloneOf(model_);
  ChartPainter own;
  own.layOut(alone, size);
  own.paint(painter);
  own.paintCursor(painter);
}

void LineChart::invalidate() {
  stale_ = curvesStale_ = true;
  layOut();
  update();
}

/// Places change at once, so that the mouse means what the next drawing will show.
void LineChart::layOut() {
  if (size().isEmpty()) return;
  painter_.layOut(model_, size());
  laidOut_ = true;
  const int columns = static_cast<int>(std::ceil(plot().width() * devicePixelRatioF()));
  if (columns == columns_) return;
  columns_ = columns;
  Q_EMIT columnsChanged();
}

void LineChart::redraw() {
  drawn_ = QPixmap(size() * devicePixelRatioF());
  drawn_.setDevicePixelRatio(devicePixelRatioF());
  drawn_.fill(tokens().*surface_);
  QPainter painter(&drawn_);
  painter_.paintBehind(painter);
  if (curvesStale_ || curves_.size() != drawn_.size()) redrawCurves();
  constexpr double palerShare = 0.45;
  if (!pointedOut_.empty()) painter.setOpacity(palerShare);
  paintRescaled(painter);
  painter.setOpacity(1);
  if (!pointedOut_.empty()) painter_.paintPointedOut(painter, pointedOut_);
  painter_.paintBefore(painter);
  stale_ = false;
}

void LineChart::redrawCurves() {
  curves_ = QPixmap(size() * devicePixelRatioF());
  curves_.setDevicePixelRatio(devicePixelRatioF());
  curves_.fill(Qt::transparent);
  QPainter painter(&curves_);
  painter_.paintCurves(painter);
  curvesFrame_ = painter_.frame();
  curvesStale_ = false;
}

bool LineChart::canRescale() const {
  const ChartLayout& frame = painter_.frame();
  if (curvesFrame_.x.logarithmic != frame.x.logarithmic || curvesFrame_.y.logarithmic != frame.y.logarithmic) {
    return false;
  }
  const QRectF place = placeOf(curvesFrame_, frame);
  const auto rescales = [](double drawn, double wanted) {
    return wanted < mostRescale * drawn && drawn < mostRescale * wanted;
  };
  return rescales(place.width(), frame.plot.width()) && rescales(place.height(), frame.plot.height());
}

void LineChart::paintRescaled(QPainter& painter) const {
  const ChartLayout& frame = painter_.frame();
  if (frame.x == curvesFrame_.x && frame.y == curvesFrame_.y && rectOf(frame.plot) == rectOf(curvesFrame_.plot)) {
    return painter.drawPixmap(0, 0, curves_);
  }
  const QRectF source = rectOf(curvesFrame_.plot);
  const double ratio = curves_.devicePixelRatio();
  painter.save();
  painter.setClipRect(curvesRect(frame));
  painter.setRenderHint(QPainter::SmoothPixmapTransform);
  painter.drawPixmap(placeOf(curvesFrame_, frame), curves_, QRectF(source.topLeft() * ratio, source.size() * ratio));
  painter.restore();
}

void LineChart::paintEvent(QPaintEvent*) {
  if (!laidOut_) layOut();
  if (!laidOut_) return;
  if (stale_ || drawn_.size() != size() * devicePixelRatioF()) redraw();
  QPainter painter(this);
  painter.drawPixmap(0, 0, drawn_);
  if (pressedAt_ && draggedTo_ && !panning_) {
    QColor colour = tokens().accent;
    colour.setAlphaF(0.15F);
    painter.fillRect(QRectF(QPointF(*pressedAt_, plot().top()), QPointF(*draggedTo_, plot().bottom())).normalized(),
                     colour);
  }
  painter_.paintCursor(painter);
  if (!hasFocus()) return;
  painter.setPen(QPen(tokens().accent, 2));
  painter.setBrush(Qt::NoBrush);
  // Around the plot, where there is no text.
  painter.drawRoundedRect(plot().adjusted(-focusGap, -focusGap, focusGap, focusGap), 4, 4);
}

void LineChart::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  invalidate();
}

void LineChart::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const bool restyled = event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange ||
                        event->type() == QEvent::StyleChange;
  if (restyled) invalidate();
}

/// Ranges that numbers cannot tell apart any more are left out.
void LineChart::want(double first, double last) {
  const bool finite = std::isfinite(first) && std::isfinite(last);
  if (finite && last - first > leastRange * std::max({1.0, std::abs(first), std::abs(last)})) {
    Q_EMIT rangeWanted(first, last);
  }
}

void LineChart::zoom(double factor, double aboutPixel) {
  const double left = plot().left();
  const double right = plot().right();
  want(xAt(aboutPixel - (aboutPixel - left) / factor), xAt(aboutPixel + (right - aboutPixel) / factor));
}

void LineChart::pan(double pixels) {
  want(xAt(plot().left() + pixels), xAt(plot().right() + pixels));
}

void LineChart::mousePressEvent(QMouseEvent* event) {
  if (!plot().contains(event->position())) return event->ignore();
  panning_ = event->button() == Qt::MiddleButton || event->modifiers().testFlag(Qt::ShiftModifier);
  if (event->button() == Qt::LeftButton || panning_) pressedAt_ = event->position().x();
}

void LineChart::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (pressedAt_ && panning_) {
    const double moved = *pressedAt_ - x;
    pressedAt_ = x;
    pan(moved);
    return;
  }
  if (pressedAt_ && std::abs(x - *pressedAt_) >= leastDrag) {
    draggedTo_ = std::clamp(x, plot().left(), plot().right());
    update();
  }
  if (plot().contains(event->position())) {
    Q_EMIT cursorMoved(xAt(x));
  } else if (!pressedAt_) {
    Q_EMIT cursorMoved(std::nullopt);
  }
}

void LineChart::mouseReleaseEvent(QMouseEvent*) {
  const std::optional<double> from = pressedAt_;
  const std::optional<double> to = draggedTo_;
  pressedAt_.reset();
  draggedTo_.reset();
  update();
  if (from && to && !panning_) want(xAt(std::min(*from, *to)), xAt(std::max(*from, *to)));
}

void LineChart::mouseDoubleClickEvent(QMouseEvent*) {
  Q_EMIT wholeRangeWanted();
}

void LineChart::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  Q_EMIT cursorMoved(std::nullopt);
}

/// Over the plot the wheel zooms, and pans with Shift or sideways; beside it, it scrolls the page.
void LineChart::wheelEvent(QWheelEvent* event) {
  if (!plot().contains(event->position())) return event->ignore();
  const QPoint turned = event->angleDelta();
  const double notches = static_cast<double>(turned.y()) / wheelNotch;
  if (turned.x() != 0) {
    pan(-plot().width() * panShare * turned.x() / wheelNotch);
  } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
    pan(-plot().width() * panShare * notches);
  } else {
    zoom(std::pow(wheelFactor, notches), event->position().x());
  }
  event->accept();
}

void LineChart::keyPressEvent(QKeyEvent* event) {
  if (event->modifiers().testFlag(Qt::ControlModifier)) return QWidget::keyPressEvent(event);
  switch (event->key()) {
    case Qt::Key_Left:
      return Q_EMIT cursorStepped(-1);
    case Qt::Key_Right:
      return Q_EMIT cursorStepped(1);
    case Qt::Key_Home:
      return Q_EMIT cursorStepped(-farSteps);
    case Qt::Key_End:
      return Q_EMIT cursorStepped(farSteps);
    case Qt::Key_Plus:
    case Qt::Key_Equal:
      return zoom(wheelFactor, model_.cursor ? pixelOf(*model_.cursor) : plot().center().x());
    case Qt::Key_Minus:
      return zoom(1 / wheelFactor, model_.cursor ? pixelOf(*model_.cursor) : plot().center().x());
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace slipstream::ui
