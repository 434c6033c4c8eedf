// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/json_editor.h"

#include <QPainter>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextBlock>

#include "ui/parts/parts.h"

namespace slipstream::ui {
namespace {

constexpr int numbersPadding = 8;

class JsonColours : public QSyntaxHighlighter {
 public:
  using QSyntaxHighlighter::QSyntaxHighlighter;

 protected:
  void highlightBlock(const QString& line) override {
    static const QRegularExpression token(
        QStringLiteral("(\"(?:[^\"\\\\]|\\\\.)*\")(\\s*:)?|(-?\\d[\\d.eE+-]*|\\btrue\\b|\\bfalse\\b|\\bnull\\b)"));
    for (auto match = token.globalMatch(line); match.hasNext();) {
      const QRegularExpressionMatch found = match.next();
      const bool key = found.capturedLength(2) > 0;
      const bool text = found.capturedLength(1) > 0;
      const QColor colour = key ? tokens().accent : text ? tokens().good : tokens().lost;
      const int group = text ? 1 : 3;
      setFormat(static_cast<int>(found.capturedStart(group)), static_cast<int>(found.capturedLength(group)), colour);
    }
  }
};

class LineNumbers : public QWidget {
 public:
  explicit LineNumbers(JsonEditor* editor) : QWidget(editor), editor_(editor) {}

 protected:
  void paintEvent(QPaintEvent* event) override { editor_->paintNumbers(event); }

 private:
  JsonEditor* editor_;
};

}  // namespace

JsonEditor::JsonEditor(QWidget* parent) : QPlainTextEdit(parent), numbers_(new LineNumbers(this)) {
  setFont(fixedFont());
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setTabChangesFocus(true);
  setUndoRedoEnabled(false);  // the document's undo is the one
  new JsonColours(document());
  setViewportMargins(numbersWidth(), 0, 0, 0);
  connect(this, &QPlainTextEdit::blockCountChanged, this, [this] { setViewportMargins(numbersWidth(), 0, 0, 0); });
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& part, int scrolled) {
    if (scrolled != 0) {
      numbers_->scroll(0, scrolled);
    } else {
      numbers_->update(0, part.y(), numbers_->width(), part.height());
    }
  });
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &JsonEditor::markLine);
  connect(this, &QPlainTextEdit::textChanged, this, &JsonEditor::noticeTyping);
}

int JsonEditor::numbersWidth() const {
  const int digits = std::max(2, static_cast<int>(QString::number(blockCount()).size()));
  return digits * fontMetrics().horizontalAdvance(QLatin1Char('9')) + 2 * numbersPadding;
}

void JsonEditor::setShown(const QString& text) {
  shown_ = text;
  if (text == toPlainText()) return;
  const int position = textCursor().position();
  setPlainText(text);
  QTextCursor cursor = textCursor();
  cursor.setPosition(std::min(position, static_cast<int>(text.size())));
  setTextCursor(cursor);
}

/// Colours that change are changes of the text to Qt, too.
void JsonEditor::noticeTyping() {
  if (toPlainText() == shown_) return;
  shown_ = toPlainText();
  Q_EMIT typed();
}

void JsonEditor::showPart(int begin, int end) {
  QTextCursor cursor = textCursor();
  cursor.setPosition(begin);
  cursor.setPosition(end, QTextCursor::KeepAnchor);
  setTextCursor(cursor);
  centerCursor();
  setFocus(Qt::OtherFocusReason);
}

void JsonEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  const QRect inside = contentsRect();
  numbers_->setGeometry(inside.left(), inside.top(), numbersWidth(), inside.height());
}

/// Highlighting has its colours written into the text: another theme writes them anew.
void JsonEditor::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  for (auto* colours : document()->findChildren<QSyntaxHighlighter*>()) colours->rehighlight();
  markLine();
}

void JsonEditor::markLine() {
  QTextEdit::ExtraSelection line;
  line.format.setBackground(tokens().informationTint);
  line.format.setProperty(QTextFormat::FullWidthSelection, true);
  line.cursor = textCursor();
  line.cursor.clearSelection();
  setExtraSelections({line});
}

void JsonEditor::paintNumbers(QPaintEvent* event) {
  QPainter painter(numbers_);
  painter.fillRect(event->rect(), tokens().base);
  painter.setPen(tokens().secondText);
  painter.setFont(font());
  QTextBlock block = firstVisibleBlock();
  double top = blockBoundingGeometry(block).translated(contentOffset()).top();
  while (block.isValid() && top <= event->rect().bottom()) {
    const double height = blockBoundingRect(block).height();
    if (block.isVisible() && top + height >= event->rect().top()) {
      painter.drawText(QRectF(0, top, numbers_->width() - numbersPadding, fontMetrics().height()), Qt::AlignRight,
                       QString::number(block.blockNumber() + 1));
    }
    block = block.next();
    top += height;
  }
}

}  // namespace slipstream::ui
