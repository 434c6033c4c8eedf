// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPlainTextEdit>

namespace slipstream::ui {

/// A text of JSON: line numbers, colours of keys, texts and numbers, and the line at hand.
class JsonEditor : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit JsonEditor(QWidget* parent = nullptr);

  /// Shows a text that did not come from typing; the cursor stays where it can.
  void setShown(const QString& text);
  /// Selects a part and brings it into view.
  void showPart(int begin, int end);

  void paintNumbers(QPaintEvent* event);
  int numbersWidth() const;

 Q_SIGNALS:
  void typed();

 protected:
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void markLine();
  void noticeTyping();

  QWidget* numbers_;
  QString shown_;
};

}  // namespace slipstream::ui
