// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTextEdit;

namespace slipstream::ui {

/// The rest of a line that is wrapped begins below its text and not at the margin, so that the text's own indents stay
/// to be seen.
void indentWrappedLines(QTextEdit& text);
/// Height of a line in pixels, at least 1.
double lineHeightOf(const QTextEdit& text);
/// What is left of the height below as many whole lines as have room, in pixels. `margins`: that no line is in.
int heightBelowWholeLines(const QTextEdit& text, int margins = 0);

}  // namespace slipstream::ui
