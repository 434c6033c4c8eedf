// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/config/json_edit.h"

namespace slipstream {

// The positions of the values in a JSON text, which edits need.

/// A value and where it is; `keyBegin` is that of its key's quote, or of the value itself in a list.
struct JsonNode {
  JsonSpan span;
  std::size_t keyBegin = 0;
  std::string key = {};
  bool isObject = false;
  bool isList = false;
  std::vector<JsonNode> children = {};
};

/// Of a text that is known to be JSON.
JsonNode jsonNodes(const std::string& text);
/// Null where there is none.
const JsonNode* childOf(const JsonNode& node, const JsonStep& step);

/// Blanks before the first character of the line that `offset` is on.
std::size_t indentAt(const std::string& text, std::size_t offset);
/// Letters before `offset` on its line.
std::size_t columnAt(const std::string& text, std::size_t offset);

}  // namespace slipstream
