// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/parts.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/theme/state_shape.h"

namespace slipstream::ui {

int widthForFont(int pixels) {
  // What the sentence takes in the font that the widths were chosen with.
  constexpr double chosenWith = 290;
  const double here = QFontMetricsF(textFont(TextSize::body))
                          .horizontalAdvance(QStringLiteral("Optimizer state of 1,000,000 weights, 10.136.101.171"));
  return static_cast<int>(std::ceil(pixels * std::max(1.0, here / chosenWith)));
}

QLabel* label(const QString& text, TextSize size, bool second) {
  auto* made = new QLabel(text);
  made->setFont(textFont(size));
  if (second) made->setProperty("second", true);
  return made;
}

QFrame* hairline() {
  auto* line = new QFrame;
  line->setProperty("line", true);
  line->setFixedHeight(1);
  return line;
}

QPushButton* button(const QString& text) {
  auto* made = new QPushButton(text);
  made->setAutoDefault(false);
  return made;
}

QPushButton* button(Symbol symbol, const QString& text) {
  QPushButton* made = button(text);
  made->setIcon(icon(symbol));
  return made;
}

QPushButton* primaryButton(Symbol symbol, const QString& text) {
  QPushButton* made = button(text);
  made->setIcon(icon(symbol, IconInk::onAccent));
  made->setProperty("primary", true);
  return made;
}

QVBoxLayout* column(QWidget* parent, int gap) {
  auto* layout = parent == nullptr ? new QVBoxLayout : new QVBoxLayout(parent);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(gap);
  return layout;
}

ElidedLabel::ElidedLabel(const QString& text, QWidget* parent) : QLabel(parent), whole_(text) {
  setTextFormat(Qt::PlainText);
  elide();
}

void ElidedLabel::setWhole(const QString& text, const QStringList& shorter) {
  whole_ = text;
  shorter_ = shorter;
  updateGeometry();
  elide();
}

QSize ElidedLabel::minimumSizeHint() const {
  const QString least = shorter_.isEmpty() ? QStringLiteral("M…M") : shorter_.last();
  return {fontMetrics().horizontalAdvance(least) + (shorter_.isEmpty() ? 0 : 2), QLabel::minimumSizeHint().height()};
}

QSize ElidedLabel::sizeHint() const {
  return {fontMetrics().horizontalAdvance(whole_) + 2, QLabel::sizeHint().height()};
}

void ElidedLabel::resizeEvent(QResizeEvent* event) {
  QLabel::resizeEvent(event);
  elide();
}

QString ElidedLabel::fitting() const {
  const auto cut = [this](const QString& text) { return fontMetrics().elidedText(text, Qt::ElideMiddle, width()); };
  if (shorter_.isEmpty() || cut(whole_) == whole_) return cut(whole_);
  for (const QString& text : shorter_) {
    if (cut(text) == text) return text;
  }
  return cut(shorter_.last());
}

void ElidedLabel::elide() {
  const QString shown = fitting();
  if (shown != text()) setText(shown);
  setToolTip(shown == whole_ ? QString() : whole_);
}

StateChip::StateChip(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void StateChip::setState(RunState state) {
  setState(state, stateWord(state));
}

void StateChip::setState(RunState state, const QString& word) {
  state_ = state;
  word_ = word;
  setAccessibleName(word);
  updateGeometry();
  update();
}

QSize StateChip::sizeHint() const {
  return {fontMetrics().horizontalAdvance(word_) + 38, fontMetrics().height() + 4};
}

void StateChip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(state_ == RunState::running ? tokens().informationTint : tokens().shade);
  painter.drawRoundedRect(rect(), 3, 3);
  paintState(painter, QRectF(8, (height() - 12) / 2.0, 12, 12), state_);
  painter.setPen(tokens().text);
  painter.drawText(rect().adjusted(26, 0, -6, 0), Qt::AlignVCenter, word_);
}

Swatch::Swatch(int slot, QWidget* parent) : QWidget(parent), slot_(slot) {
  setFixedSize(14, 14);
}

void Swatch::setSlot(int slot) {
  slot_ = slot;
  update();
}

void Swatch::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintSwatch(painter, QRectF(0, (height() - 4) / 2.0, 14, 4), slot_);
}

void paintSwatch(QPainter& painter, const QRectF& place, int slot) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const RunPen pen = runPen(slot);
  if (pen.dash.isEmpty()) {
    painter.setPen(Qt::NoPen);
    painter.setBrush(pen.colour);
    painter.drawRoundedRect(place, 1.5, 1.5);
  } else {
    QPen dashed(pen.colour, place.height(), Qt::SolidLine, Qt::FlatCap);
    QList<double> pattern = pen.dash;
    for (double& length : pattern) length /= place.height();
    dashed.setDashPattern(pattern);
    painter.setPen(dashed);
    painter.drawLine(QLineF(place.left(), place.center().y(), place.right(), place.center().y()));
  }
  painter.restore();
}

EmptyState::EmptyState(const QString& what, const QString& why, QPushButton* button, QWidget* parent)
    : QWidget(parent), what_(label(what, TextSize::section)), why_(label(why, TextSize::body, true)) {
  QVBoxLayout* layout = column(this);
  layout->addStretch(2);
  what_->setAlignment(Qt::AlignHCenter);
  why_->setAlignment(Qt::AlignHCenter);
  why_->setWordWrap(true);
  layout->addWidget(what_);
  layout->addWidget(why_);
  if (button != nullptr) layout->addWidget(button, 0, Qt::AlignHCenter);
  layout->addStretch(3);
}

void EmptyState::setWords(const QString& what, const QString& why) {
  what_->setText(what);
  why_->setText(why);
}

}  // namespace slipstream::ui
