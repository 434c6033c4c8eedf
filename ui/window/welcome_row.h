// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>

#include "ui/theme/icons.h"

namespace slipstream::ui {

/// One thing to begin with: an icon, what it is, what it needs, and its key. The whole row is the button.
class WelcomeRow : public QAbstractButton {
  Q_OBJECT

 public:
  WelcomeRow(Symbol symbol, const QString& what, const QString& why, const QString& key = {},
             QWidget* parent = nullptr);
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void enterEvent(QEnterEvent* event) override;
  void leaveEvent(QEvent* event) override;

 private:
  Symbol symbol_;
  QString why_, key_;
};

}  // namespace slipstream::ui
