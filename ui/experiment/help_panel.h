// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QTextBrowser;

namespace slipstream::ui {

/// An algorithm's own page: formula, settings, cost, what was measured.
class HelpPanel : public QWidget {
  Q_OBJECT

 public:
  explicit HelpPanel(QWidget* parent = nullptr);

  void showAlgorithm(const QString& key);

 Q_SIGNALS:
  void closed();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QLabel* title_;
  QTextBrowser* text_;
  QString key_;
};

}  // namespace slipstream::ui
