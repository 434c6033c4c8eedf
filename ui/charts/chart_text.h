// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <cstddef>

namespace slipstream::ui {

/// A text of ui/charts marked with QT_TRANSLATE_NOOP("Chart", ...), in the language of the window.
inline QString chartText(const char* text) {
  return QCoreApplication::translate("Chart", text);
}
/// One with %n, marked with QT_TRANSLATE_N_NOOP.
inline QString chartText(const char* text, std::size_t count) {
  return QCoreApplication::translate("Chart", text, nullptr, static_cast<int>(count));
}

}  // namespace slipstream::ui
