// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/notice.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/parts/parts.h"

namespace slipstream::ui {

Notice::Notice(QWidget* parent)
    : QFrame(parent),
      words_(label({}, TextSize::secondary)),
      buttons_(new QHBoxLayout),
      yes_(button({})),
      no_(button({})) {
  QVBoxLayout* layout = column(this);
  layout->setContentsMargins(gapText, gapText, gapText, gapText);
  words_->setWordWrap(true);
  words_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  layout->addWidget(words_);
  buttons_->addStretch();
  buttons_->addWidget(yes_);
  buttons_->addWidget(no_);
  layout->addLayout(buttons_);
  connect(yes_, &QPushButton::clicked, this, [this] {
    hide();
    if (const auto answer = std::exchange(answer_, nullptr)) answer();
  });
  connect(no_, &QPushButton::clicked, this, &QWidget::hide);
  hide();
}

void Notice::tell(const QString& words) {
  no_->setText(tr("Close"));
  answer_ = nullptr;
  setWords(words, false);
}

void Notice::ask(const QString& words, const QString& yes, const QString& no, std::function<void()> answer) {
  yes_->setText(yes);
  no_->setText(no);
  answer_ = std::move(answer);
  setWords(words, true);
  no_->setFocus(Qt::OtherFocusReason);
}

QString Notice::words() const {
  return words_->text();
}

void Notice::setWords(const QString& words, bool asks) {
  words_->setText(words);
  yes_->setVisible(asks);
  setVisible(true);
}

void Notice::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setBrush(tokens().warningTint);
  painter.drawRoundedRect(rect(), 4, 4);
}

}  // namespace slipstream::ui
