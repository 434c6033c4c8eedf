// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "engine/config/json.h"

namespace slipstream {

// Changes to a JSON text that leave everything else in it as somebody wrote it: order of keys, blanks, line ends.

/// One step into a document: a key of an object, or an entry of a list.
using JsonStep = std::variant<std::string, std::size_t>;
/// "variants[1].boost.level", as failures write places. Keys that hold dots or brackets cannot be named so.
std::vector<JsonStep> jsonSteps(const std::string& path);

/// The value at the place; null where there is none.
const Json* findValue(const Json& root, const std::string& path);

/// Where a value is in a text: from `begin` to before `end`.
struct JsonSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const JsonSpan&) const = default;
};
/// Nothing where the text is not JSON or has no such place. The empty path is the whole value.
std::optional<JsonSpan> spanOf(const std::string& text, const std::string& path);
/// The same of many places, for which the text is read once.
std::vector<std::optional<JsonSpan>> spansOf(const std::string& text, const std::vector<std::string>& paths);
/// The place of the innermost value that holds the character at `offset`; empty for the whole or none.
std::string pathAt(const std::string& text, std::size_t offset);

/// As people write it: what fits in a line stays on one, the rest is indented by two. `column` is where the value
/// begins, `indent` the blanks before the line that it begins on.
std::string prettyJson(const Json& value, std::size_t indent = 0, std::size_t column = 0);

/// Writes the value at the place and makes what is missing on the way; a new key comes last. An index one behind the
/// last entry of a list appends. A text or number that is in the way is replaced by an object. Fails where the
/// text is not JSON.
Result<std::string> setValue(const std::string& text, const std::string& path, const Json& value);
/// Calls a key otherwise, where it is; the text as it is where there is none, or one of the new name already.
Result<std::string> renameKey(const std::string& text, const std::string& path, const std::string& name);
/// Removes a key or an entry; the text as it is where there is none.
Result<std::string> removeValue(const std::string& text, const std::string& path);

}  // namespace slipstream
