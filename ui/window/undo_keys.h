// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace slipstream::ui {

/// Brings the keys of undo and redo to the window wherever the caret is. Qt's fields and editors claim them for
/// themselves even when they have nothing to undo, so that Ctrl+Z would do nothing while one of them has the focus.
class UndoKeys : public QObject {
  Q_OBJECT

 public:
  /// Watches the fields and editors of `window`, and lives as long as it does.
  explicit UndoKeys(QWidget* window);

  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* window_;
};

}  // namespace slipstream::ui
