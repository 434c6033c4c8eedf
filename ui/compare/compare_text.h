// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <cstddef>

namespace slipstream::ui {

/// A text of ui/compare marked with QT_TRANSLATE_NOOP("Compare", ...), in the language of the window.
inline QString compareText(const char* text) {
  return QCoreApplication::translate("Compare", text);
}
/// One with %n, marked with QT_TRANSLATE_N_NOOP.
inline QString compareText(const char* text, std::size_t count) {
  return QCoreApplication::translate("Compare", text, nullptr, static_cast<int>(count));
}

}  // namespace slipstream::ui
