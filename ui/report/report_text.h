// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <cstdint>

namespace slipstream::ui {

/// A text of ui/report marked with QT_TRANSLATE_NOOP("Report", ...), in the language of the window.
inline QString reportText(const char* text) {
  return QCoreApplication::translate("Report", text);
}
/// One with %n, marked with QT_TRANSLATE_N_NOOP.
inline QString reportText(const char* text, std::int64_t count) {
  return QCoreApplication::translate("Report", text, nullptr, static_cast<int>(count));
}

}  // namespace slipstream::ui
