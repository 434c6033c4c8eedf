// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/json_edit.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/config/json_positions.h"

namespace slipstream {
namespace {

constexpr std::size_t lineWidth = 120;
constexpr std::size_t indentWidth = 2;

std::string replaced(const std::string& text, const JsonSpan& span, const std::string& by) {
  return text.substr(0, span.begin) + by + text.substr(span.end);
}

std::string written(const std::string& text, const JsonSpan& span, const Json& value) {
  return replaced(text, span, prettyJson(value, indentAt(text, span.begin), columnAt(text, span.begin)));
}

std::string oneLine(const Json& value) {
  if (value.is_object()) {
    std::vector<std::string> parts;
    for (const auto& [key, child] : value.items()) parts.push_back(Json(key).dump() + ": " + oneLine(child));
    return "{" + join(parts, ", ") + "}";
  }
  if (value.is_array()) {
    std::vector<std::string> parts;
    for (const Json& child : value) parts.push_back(oneLine(child));
    return "[" + join(parts, ", ") + "]";
  }
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// The value that the steps from `first` on lead to, made of what is missing.
Json wrapped(const std::vector<JsonStep>& steps, std::size_t first, const Json& value) {
  if (first == steps.size()) return value;
  const Json inner = wrapped(steps, first + 1, value);
  if (const auto* key = std::get_if<std::string>(&steps[first])) return Json{{*key, inner}};
  return Json::array({inner});
}

/// A new child at the end of an object or a list. One whose entries are on lines of their own gets another line.
std::string appended(const std::string& text, const JsonNode& parent, const JsonStep& step, const Json& value) {
  const auto* key = std::get_if<std::string>(&step);
  const std::string inside = text.substr(parent.span.begin, parent.span.end - parent.span.begin);
  const JsonNode* last = parent.children.empty() ? nullptr : &parent.children.back();
  const bool ownLine = last != nullptr && columnAt(text, last->keyBegin) == indentAt(text, last->keyBegin);
  if (!ownLine) {
    Json whole = Json::parse(inside);
    if (key != nullptr) {
      whole[*key] = value;
    } else {
      whole.push_back(value);
    }
    return written(text, parent.span, whole);
  }
  const std::size_t indent = indentAt(text, last->keyBegin);
  const std::string name = key == nullptr ? "" : Json(*key).dump() + ": ";
  const std::string line = ",\n" + std::string(indent, ' ') + name + prettyJson(value, indent, indent + name.size());
  return replaced(text, {last->span.end, last->span.end}, line);
}

bool staysReadable(const std::string& text, std::size_t offset) {
  const std::size_t begin = offset - columnAt(text, offset);
  return std::min(text.find('\n', begin), text.size()) - begin <= lineWidth;
}

void assign(Json& root, const std::vector<JsonStep>& steps, std::size_t first, const Json& value) {
  Json* at = &root;
  for (std::size_t i = first; i < steps.size(); ++i) {
    if (const auto* key = std::get_if<std::string>(&steps[i])) {
      if (!at->is_object()) *at = Json::object();
      at = &(*at)[*key];
    } else {
      if (!at->is_array()) *at = Json::array();
      const std::size_t index = std::min(std::get<std::size_t>(steps[i]), at->size());
      if (index == at->size()) at->push_back(nullptr);
      at = &(*at)[index];
    }
  }
  *at = value;
}

/// The outermost value on one line that holds the place is broken over several, with the new value in it.
std::optional<std::string> broken(const std::string& text, const JsonNode& root, const std::vector<JsonStep>& steps,
                                  const Json& value) {
  const JsonNode* at = &root;
  for (std::size_t i = 0; i < steps.size() && at != nullptr; at = childOf(*at, steps[i++])) {
    const std::string inside = text.substr(at->span.begin, at->span.end - at->span.begin);
    if (inside.find('\n') != std::string::npos) continue;
    Json whole = Json::parse(inside);
    assign(whole, steps, i, value);
    return written(text, at->span, whole);
  }
  return std::nullopt;
}

/// The value in its place, and the changed text's offset of it.
std::string inserted(const std::string& text, const JsonNode& root, const std::vector<JsonStep>& steps,
                     const Json& value, std::size_t& offset) {
  const JsonNode* at = &root;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    offset = at->span.begin;
    const JsonNode* child = childOf(*at, steps[i]);
    if (child != nullptr) {
      at = child;
      continue;
    }
    const bool named = std::holds_alternative<std::string>(steps[i]);
    if (named ? at->isObject : at->isList) return appended(text, *at, steps[i], wrapped(steps, i + 1, value));
    return written(text, at->span, wrapped(steps, i, value));
  }
  offset = at->span.begin;
  return written(text, at->span, value);
}

/// The value at the path and what holds it; both null where there is none, or it is the whole.
std::pair<const JsonNode*, const JsonNode*> placeIn(const JsonNode& root, const std::string& path) {
  const JsonNode* parent = nullptr;
  const JsonNode* at = &root;
  for (const JsonStep& step : jsonSteps(path)) {
    parent = at;
    at = childOf(*at, step);
    if (at == nullptr) return {};
  }
  return {parent, parent == nullptr ? nullptr : at};
}

}  // namespace

std::string prettyJson(const Json& value, std::size_t indent, std::size_t column) {
  std::string line = oneLine(value);
  const bool splits = (value.is_object() || value.is_array()) && !value.empty();
  if (!splits || column + line.size() <= lineWidth) return line;
  const std::size_t inner = indent + indentWidth;
  std::vector<std::string> lines;
  for (const auto& [key, child] : value.items()) {
    const std::string name = value.is_object() ? Json(key).dump() + ": " : "";
    lines.push_back(std::string(inner, ' ') + name + prettyJson(child, inner, inner + name.size()));
  }
  const char* brackets = value.is_object() ? "{}" : "[]";
  return brackets[0] + ("\n" + join(lines, ",\n")) + "\n" + std::string(indent, ' ') + brackets[1];
}

Result<std::string> setValue(const std::string& text, const std::string& path, const Json& value) {
  SLIPSTREAM_TRY(parsed, parseJson(text, "the text"));
  const JsonNode root = jsonNodes(text);
  const std::vector<JsonStep> steps = jsonSteps(path);
  std::size_t offset = 0;
  std::string changed = inserted(text, root, steps, value, offset);
  const bool sameLines = std::ranges::count(changed, '\n') == std::ranges::count(text, '\n');
  if (sameLines && staysReadable(changed, offset)) return changed;
  return broken(text, root, steps, value).value_or(std::move(changed));
}

Result<std::string> renameKey(const std::string& text, const std::string& path, const std::string& name) {
  SLIPSTREAM_TRY(parsed, parseJson(text, "the text"));
  const JsonNode root = jsonNodes(text);
  const auto [parent, at] = placeIn(root, path);
  if (parent == nullptr || !parent->isObject || childOf(*parent, name) != nullptr) return text;
  const std::size_t colon = text.rfind(':', at->span.begin);
  const std::size_t end = text.find_last_of('"', colon) + 1;
  return replaced(text, {at->keyBegin, end}, Json(name).dump());
}

Result<std::string> removeValue(const std::string& text, const std::string& path) {
  SLIPSTREAM_TRY(parsed, parseJson(text, "the text"));
  const JsonNode root = jsonNodes(text);
  const auto [parent, at] = placeIn(root, path);
  if (parent == nullptr) return text;
  const auto place = static_cast<std::size_t>(at - parent->children.data());
  const std::vector<JsonNode>& all = parent->children;
  if (all.size() == 1) return replaced(text, parent->span, parent->isObject ? "{}" : "[]");
  if (place + 1 < all.size()) return replaced(text, {at->keyBegin, all[place + 1].keyBegin}, "");
  return replaced(text, {all[place - 1].span.end, at->span.end}, "");
}

}  // namespace slipstream
