// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_handles.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMouseEvent>
#include <QToolButton>

#include "ui/charts/metric_chart.h"
#include "ui/theme/icons.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int buttonSize = 22, iconSize = 14;
constexpr int markSize = 12, markRoom = 16;
constexpr int edge = 6;
constexpr int leastPull = 6;  ///< pixels: less is a click

QToolButton* titleButton(Symbol symbol, const QString& name, QWidget* parent) {
  QToolButton* made = iconButton(symbol, name);
  made->setParent(parent);
  made->setIcon(icon(symbol, IconInk::faint));
  made->setIconSize({iconSize, iconSize});
  made->setFixedSize(buttonSize, buttonSize);
  made->setCursor(Qt::ArrowCursor);
  return made;
}

}  // namespace

ChartHandles::ChartHandles(MetricChart* chart)
    : QObject(chart),
      chart_(chart),
      mark_(new QLabel(chart)),
      settings_(titleButton(Symbol::settings, tr("Axes and data of %1").arg(chart->display().title), chart)),
      enlarge_(titleButton(Symbol::enlarge, tr("Enlarge %1").arg(chart->display().title), chart)) {
  mark_->setAttribute(Qt::WA_TransparentForMouseEvents);
  mark_->setFixedSize(markSize, markSize);
  chart->installEventFilter(this);
  connect(settings_, &QToolButton::clicked, this, &ChartHandles::settingsWanted);
  connect(enlarge_, &QToolButton::clicked, this, &ChartHandles::enlargeWanted);
  setMovable(true);
}

void ChartHandles::setMovable(bool movable) {
  movable_ = movable;
  mark_->setVisible(movable);
  mark_->setPixmap(icon(Symbol::drag, IconInk::second).pixmap(QSize(markSize, markSize), chart_->devicePixelRatioF()));
  chart_->setTitleRoom(movable ? markRoom : 0, 2 * buttonSize + gapText + gapSmall);
  place();
}

void ChartHandles::setEnlarged(bool enlarged) {
  enlarged_ = enlarged;
  const QString title = chart_->display().title;
  enlarge_->setToolTip(enlarged ? tr("Back to all charts") : tr("Enlarge %1").arg(title));
  enlarge_->setAccessibleName(enlarge_->toolTip());
}

/// All in the middle of the title's line.
void ChartHandles::place() {
  const int middle = static_cast<int>(QFontMetricsF(textFont(TextSize::section)).height() / 2) + 1;
  const int top = middle - buttonSize / 2;  // a little above the chart, where buttons have their margins
  const int right = chart_->width() - pageMargin + (buttonSize - iconSize) / 2;  // the icon ends where the plot does
  enlarge_->move(right - buttonSize, top);
  settings_->move(right - 2 * buttonSize, top);
  mark_->move(0, middle - markSize / 2);
}

ChartHandles::Grip ChartHandles::gripAt(const QPoint& place) const {
  if (!movable_ || enlarged_) return Grip::none;
  const bool right = place.x() >= chart_->width() - edge, bottom = place.y() >= chart_->height() - edge;
  if (right && bottom) return Grip::corner;
  if (right) return Grip::right;
  if (bottom) return Grip::bottom;
  return place.y() < buttonSize && place.x() < settings_->x() ? Grip::title : Grip::none;
}

void ChartHandles::showCursor(Grip grip) {
  switch (grip) {
    case Grip::none:
      return chart_->unsetCursor();
    case Grip::title:
      return chart_->setCursor(held_ == Grip::title && moved_ ? Qt::ClosedHandCursor : Qt::OpenHandCursor);
    case Grip::right:
      return chart_->setCursor(Qt::SizeHorCursor);
    case Grip::bottom:
      return chart_->setCursor(Qt::SizeVerCursor);
    case Grip::corner:
      return chart_->setCursor(Qt::SizeFDiagCursor);
  }
}

bool ChartHandles::press(const QPoint& place) {
  held_ = gripAt(place);
  pressedAt_ = place;
  moved_ = false;
  return held_ != Grip::none;
}

bool ChartHandles::move(const QPoint& place) {
  if (held_ == Grip::none) {
    showCursor(gripAt(place));
    return false;
  }
  moved_ = moved_ || (place - pressedAt_).manhattanLength() >= leastPull;
  if (!moved_) return true;
  showCursor(held_);
  if (held_ == Grip::title) {
    Q_EMIT dragged(place);
  } else {
    Q_EMIT resizeWanted(
        {held_ == Grip::bottom ? chart_->width() : place.x(), held_ == Grip::right ? chart_->height() : place.y()},
        false);
  }
  return true;
}

bool ChartHandles::release(const QPoint& place) {
  const Grip held = std::exchange(held_, Grip::none);
  if (held == Grip::none) return false;
  showCursor(Grip::none);
  if (!moved_) return true;
  if (held == Grip::title) {
    Q_EMIT dropped(place);
  } else {
    Q_EMIT resizeWanted(
        {held == Grip::bottom ? chart_->width() : place.x(), held == Grip::right ? chart_->height() : place.y()}, true);
  }
  return true;
}

void ChartHandles::cancel() {
  held_ = Grip::none;
  showCursor(Grip::none);
  Q_EMIT dragCancelled();
}

bool ChartHandles::eventFilter(QObject* watched, QEvent* event) {
  switch (event->type()) {
    case QEvent::Resize:
      place();
      return false;
    case QEvent::PaletteChange:
      setMovable(movable_);
      return false;
    case QEvent::MouseButtonPress: {
      const auto* mouse = static_cast<QMouseEvent*>(event);
      return mouse->button() == Qt::LeftButton && press(mouse->pos());
    }
    case QEvent::MouseMove:
      return move(static_cast<QMouseEvent*>(event)->pos());
    case QEvent::MouseButtonRelease:
      return release(static_cast<QMouseEvent*>(event)->pos());
    case QEvent::KeyPress:
      if (static_cast<QKeyEvent*>(event)->key() != Qt::Key_Escape || held_ == Grip::none) return false;
      cancel();
      return true;
    default:
      return QObject::eventFilter(watched, event);
  }
}

}  // namespace slipstream::ui
