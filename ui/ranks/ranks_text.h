// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>

namespace slipstream::ui {

/// A text of ui/ranks marked with QT_TRANSLATE_NOOP("Ranks", ...), in the language of the window.
inline QString ranksText(const char* text) {
  return QCoreApplication::translate("Ranks", text);
}

}  // namespace slipstream::ui
