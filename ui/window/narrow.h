// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace slipstream::ui {

/// Whether a window is so narrow that docks, tabs and the command box take less room.
inline bool isNarrow(const QWidget& window) {
  constexpr int narrowWindow = 1200;
  return window.width() < narrowWindow;
}

}  // namespace slipstream::ui
