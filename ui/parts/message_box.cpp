// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/parts/message_box.h"

#include <QCoreApplication>
#include <QMessageBox>
#include <QPushButton>

#include "ui/theme/icons.h"

namespace slipstream::ui {
namespace {

constexpr int signSize = 32;

}  // namespace

void showMessage(QWidget* parent, const QIcon& shape, const QString& title, const QString& words) {
  QMessageBox box(QMessageBox::NoIcon, title, words, QMessageBox::Close, parent);
  box.setIconPixmap(shape.pixmap(signSize, signSize));
  box.button(QMessageBox::Close)->setText(QCoreApplication::translate("MessageBox", "Close"));
  box.exec();
}

void showWarning(QWidget* parent, const QString& title, const QString& words) {
  showMessage(parent, icon(Symbol::warning, IconInk::warning), title, words);
}

}  // namespace slipstream::ui
