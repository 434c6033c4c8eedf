// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "engine/plan/json_edit.h"

namespace slipstream::ui {

/// Where the place of a failure stands in an experiment's text: the value at a key path, or the nearest around it where
/// the text has no such key; the line of "experiment.json:3:7"; the name of a key that stands twice. Nothing
/// where there is no such place.
std::optional<JsonSpan> textPlaceOf(const std::string& text, const std::string& where);

/// The key path that a place begins with: what it says of another file follows after a blank.
std::string keyPathOf(const std::string& where);

}  // namespace slipstream::ui
