// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/json_editor.h"

#include <QAbstractTextDocumentLayout>
#include <QHelpEvent>
#include <QPainter>
#include <QRegularExpression>
#include <QScrollBar>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <QTextLayout>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/widgets/text_lines.h"
#include "ui/widgets/widgets.h"

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

constexpr int markSize = 10;

void paintMark(QPainter& painter, double top, const TextMark& mark) {
  const QRect place(1, static_cast<int>(top) + 2, markSize, markSize);
  icon(mark.isError ? Symbol::error : Symbol::warning, mark.isError ? IconInk::error : IconInk::warning)
      .paint(&painter, place);
}

class LineNumbers : public QWidget {
 public:
  explicit LineNumbers(JsonEditor* editor) : QWidget(editor), editor_(editor) {}

 protected:
  void paintEvent(QPaintEvent* event) override { editor_->paintNumbers(event); }

 private:
  JsonEditor* editor_;
};

}  // namespace

JsonEditor::JsonEditor(QWidget* parent) : QTextEdit(parent), numbers_(new LineNumbers(this)) {
  setFont(fixedFont());
  setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);  // nobody scrolls sideways to read a file
  setTabChangesFocus(true);
  setUndoRedoEnabled(false);  // the document's undo is the one
  new JsonColours(document());
  setMargins();
  setAcceptRichText(false);
  connect(document(), &QTextDocument::blockCountChanged, this, &JsonEditor::setMargins);
  const auto drawNumbers = qOverload<>(&QWidget::update);
  connect(verticalScrollBar(), &QScrollBar::valueChanged, numbers_, drawNumbers);
  connect(document()->documentLayout(), &QAbstractTextDocumentLayout::documentSizeChanged, numbers_, drawNumbers);
  connect(this, &QTextEdit::textChanged, numbers_, drawNumbers);
  connect(this, &QTextEdit::cursorPositionChanged, this, &JsonEditor::markLine);
  connect(this, &QTextEdit::textChanged, this, &JsonEditor::noticeTyping);
}

int JsonEditor::numbersWidth() const {
  const int digits = std::max(2, static_cast<int>(QString::number(document()->blockCount()).size()));
  return digits * fontMetrics().horizontalAdvance(QLatin1Char('9')) + numbersPadding + markSize + 4;
}

/// The last line that is seen is whole, and so is its number.
void JsonEditor::setMargins() {
  if (std::exchange(setsMargins_, true)) return;
  setViewportMargins(numbersWidth(), 0, 0, heightBelowWholeLines(*this, qCeil(document()->documentMargin()) + 1));
  verticalScrollBar()->setSingleStep(lineHeightOf(*this));
  numbers_->setGeometry(contentsRect().left(), contentsRect().top(), numbersWidth(), viewport()->height());
  setsMargins_ = false;
}

void JsonEditor::setShown(const QString& text) {
  shown_ = text;
  if (text == toPlainText()) return;
  const int position = textCursor().position();
  setPlainText(text);
  indentWrappedLines(*this);
  setMargins();
  QTextCursor cursor = textCursor();
  cursor.setPosition(std::min(position, static_cast<int>(text.size())));
  setTextCursor(cursor);
}

/// Colours and indents that change are changes of the text to Qt, too.
void JsonEditor::noticeTyping() {
  if (toPlainText() == shown_) return;
  shown_ = toPlainText();
  indentWrappedLines(*this);
  Q_EMIT typed();
}

void JsonEditor::showPart(int begin, int end) {
  QTextCursor cursor = textCursor();
  cursor.setPosition(begin);
  cursor.setPosition(end, QTextCursor::KeepAnchor);
  setTextCursor(cursor);
  verticalScrollBar()->setValue(verticalScrollBar()->value() + cursorRect().center().y() - viewport()->height() / 2);
  setFocus(Qt::OtherFocusReason);
}

void JsonEditor::resizeEvent(QResizeEvent* event) {
  QTextEdit::resizeEvent(event);
  setMargins();
}

/// Highlighting has its colours written into the text: another theme writes them anew.
void JsonEditor::changeEvent(QEvent* event) {
  QTextEdit::changeEvent(event);
  if (event->type() != QEvent::PaletteChange) return;
  for (auto* colours : document()->findChildren<QSyntaxHighlighter*>()) colours->rehighlight();
  markLine();
}

void JsonEditor::focusInEvent(QFocusEvent* event) {
  QTextEdit::focusInEvent(event);
  markLine();
}

/// Nobody has been at the first line of a text that has just been shown.
void JsonEditor::markLine() {
  const bool isUsed = hasFocus() || textCursor().position() > 0;
  QTextEdit::ExtraSelection line;
  line.format.setBackground(tokens().informationTint);
  line.format.setProperty(QTextFormat::FullWidthSelection, true);
  line.cursor = textCursor();
  line.cursor.clearSelection();
  QList<QTextEdit::ExtraSelection> selections;
  if (isUsed && markIn(line.cursor.block()) == nullptr) selections.append(line);
  for (const TextMark& mark : marks_) appendMark(selections, mark);
  setExtraSelections(selections);
}

void JsonEditor::setMarks(std::vector<TextMark> marks) {
  marks_ = std::move(marks);
  markLine();
  numbers_->update();
  viewport()->update();
}

void JsonEditor::appendMark(QList<QTextEdit::ExtraSelection>& selections, const TextMark& mark) const {
  const int length = document()->characterCount() - 1;
  QTextEdit::ExtraSelection part;
  part.cursor = textCursor();
  part.cursor.setPosition(std::clamp(mark.begin, 0, length));
  part.cursor.setPosition(std::clamp(mark.end, 0, length), QTextCursor::KeepAnchor);
  part.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
  part.format.setUnderlineColor(mark.isError ? tokens().error : tokens().warning);
  selections.append(part);
}

/// The worst of the line, or none.
const TextMark* JsonEditor::markIn(const QTextBlock& block) const {
  const TextMark* worst = nullptr;
  for (const TextMark& mark : marks_) {
    if (mark.begin < block.position() || mark.begin >= block.position() + block.length()) continue;
    if (worst == nullptr || (mark.isError && !worst->isError)) worst = &mark;
  }
  return worst;
}

bool JsonEditor::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QTextEdit::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QPoint inside = viewport()->mapFromGlobal(help->globalPos());
  const TextMark* mark = markIn(cursorForPosition(inside).block());
  QToolTip::showText(help->globalPos(), mark == nullptr ? QString() : plainToolTip(mark->message), this);
  return true;
}

/// From edge to edge, which the background of a selection is not.
void JsonEditor::tintMarked(QWidget& part) {
  QPainter painter(&part);
  for (QTextBlock block = cursorForPosition({0, 0}).block(); block.isValid(); block = block.next()) {
    const QRectF place = document()->documentLayout()->blockBoundingRect(block);
    const double top = place.top() - verticalScrollBar()->value();
    if (top > part.height()) return;
    const TextMark* mark = markIn(block);
    if (mark == nullptr) continue;
    painter.fillRect(QRectF(0, top, part.width(), place.height()),
                     mark->isError ? tokens().errorTint : tokens().warningTint);
  }
}

void JsonEditor::paintEvent(QPaintEvent* event) {
  tintMarked(*viewport());
  QTextEdit::paintEvent(event);
}

void JsonEditor::paintNumbers(QPaintEvent* event) {
  tintMarked(*numbers_);
  QPainter painter(numbers_);
  painter.setFont(font());
  for (QTextBlock block = cursorForPosition({0, 0}).block(); block.isValid(); block = block.next()) {
    const double top = document()->documentLayout()->blockBoundingRect(block).top() - verticalScrollBar()->value();
    if (top > event->rect().bottom()) return;
    const TextMark* mark = markIn(block);
    painter.setPen(mark == nullptr ? tokens().secondText : mark->isError ? tokens().error : tokens().warning);
    const int height = lineHeightOf(*this);
    painter.drawText(QRectF(0, top, numbers_->width() - numbersPadding, height), Qt::AlignRight | Qt::AlignBottom,
                     QString::number(block.blockNumber() + 1));
    if (mark != nullptr) paintMark(painter, top + height - fontMetrics().height(), *mark);
  }
}

}  // namespace slipstream::ui
