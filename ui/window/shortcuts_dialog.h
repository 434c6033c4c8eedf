// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

class QLineEdit;
class QTreeWidget;

namespace slipstream::ui {

/// Every key that does something: those of the actions of a window and its pages, and those that charts and tables
/// handle themselves.
class ShortcutsDialog : public QDialog {
  Q_OBJECT

 public:
  /// Reads the actions of `window` as they are now.
  explicit ShortcutsDialog(const QWidget& window, QWidget* parent = nullptr);

 private:
  void addGroup(const QString& title, const QList<std::pair<QString, QString>>& rows);
  void filter(const QString& words);

  QLineEdit* search_;
  QTreeWidget* list_;
};

}  // namespace slipstream::ui
