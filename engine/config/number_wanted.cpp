// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/number_wanted.h"

#include <cmath>
#include <cstdlib>

#include <nlohmann/json.hpp>

namespace slipstream {

std::string numberWanted(const Json& found) {
  if (!found.is_string()) return "a number";
  const auto text = found.get<std::string>();
  char* end = nullptr;
  const double read = std::strtod(text.c_str(), &end);
  const bool isNumber = !text.empty() && *end == '\0';
  return isNumber && !std::isfinite(read) ? "a finite number" : "a number";
}

}  // namespace slipstream
