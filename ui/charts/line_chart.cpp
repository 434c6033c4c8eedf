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

/// Whether a picture of one is one of the other, at another place of the axes.
bool areAlike(const ChartModel& one, const ChartModel& other) {
  const bool sameAxes =
      one.x == other.x && one.logarithmicX == other.logarithmicX && one.logarithmic == other.logarithmic;
  return sameAxes && one.title.in() == other.title.in() &&
         std::ranges::equal(one.curves, other.curves, [](const ChartCurve& a, const ChartCurve& b) {
           return a.colourSlot == b.colourSlot && a.label == b.label;
         });
}

}  // namespace

LineChart::LineChart(QWidget* parent) : QWidget(parent) {
  makeChartsAccessible();
  setFocusPolicy(Qt::StrongFocus);
  setProperty(drawsFocusProperty, true);
  setMouseTracking(true);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  for (CurveLayer* layer : {&curves_, &front_}) {
    connect(layer, &CurveLayer::drawn, this, [this] {
      stale_ = true;
      update();
    });
  }
}

/// Other curves are not shown in the place of the model's, until those are drawn.
void LineChart::setModel(ShownChart model) {
  if (!areAlike(model, *model_)) {
    curves_.clear();
    front_.clear();
  }
  model_ = std::make_shared<ShownChart>(std::move(model));
  setAccessibleName(text(model_->title));
  setAccessibleDescription(text(model_->treatment));
  invalidate();
}

void LineChart::setRange(double first, double last) {
  model_->first = first;
  model_->last = last;
  stale_ = true;
  layOut();
  if (!curves_.fits(painter_.frame())) markStale();
  update();
}

void LineChart::pointOut(std::vector<std::size_t> curves) {
  if (curves == pointedOut_) return;
  pointedOut_ = std::move(curves);
  front_.clear();
  stale_ = true;
  update();
}

void LineChart::restyle(const std::function<void(ShownChart&)>& change) {
  change(*model_);
  invalidate();
}

void LineChart::setCursor(std::optional<double> x, std::vector<std::optional<CursorReading>> readings) {
  model_->cursor = x;
  model_->readings = std::move(readings);
  if (model_->snaps) model_->cursor = cursorOnSample(*model_);
  update();
}

void LineChart::setReadingOrder(std::vector<std::size_t> order, std::vector<int> withoutCurve) {
  model_->withoutCurve = std::move(withoutCurve);
  model_->readingOrder = std::move(order);
  update();
}

bool LineChart::isDrawn() const {
  const bool showsFront = laidOut_ && painter_.hasMany() && !pointedOut_.empty();
  return curves_.isCurrent() && (!showsFront || front_.isCurrent());
}

int LineChart::columns() const {
  return columns_;
}

void LineChart::render(QPainter& painter, const QSizeF& size) const {
  const ShownChart alone = aloneOf(*model_);
  ChartPainter own;
  own.layOut(alone, size);
  own.paint(painter);
  own.paintCursor(painter);
}

void LineChart::markStale() {
  curves_.markStale();
  front_.markStale();
  stale_ = true;
}

void LineChart::invalidate() {
  markStale();
  layOut();
  update();
}

/// Places change at once, so that the mouse means what the next drawing will show.
void LineChart::layOut() {
  if (size().isEmpty()) return;
  painter_.layOut(*model_, size());
  laidOutFor_ = size();
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
  if (curves_.isStale()) redrawCurves();
  constexpr double palerShare = 0.45;
  if (!pointedOut_.empty()) painter.setOpacity(palerShare);
  curves_.paint(painter, painter_.frame());
  painter.setOpacity(1);
  if (!pointedOut_.empty()) redrawFront(painter);
  painter_.paintBefore(painter);
  stale_ = false;
}

/// Few are drawn at once, by Qt Charts.
void LineChart::redrawCurves() {
  if (painter_.hasMany()) return curves_.draw(model_, painter_.frame(), size(), devicePixelRatioF());
  QPixmap picture(size() * devicePixelRatioF());
  picture.setDevicePixelRatio(devicePixelRatioF());
  picture.fill(Qt::transparent);
  QPainter painter(&picture);
  painter_.paintCurves(painter);
  painter.end();
  curves_.take(std::move(picture), painter_.frame());
}

void LineChart::redrawFront(QPainter& painter) {
  if (!painter_.hasMany()) return painter_.paintPointedOut(painter, *pointedOutCurves());
  if (front_.isStale()) front_.draw(pointedOutCurves(), painter_.frame(), size(), devicePixelRatioF(), pointedOutWidth);
  front_.paint(painter, painter_.frame());
}

std::shared_ptr<const ChartModel> LineChart::pointedOutCurves() const {
  auto chart = std::make_shared<ChartModel>();
  for (const std::size_t curve : pointedOut_) {
    if (curve < model_->curves.size()) chart->curves.push_back(model_->curves[curve]);
  }
  return chart;
}

void LineChart::paintEvent(QPaintEvent*) {
  if (!laidOut_) layOut();
  if (!laidOut_) return;
  if (drawn_.size() != size() * devicePixelRatioF()) markStale();
  if (stale_) redraw();
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
  if (size() != laidOutFor_) invalidate();
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
      return zoom(wheelFactor, model_->cursor ? pixelOf(*model_->cursor) : plot().center().x());
    case Qt::Key_Minus:
      return zoom(1 / wheelFactor, model_->cursor ? pixelOf(*model_->cursor) : plot().center().x());
    default:
      QWidget::keyPressEvent(event);
  }
}

}  // namespace slipstream::ui
