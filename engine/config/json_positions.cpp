// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/json_positions.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace slipstream {
namespace {

/// Reads the places of a text that is known to be JSON.
class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  JsonNode value() {
    skipBlanks();
    JsonNode node{{at_, at_}, at_};
    if (text_[at_] == '{' || text_[at_] == '[') {
      children(node);
    } else if (text_[at_] == '"') {
      skipString();
    } else {
      at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
    }
    node.span.end = at_;
    return node;
  }

 private:
  void skipBlanks() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }

  void skipString() {
    for (++at_; text_[at_] != '"'; ++at_) {
      if (text_[at_] == '\\') ++at_;
    }
    ++at_;
  }

  void children(JsonNode& node) {
    node.isObject = text_[at_] == '{';
    node.isList = !node.isObject;
    const char closing = node.isObject ? '}' : ']';
    ++at_;
    for (skipBlanks(); text_[at_] != closing; skipBlanks()) {
      if (text_[at_] == ',') {
        ++at_;
        continue;
      }
      node.children.push_back(node.isObject ? member() : value());
    }
    ++at_;
  }

  JsonNode member() {
    const std::size_t begin = at_;
    skipString();
    const std::string key = Json::parse(text_.substr(begin, at_ - begin)).get<std::string>();
    skipBlanks();
    ++at_;  // the colon
    JsonNode node = value();
    node.keyBegin = begin;
    node.key = key;
    return node;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

}  // namespace

JsonNode jsonNodes(const std::string& text) {
  return Scanner(text).value();
}

const JsonNode* childOf(const JsonNode& node, const JsonStep& step) {
  if (const auto* index = std::get_if<std::size_t>(&step)) {
    return node.isList && *index < node.children.size() ? &node.children[*index] : nullptr;
  }
  const auto found = std::ranges::find(node.children, std::get<std::string>(step), &JsonNode::key);
  return node.isObject && found != node.children.end() ? &*found : nullptr;
}

std::size_t indentAt(const std::string& text, std::size_t offset) {
  const std::size_t line = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  return std::min(text.find_first_not_of(' ', begin), offset) - begin;
}

std::size_t columnAt(const std::string& text, std::size_t offset) {
  const std::size_t line = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  return line == std::string::npos ? offset : offset - line - 1;
}

std::vector<JsonStep> jsonSteps(const std::string& path) {
  std::vector<JsonStep> steps;
  for (const std::string& part : path.empty() ? std::vector<std::string>{} : split(path, '.')) {
    const std::size_t bracket = part.find('[');
    if (bracket != 0) steps.emplace_back(part.substr(0, bracket));
    for (std::size_t open = bracket; open != std::string::npos; open = part.find('[', open + 1)) {
      const auto index = parseInteger(part.substr(open + 1, part.find(']', open) - open - 1));
      steps.emplace_back(static_cast<std::size_t>(std::max<std::int64_t>(0, index.value_or(0))));
    }
  }
  return steps;
}

const Json* findValue(const Json& root, const std::string& path) {
  const Json* at = &root;
  for (const JsonStep& step : jsonSteps(path)) {
    if (const auto* index = std::get_if<std::size_t>(&step)) {
      if (!at->is_array() || *index >= at->size()) return nullptr;
      at = &(*at)[*index];
    } else {
      const auto& key = std::get<std::string>(step);
      if (!at->is_object() || !at->contains(key)) return nullptr;
      at = &(*at)[key];
    }
  }
  return at;
}

std::vector<std::optional<JsonSpan>> spansOf(const std::string& text, const std::vector<std::string>& paths) {
  std::vector<std::optional<JsonSpan>> spans(paths.size());
  if (!parseJson(text, "")) return spans;
  const JsonNode root = jsonNodes(text);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    const JsonNode* at = &root;
    for (const JsonStep& step : jsonSteps(paths[i])) {
      if (at != nullptr) at = childOf(*at, step);
    }
    if (at != nullptr) spans[i] = at->span;
  }
  return spans;
}

std::optional<JsonSpan> spanOf(const std::string& text, const std::string& path) {
  return spansOf(text, {path}).front();
}

std::string pathAt(const std::string& text, std::size_t offset) {
  if (!parseJson(text, "")) return {};
  const JsonNode root = jsonNodes(text);
  const JsonNode* at = &root;
  std::string path;
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (std::size_t i = 0; i < at->children.size(); ++i) {
      const JsonNode& child = at->children[i];
      if (offset < child.keyBegin || offset > child.span.end) continue;
      path += at->isList ? "[" + std::to_string(i) + "]" : (path.empty() ? "" : ".") + child.key;
      at = &child;
      deeper = true;
      break;
    }
  }
  return path;
}

}  // namespace slipstream
