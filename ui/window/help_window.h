// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QListWidget;
class QTextBrowser;

namespace slipstream::ui {

/// The pages of the algorithms: their names in a list, and what each does, costs and is controlled by.
class HelpWindow : public QDialog {
  Q_OBJECT

 public:
  explicit HelpWindow(QWidget* parent = nullptr);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void showPage();

  QListWidget* pages_;
  QTextBrowser* text_;
};

}  // namespace slipstream::ui
