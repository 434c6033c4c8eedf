// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace slipstream::ui {

/// Windows made from now on speak this language: "en", "zh_CN", or empty for the system's. Numbers follow it.
void useLanguage(const QString& language);

}  // namespace slipstream::ui
