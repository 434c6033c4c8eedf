// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <string>

namespace slipstream::ui {

/// What the engine says, as the window shows it.
inline QString text(const std::string& utf8) {
  return QString::fromStdString(utf8);
}

}  // namespace slipstream::ui
