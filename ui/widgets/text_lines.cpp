// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_lines.h"

#include <QTextBlock>
#include <QTextEdit>
#include <algorithm>
#include <cmath>

namespace slipstream::ui {
namespace {

/// In characters: of the rest of a line behind its own indent, and at most.
constexpr int furtherIndent = 2, mostIndent = 16;
constexpr double linePitch = 1.18;  ///< of the font's height

}  // namespace

double lineHeightOf(const QTextEdit& text) {
  return std::ceil(linePitch * QFontMetricsF(text.font()).height());
}

void indentWrappedLines(QTextEdit& text) {
  const double pitch = lineHeightOf(text);
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

int heightBelowWholeLines(const QTextEdit& text, int margins) {
  const double line = lineHeightOf(text);
  const int edge = margins > 0 ? margins : static_cast<int>(text.document()->documentMargin()) + 1;
  const int room = text.contentsRect().height() - edge;
  return room > line ? static_cast<int>(std::floor(room - std::floor(room / line) * line)) : 0;
}

}  // namespace slipstream::ui
