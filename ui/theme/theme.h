// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>

#include "ui/theme/tokens.h"

class QApplication;

namespace slipstream::ui {

enum class ThemeChoice { system, light, dark };

/// Gives the application style, font, palette and style sheet, in the language of QLocale(); every widget hears of it
/// as a PaletteChange.
void applyTheme(QApplication& application, ThemeChoice choice);

inline constexpr int leastFontPercent = 80, usualFontPercent = 100, mostFontPercent = 150;
/// Text is so large, in percent of the system's; holds from the next applyTheme() on.
void setFontScale(int percent);

/// The colours in force.
const Tokens& tokens();

/// The type scale: sizes relative to the system's font.
enum class TextSize { caption, secondary, body, lead, reportLead, section, pageTitle, welcomeTitle, reportTitle };
QFont textFont(TextSize size);
/// Of headings: semibold; in Chinese bold, since most fonts have no cut between, and Qt makes one up from there on.
QFont::Weight strongWeight();
/// Of headings in small type, which is too small for bold Chinese.
QFont::Weight smallStrongWeight();
/// For keys, codes and files.
QFont fixedFont();

}  // namespace slipstream::ui
