// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/notice.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QMessageBox>
#include <QPainter>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

constexpr int signSize = 32;

}  // namespace

Notice::Notice(QWidget* parent)
    : QFrame(parent),
      message_(label({}, TextSize::secondary)),
      buttons_(new QHBoxLayout),
      yes_(button({})),
      no_(button({})) {
  QVBoxLayout* layout = column(this);
  layout->setContentsMargins(gapText, gapText, gapText, gapText);
  message_->setWordWrap(true);
  message_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  layout->addWidget(message_);
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

void Notice::report(const QString& message) {
  no_->setText(tr("Close"));
  answer_ = nullptr;
  setText(message, false);
}

void Notice::ask(const QString& message, const QString& yes, const QString& no, std::function<void()> answer) {
  yes_->setText(yes);
  no_->setText(no);
  answer_ = std::move(answer);
  setText(message, true);
  no_->setFocus(Qt::OtherFocusReason);
}

QString Notice::message() const {
  return message_->text();
}

void Notice::setText(const QString& message, bool asks) {
  message_->setText(message);
  yes_->setVisible(asks);
  setVisible(true);
}

void Notice::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paintTint(painter, *this, tokens().warningTint);
}

void showMessage(QWidget* parent, const QIcon& shape, const QString& title, const QString& message) {
  QMessageBox box(QMessageBox::NoIcon, title, message, QMessageBox::Close, parent);
  box.setIconPixmap(shape.pixmap(signSize, signSize));
  box.button(QMessageBox::Close)->setText(QCoreApplication::translate("MessageBox", "Close"));
  box.exec();
}

void showWarning(QWidget* parent, const QString& title, const QString& message) {
  showMessage(parent, icon(Symbol::warning, IconInk::warning), title, message);
}

}  // namespace slipstream::ui
