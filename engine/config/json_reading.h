// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "engine/base/failure.h"
#include "engine/config/json.h"

namespace slipstream {

/// A text as JSON, and what is wrong with it, by kind. `value` is null where the syntax is wrong.
struct JsonReading {
  Json value;
  Failures syntax;        ///< with line and column
  Failures repeatedKeys;  ///< with the path of each
};
/// As parseJson, for those who treat the two differently.
JsonReading readJson(const std::string& text, const std::string& source);

}  // namespace slipstream
