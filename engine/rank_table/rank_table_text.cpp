// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/rank_table/rank_table_edit.h"

namespace slipstream {
namespace {

constexpr std::size_t longestLine = 110;

std::string dumped(const Json& value) {
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string onOneLine(const Json& value) {
  if (!value.is_structured()) return dumped(value);
  std::vector<std::string> parts;
  for (const auto& [key, part] : value.items()) {
    parts.push_back(value.is_object() ? dumped(Json(key)) + ": " + onOneLine(part) : onOneLine(part));
  }
  return (value.is_object() ? "{" : "[") + join(parts, ", ") + (value.is_object() ? "}" : "]");
}

bool isFlat(const Json& value) {
  return std::none_of(value.begin(), value.end(), [](const Json& part) { return part.is_structured(); });
}

void writeValue(const Json& value, int depth, std::string& text) {
  if (!value.is_structured() || value.empty() || (depth > 1 && isFlat(value))) {
    const std::string line = onOneLine(value);
    if (!value.is_structured() || value.empty() || line.size() <= longestLine) {
      text += line;
      return;
    }
  }
  const std::string indent(2 * static_cast<std::size_t>(depth) + 2, ' ');
  text += value.is_object() ? "{" : "[";
  bool first = true;
  for (const auto& [key, part] : value.items()) {
    text += (first ? "\n" : ",\n") + indent;
    if (value.is_object()) text += dumped(Json(key)) + ": ";
    writeValue(part, depth + 1, text);
    first = false;
  }
  text += "\n" + std::string(2 * static_cast<std::size_t>(depth), ' ') + (value.is_object() ? "}" : "]");
}

}  // namespace

std::string rankTableText(const Json& root) {
  std::string text;
  writeValue(root, 0, text);
  return text + "\n";
}

}  // namespace slipstream
