// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QTextBrowser;

namespace slipstream::ui {

/// Shows a page that is written in Markdown: headings of the scale of the window, tables as wide as the page, keys and
/// code in the fixed font.
void showReadme(QTextBrowser& browser, const QString& markdown);

}  // namespace slipstream::ui
