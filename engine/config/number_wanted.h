// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/config/json.h"

namespace slipstream {

/// What was wanted in place of a value that is no number: "a number", or "a finite number" where it is a word for one
/// that is not.
std::string numberWanted(const Json& found);

}  // namespace slipstream
