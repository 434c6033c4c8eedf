// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/focus_ring.h"

#include <QAbstractButton>
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QComboBox>
#include <QEvent>
#include <QLineEdit>
#include <QPainter>
#include <QPlainTextEdit>
#include <QScrollArea>
#include <QTabBar>
#include <QTextEdit>

#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

constexpr int ringWidth = 2, ringGap = 1;

bool isDrawnByTheStyle(const QWidget* widget) {
  const bool framedList =
      qobject_cast<const QAbstractItemView*>(widget) != nullptr && widget->property("framed").toBool();
  return framedList || qobject_cast<const QAbstractButton*>(widget) != nullptr ||
         qobject_cast<const QLineEdit*>(widget) != nullptr || qobject_cast<const QComboBox*>(widget) != nullptr ||
         qobject_cast<const QAbstractSpinBox*>(widget) != nullptr ||
         qobject_cast<const QPlainTextEdit*>(widget) != nullptr || qobject_cast<const QTextEdit*>(widget) != nullptr;
}

/// What has the focus within the widget, in its own coordinates.
QRect partOf(const QWidget* widget) {
  const auto* tabs = qobject_cast<const QTabBar*>(widget);
  return tabs != nullptr ? tabs->tabRect(tabs->currentIndex()) : widget->rect();
}

}  // namespace

FocusRing::FocusRing(QWidget* window) : QWidget(window) {
  setAttribute(Qt::WA_TransparentForMouseEvents);
  setFocusPolicy(Qt::NoFocus);
  hide();
  qApp->installEventFilter(this);
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, QWidget* now) { follow(now); });
}

void FocusRing::follow(QWidget* widget) {
  for (QWidget* part = around_; part != nullptr && part != parentWidget(); part = part->parentWidget()) {
    part->removeEventFilter(this);
  }
  const bool mine = widget != nullptr && widget->window() == parentWidget() && widget != parentWidget();
  const bool drawn = mine && (isDrawnByTheStyle(widget) || widget->property(drawsFocusProperty).toBool());
  around_ = mine && !drawn ? widget : nullptr;
  for (QWidget* part = around_; part != nullptr && part != parentWidget(); part = part->parentWidget()) {
    part->installEventFilter(this);
  }
  place();
}

/// Only as much of the widget as is in sight: pages scroll.
void FocusRing::place() {
  if (around_ == nullptr || !around_->isVisible()) return hide();
  const QRect seen = partOf(around_) & around_->visibleRegion().boundingRect();
  if (seen.isEmpty()) return hide();
  const QRect inWindow(around_->mapTo(parentWidget(), seen.topLeft()), seen.size());
  // Lists fill their place to its edges: around them is something else.
  const bool inside = qobject_cast<QAbstractScrollArea*>(around_) != nullptr;
  if (inside && !byKeys_) return hide();
  const int more = inside ? 0 : ringWidth + ringGap;
  setGeometry(inWindow.adjusted(-more, -more, more, more) & parentWidget()->rect());
  raise();
  show();
  update();
}

/// Around a whole list a ring is loud: it is for those who go through the window by keys.
void FocusRing::noteInput(QEvent* event) {
  const bool isKey = event->type() == QEvent::KeyPress;
  if (!isKey && event->type() != QEvent::MouseButtonPress) return;
  if (byKeys_ == isKey) return;
  byKeys_ = isKey;
  place();
}

bool FocusRing::eventFilter(QObject*, QEvent* event) {
  noteInput(event);
  switch (event->type()) {
    case QEvent::Move:
    case QEvent::Resize:
    case QEvent::Show:
    case QEvent::Hide:
    case QEvent::LayoutRequest:
      place();
      break;
    case QEvent::KeyRelease:  // another tab of the row
      if (qobject_cast<QTabBar*>(around_) != nullptr) place();
      break;
    default:
      break;
  }
  return false;
}

void FocusRing::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  // A page that scrolls is all that is in sight: a ring of full width around it would be the loudest thing there.
  const bool isPage = qobject_cast<QScrollArea*>(around_) != nullptr;
  const double width = isPage ? 1 : ringWidth;
  painter.setPen(QPen(tokens().accent, width));
  painter.setBrush(Qt::NoBrush);
  const double half = width / 2.0;
  painter.drawRoundedRect(QRectF(rect()).adjusted(half, half, -half, -half), 4, 4);
}

}  // namespace slipstream::ui
