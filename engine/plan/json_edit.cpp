#include "engine/plan/json_edit.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"

namespace slipstream {
namespace {

constexpr std::size_t lineWidth = 120;
constexpr std::size_t indentWidth = 2;

/// A value and where it stands; `keyBegin` is that of its key's quote, or of the value itself in a list.
struct Node {
  JsonSpan span;
  std::size_t keyBegin = 0;
  std::string key = {};
  bool isObject = false;
  bool isList = false;
  std::vector<Node> children = {};
};

/// Reads the places of a text that is known to be JSON.
class Scanner {
 public:
  explicit Scanner(const std::string& text) : text_(text) {}

  Node value() {
    skipBlanks();
    Node node{{at_, at_}, at_};
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

  void children(Node& node) {
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

  Node member() {
    const std::size_t begin = at_;
    skipString();
    const std::string key = Json::parse(text_.substr(begin, at_ - begin)).get<std::string>();
    skipBlanks();
    ++at_;  // the colon
    Node node = value();
    node.keyBegin = begin;
    node.key = key;
    return node;
  }

  const std::string& text_;
  std::size_t at_ = 0;
};

const Node* childOf(const Node& node, const JsonStep& step) {
  if (const auto* index = std::get_if<std::size_t>(&step)) {
    return node.isList && *index < node.children.size() ? &node.children[*index] : nullptr;
  }
  const auto found = std::ranges::find(node.children, std::get<std::string>(step), &Node::key);
  return node.isObject && found != node.children.end() ? &*found : nullptr;
}

/// Blanks before the first character of the line.
std::size_t indentAt(const std::string& text, std::size_t offset) {
  const std::size_t line = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  const std::size_t begin = line == std::string::npos ? 0 : line + 1;
  return std::min(text.find_first_not_of(' ', begin), offset) - begin;
}

std::size_t columnAt(const std::string& text, std::size_t offset) {
  const std::size_t line = offset == 0 ? std::string::npos : text.rfind('\n', offset - 1);
  return line == std::string::npos ? offset : offset - line - 1;
}

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

/// A new child at the end of an object or a list. One whose entries stand on lines of their own gets another line.
std::string appended(const std::string& text, const Node& parent, const JsonStep& step, const Json& value) {
  const auto* key = std::get_if<std::string>(&step);
  const std::string inside = text.substr(parent.span.begin, parent.span.end - parent.span.begin);
  const Node* last = parent.children.empty() ? nullptr : &parent.children.back();
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
std::optional<std::string> broken(const std::string& text, const Node& root, const std::vector<JsonStep>& steps,
                                  const Json& value) {
  const Node* at = &root;
  for (std::size_t i = 0; i < steps.size() && at != nullptr; at = childOf(*at, steps[i++])) {
    const std::string inside = text.substr(at->span.begin, at->span.end - at->span.begin);
    if (inside.find('\n') != std::string::npos) continue;
    Json whole = Json::parse(inside);
    assign(whole, steps, i, value);
    return written(text, at->span, whole);
  }
  return std::nullopt;
}

Node scanned(const std::string& text) {
  return Scanner(text).value();
}

}  // namespace

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

std::optional<JsonSpan> spanOf(const std::string& text, const std::string& path) {
  if (!parseJson(text, "")) return std::nullopt;
  const Node root = scanned(text);
  const Node* at = &root;
  for (const JsonStep& step : jsonSteps(path)) {
    at = childOf(*at, step);
    if (at == nullptr) return std::nullopt;
  }
  return at->span;
}

std::string pathAt(const std::string& text, std::size_t offset) {
  if (!parseJson(text, "")) return {};
  const Node root = scanned(text);
  const Node* at = &root;
  std::string path;
  for (bool deeper = true; deeper;) {
    deeper = false;
    for (std::size_t i = 0; i < at->children.size(); ++i) {
      const Node& child = at->children[i];
      if (offset < child.keyBegin || offset > child.span.end) continue;
      path += at->isList ? "[" + std::to_string(i) + "]" : (path.empty() ? "" : ".") + child.key;
      at = &child;
      deeper = true;
      break;
    }
  }
  return path;
}

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

namespace {

/// The value in its place, and the changed text's offset of it.
std::string inserted(const std::string& text, const Node& root, const std::vector<JsonStep>& steps, const Json& value,
                     std::size_t& offset) {
  const Node* at = &root;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    offset = at->span.begin;
    const Node* child = childOf(*at, steps[i]);
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

}  // namespace

Result<std::string> setValue(const std::string& text, const std::string& path, const Json& value) {
  SLIPSTREAM_TRY(parsed, parseJson(text, "the text"));
  const Node root = scanned(text);
  const std::vector<JsonStep> steps = jsonSteps(path);
  std::size_t offset = 0;
  std::string changed = inserted(text, root, steps, value, offset);
  const bool sameLines = std::ranges::count(changed, '\n') == std::ranges::count(text, '\n');
  if (sameLines && staysReadable(changed, offset)) return changed;
  return broken(text, root, steps, value).value_or(std::move(changed));
}

Result<std::string> removeValue(const std::string& text, const std::string& path) {
  SLIPSTREAM_TRY(parsed, parseJson(text, "the text"));
  const Node root = scanned(text);
  const Node* parent = nullptr;
  const Node* at = &root;
  for (const JsonStep& step : jsonSteps(path)) {
    parent = at;
    at = childOf(*at, step);
    if (at == nullptr) return text;
  }
  if (parent == nullptr) return text;
  const auto place = static_cast<std::size_t>(at - parent->children.data());
  const std::vector<Node>& all = parent->children;
  if (all.size() == 1) return replaced(text, parent->span, parent->isObject ? "{}" : "[]");
  if (place + 1 < all.size()) return replaced(text, {at->keyBegin, all[place + 1].keyBegin}, "");
  return replaced(text, {all[place - 1].span.end, at->span.end}, "");
}

}  // namespace slipstream
