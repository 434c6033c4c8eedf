// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_lines.h"

#include <QTextBlock>
#include <QTextEdit>
#include <QtMath>
#include <algorithm>

namespace slipstream::ui {
namespace {

/// In characters: of the rest of a line behind its own indent, and at most.
constexpr int furtherIndent = 2, mostIndent = 16;
constexpr double linePitch = 1.18;  ///< of the font's height

}  // namespace

int lineHeightOf(const QTextEdit& text) {
  return qCeil(linePitch * QFontMetricsF(text.font()).height());
}

void indentWrappedLines(QTextEdit& text) {
  const int pitch = lineHeightOf(text);
  const double character = QFontMetricsF(text.font()).horizontalAdvance(QLatin1Char(' '));
  QTextCursor cursor(text.document());
  cursor.beginEditBlock();
  for (QTextBlock block = text.document()->begin(); block.isValid(); block = block.next()) {
    const QString line = block.text();
    const auto first = std::ranges::find_if(line, [](QChar one) { return !one.isSpace(); });
    const auto own = static_cast<int>(first - line.begin());
    const double indent = std::min(own + furtherIndent, mostIndent) * character;
    if (block.blockFormat().leftMargin() == indent && block.blockFormat().lineHeight() == pitch) continue;
    cursor.setPosition(block.position());
    QTextBlockFormat format;
    format.setLeftMargin(indent);
    format.setTextIndent(-indent);
    format.setLineHeight(pitch, QTextBlockFormat::FixedHeight);
    cursor.mergeBlockFormat(format);
  }
  cursor.endEditBlock();
}

int heightBelowWholeLines(const QTextEdit& text, int edges) {
  return std::max(0, text.contentsRect().height() - edges) % lineHeightOf(text);
}

}  // namespace slipstream::ui
