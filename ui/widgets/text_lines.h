// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QTextEdit;

namespace slipstream::ui {

/// Of each line, in pixels. Its text is at the bottom of it.
int lineHeightOf(const QTextEdit& text);
/// Gives all lines that height. The rest of a line that is wrapped begins below its text and not at the margin, so that
/// the text's own indents stay to be seen.
void indentWrappedLines(QTextEdit& text);
/// What is left of the height below as many whole lines as have room, in pixels. `edges`: of the height, that no line
/// is in.
int heightBelowWholeLines(const QTextEdit& text, int edges);

}  // namespace slipstream::ui
