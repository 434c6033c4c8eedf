// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/json_fields.h"

#include <QLineEdit>
#include <QPainter>
#include <QRegularExpression>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <QWheelEvent>
#include <cmath>

#include "engine/base/text.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

QString textOf(const Json& value) {
  if (!value.is_number()) return {};
  if (value.is_number_integer()) return QString::fromStdString(value.dump());
  return QString::fromStdString(numberText(value.get<double>()));
}

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

NumberField::NumberField(bool whole, const Limits& limits, QWidget* parent)
    : QAbstractSpinBox(parent), whole_(whole), limits_(limits) {
  setFocusPolicy(Qt::StrongFocus);
  setAlignment(Qt::AlignLeft);
  connect(lineEdit(), &QLineEdit::textEdited, this, [this] {
    if (value()) Q_EMIT edited();
  });
}

void NumberField::setValue(const Json& value) {
  const auto shown = this->value();
  if (shown && *shown == value) return;
  if (lineEdit()->text() != textOf(value)) lineEdit()->setText(textOf(value));
}

std::optional<Json> NumberField::value() const {
  const std::string typed = trim(lineEdit()->text().toStdString());
  if (typed.empty()) return Json();
  if (const auto integer = parseInteger(typed)) return Json(*integer);
  const auto number = whole_ ? std::nullopt : parseNumber(typed);
  return number ? std::optional<Json>(*number) : std::nullopt;
}

/// Of a fraction a tenth of its leading digit's place: 0.02 goes to 0.021.
double NumberField::stepSize() const {
  const auto now = value();
  const double size = now && now->is_number() ? std::abs(now->get<double>()) : 0;
  if (whole_ || size >= 10) return 1;
  return size == 0 ? 0.1 : std::pow(10.0, std::floor(std::log10(size)) - 1);
}

void NumberField::stepBy(int steps) {
  const auto now = value();
  const double from = now && now->is_number() ? now->get<double>() : 0;
  const double size = stepSize();
  const double next = std::round((from + steps * size) / size) * size;
  if (!limits_.allow(next)) return;
  const double clean = std::stod(QString::number(next, 'g', 12).toStdString());
  lineEdit()->setText(textOf(whole_ ? Json(std::llround(next)) : Json(clean)));
  Q_EMIT edited();
}

QAbstractSpinBox::StepEnabled NumberField::stepEnabled() const {
  const auto now = value();
  const double at = now && now->is_number() ? now->get<double>() : 0;
  StepEnabled enabled;
  if (limits_.allow(at + stepSize())) enabled |= StepUpEnabled;
  if (limits_.allow(at - stepSize())) enabled |= StepDownEnabled;
  return enabled;
}

/// A page that is scrolled changes nothing on its way.
void NumberField::wheelEvent(QWheelEvent* event) {
  if (hasFocus()) return QAbstractSpinBox::wheelEvent(event);
  event->ignore();
}

QString rangeText(const Limits& limits) {
  const auto number = [](double value) { return QString::number(value, 'g', 12); };
  // Ends that nobody reaches tell nothing.
  const bool low = std::isfinite(limits.least);
  const bool high = std::isfinite(limits.most) && limits.most < 1e6;
  if (low && high && !limits.openBelow && !limits.openAbove) {
    return QStringLiteral("%1 … %2").arg(number(limits.least), number(limits.most));
  }
  QStringList parts;
  if (low) parts << (limits.openBelow ? QStringLiteral("> ") : QStringLiteral("≥ ")) + number(limits.least);
  if (high) parts << (limits.openAbove ? QStringLiteral("< ") : QStringLiteral("≤ ")) + number(limits.most);
  return parts.join(QStringLiteral(", "));
}

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
