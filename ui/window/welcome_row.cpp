// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/welcome_row.h"

#include <QPainter>

#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

constexpr int welcomeRowHeight = 56, pictureSize = 24, pictureLeft = 2, textLeft = 40;

}  // namespace

WelcomeRow::WelcomeRow(Symbol symbol, const QString& what, const QString& why, const QString& key, QWidget* parent)
    : QAbstractButton(parent), symbol_(symbol), why_(why), key_(key) {
  setText(what);
  setAccessibleName(what);
  setAccessibleDescription(why);
  setFocusPolicy(Qt::StrongFocus);
  setCursor(Qt::PointingHandCursor);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize WelcomeRow::sizeHint() const {
  return {320, std::max(welcomeRowHeight, 2 * fontMetrics().height() + 20)};
}

void WelcomeRow::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  if (underMouse() || isDown()) painter.fillRect(rect(), tokens().alternate);
  painter.fillRect(0, height() - 1, width(), 1, tokens().hairline);
  const QRect picture(pictureLeft, (height() - pictureSize) / 2, pictureSize, pictureSize);
  ui::icon(symbol_, IconInk::accent).paint(&painter, picture);
  QFont strong = textFont(TextSize::body);
  strong.setWeight(strongWeight());
  const int line = fontMetrics().height();
  const int top = (height() - 2 * line - 2) / 2;
  const int keySpace = key_.isEmpty() ? 0 : fontMetrics().horizontalAdvance(key_) + gapSection;
  const int space = width() - textLeft - keySpace - gapSmall;
  painter.setFont(strong);
  painter.setPen(tokens().text);
  painter.drawText(QRect(textLeft, top, space, line), Qt::AlignVCenter,
                   QFontMetrics(strong).elidedText(text(), Qt::ElideMiddle, space));
  painter.setFont(textFont(TextSize::body));
  painter.setPen(tokens().secondText);
  painter.drawText(QRect(textLeft, top + line + 2, space, line), Qt::AlignVCenter,
                   painter.fontMetrics().elidedText(why_, Qt::ElideMiddle, space));
  painter.setFont(textFont(TextSize::secondary));
  painter.drawText(rect().adjusted(0, 0, -gapSmall, 0), Qt::AlignRight | Qt::AlignVCenter, key_);
  if (hasFocus()) {
    painter.setPen(QPen(tokens().accent, 2));
    painter.drawRoundedRect(rect().adjusted(1, 1, -1, -2), 4, 4);
  }
}

void WelcomeRow::enterEvent(QEnterEvent* event) {
  QAbstractButton::enterEvent(event);
  update();
}
void WelcomeRow::leaveEvent(QEvent* event) {
  QAbstractButton::leaveEvent(event);
  update();
}

}  // namespace slipstream::ui
