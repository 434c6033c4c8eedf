// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextEdit>
#include <vector>

namespace slipstream::ui {

/// A part of the text that something is wrong with.
struct TextMark {
  int begin = 0, end = 0;  ///< characters
  bool isError = true;     ///< else a warning
  QString message = {};
};

/// A text of JSON: line numbers, colours of keys, texts and numbers, the line at hand, and marks at what is wrong. The
/// rest of a line that is wrapped is indented below its beginning.
class JsonEditor : public QTextEdit {
  Q_OBJECT

 public:
  explicit JsonEditor(QWidget* parent = nullptr);

  /// Shows a text that did not come from typing; the cursor stays where it can.
  void setShown(const QString& text);
  /// Tints their lines, underlines their parts and marks their numbers; a tool tip tells what is wrong.
  void setMarks(std::vector<TextMark> marks);
  /// Selects a part and brings it into view.
  void showPart(int begin, int end);

  void paintNumbers(QPaintEvent* event);
  int numbersWidth() const;

 Q_SIGNALS:
  void typed();

 protected:
  void focusInEvent(QFocusEvent* event) override;
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void setMargins();
  void markLine();
  void noticeTyping();
  const TextMark* markIn(const QTextBlock& block) const;
  void tintMarked(QWidget& part);
  void appendMark(QList<QTextEdit::ExtraSelection>& selections, const TextMark& mark) const;

  QWidget* numbers_;
  QString shown_;
  std::vector<TextMark> marks_;
  bool setsMargins_ = false;
};

}  // namespace slipstream::ui
