// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/text_lines.h"

#include <QTextBlock>
#include <QTextEdit>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

namespace slipstream::ui {
namespace {

/// In characters: of the rest of a line behind its own indent, and at most.
constexpr int furtherIndent = 2, mostIndent = 16;

}  // namespace

void indentWrappedLines(QTextEdit& text) {
  const double character = QFontMetricsF(text.font()).horizontalAdvance(QLatin1Char(' '));
  QTextCursor cursor(text.document());
  cursor.beginEditBlock();
  for (QTextBlock block = text.document()->begin(); block.isValid(); block = block.next()) {
    const QString line = block.text();
    const auto first = std::ranges::find_if(line, [](QChar one) { return !one.isSpace(); });
    const auto own = static_cast<int>(first - line.begin());
    const double indent = std::min(own + furtherIndent, mostIndent) * character;
    if (block.blockFormat().leftMargin() == indent) continue;
    cursor.setPosition(block.position());
    QTextBlockFormat format;
    format.setLeftMargin(indent);
    format.setTextIndent(-indent);
    cursor.mergeBlockFormat(format);
  }
  cursor.endEditBlock();
}

double lineHeightOf(const QTextEdit& text) {
  const QTextLayout* first = text.document()->firstBlock().layout();
  return first == nullptr || first->lineCount() == 0 ? 1.0 : std::max(1.0, first->lineAt(0).height());
}

int heightBelowWholeLines(const QTextEdit& text) {
  const double line = lineHeightOf(text);
  const int room = text.contentsRect().height() - static_cast<int>(text.document()->documentMargin()) - 1;
  return room > line ? static_cast<int>(std::floor(room - std::floor(room / line) * line)) : 0;
}

}  // namespace slipstream::ui
