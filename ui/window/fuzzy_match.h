// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

namespace slipstream::ui {

/// How well what was typed fits a text in which its letters stand in order; higher is better, nothing where it does
/// not fit. Letters at beginnings of words and next to one another count most; capitals and spaces do not matter.
std::optional<int> fuzzyScore(const QString& typed, const QString& text);

}  // namespace slipstream::ui
