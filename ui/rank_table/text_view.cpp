// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/rank_table/text_view.h"

#include <QEvent>
#include <QKeyEvent>
#include <QTextBlock>

#include "ui/theme/theme.h"

namespace slipstream::ui {

TextView::TextView(QWidget* parent) : QPlainTextEdit(parent) {
  setFont(fixedFont());
  setLineWrapMode(NoWrap);
  setUndoRedoEnabled(false);
  setTabChangesFocus(true);
}

void TextView::showText(const QString& shown) {
  const QString old = toPlainText();
  QString text = shown;
  text.replace(QLatin1String("\r\n"), QLatin1String("\n"));
  if (text == old) return;
  const auto shorter = std::min(old.size(), text.size());
  qsizetype front = 0, back = 0;
  while (front < shorter && old[front] == text[front]) ++front;
  while (back < shorter - front && old[old.size() - 1 - back] == text[text.size() - 1 - back]) ++back;
  QTextCursor cursor(document());
  cursor.setPosition(static_cast<int>(front));
  cursor.setPosition(static_cast<int>(old.size() - back), QTextCursor::KeepAnchor);
  const QSignalBlocker quiet(this);
  cursor.insertText(text.mid(front, text.size() - front - back));
}

void TextView::setMarks(const std::map<int, Verdict>& lines) {
  marks_ = lines;
  tint();
}

void TextView::tint() {
  QList<QTextEdit::ExtraSelection> selections;
  for (const auto& [line, severity] : marks_) {
    QTextEdit::ExtraSelection selection;
    selection.cursor = QTextCursor(document()->findBlockByNumber(line));
    selection.format.setBackground(severity == Verdict::reject ? tokens().errorTint : tokens().warningTint);
    selection.format.setProperty(QTextFormat::FullWidthSelection, true);
    selections.append(selection);
  }
  setExtraSelections(selections);
}

void TextView::goToLine(int line) {
  const QTextBlock block = document()->findBlockByNumber(line);
  if (!block.isValid()) return;
  setTextCursor(QTextCursor(block));
  centerCursor();
}

void TextView::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) tint();
}

}  // namespace slipstream::ui
