// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/json.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/config/json_reading.h"
#include "engine/config/python_literals.h"

namespace slipstream {
namespace {

constexpr int deepest = 64;

/// Follows the parser through the text and remembers what a finished document no longer shows.
class DuplicateWatch {
 public:
  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (depth > deepest) tooDeep_ = true;
    if (tooDeep_) return false;
    switch (event) {
      case Json::parse_event_t::object_start:
        frames_.push_back({});
        break;
      case Json::parse_event_t::array_start:
        frames_.push_back({.array = true});
        break;
      case Json::parse_event_t::object_end:
      case Json::parse_event_t::array_end:
        frames_.pop_back();
        countElement();
        break;
      case Json::parse_event_t::value:
        countElement();
        break;
      case Json::parse_event_t::key:
        enterKey(parsed.get<std::string>());
        break;
    }
    return true;
  }

  bool tooDeep() const { return tooDeep_; }
  const std::vector<std::string>& duplicates() const { return duplicates_; }

 private:
  struct Frame {
    bool array = false;
    std::set<std::string> keys = {};
    std::string key = {};
    std::size_t index = 0;
  };

  void countElement() {
    if (!frames_.empty() && frames_.back().array) ++frames_.back().index;
  }

  void enterKey(const std::string& key) {
    frames_.back().key = key;
    if (!frames_.back().keys.insert(key).second) duplicates_.push_back(path());
  }

  std::string path() const {
    std::string text;
    for (const Frame& frame : frames_) {
      if (frame.array) {
        text += fmt::format("[{}]", frame.index);
      } else {
        text += (text.empty() ? "" : ".") + frame.key;
      }
    }
    return text;
  }

  std::vector<Frame> frames_;
  std::vector<std::string> duplicates_;
  bool tooDeep_ = false;
};

struct Position {
  std::ptrdiff_t line = 1;
  std::ptrdiff_t column = 1;
};

Position positionOf(const std::string& text, std::size_t offset) {
  const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(offset, text.size()));
  const auto lineStart = std::find(std::make_reverse_iterator(end), text.rend(), '\n').base();
  return {std::count(text.begin(), end, '\n') + 1, end - lineStart + 1};
}

std::string placeText(const std::string& source, Position at) {
  return fmt::format("{}:{}:{}", source, at.line, at.column);
}

/// The parser's own words without its error number and its way of giving the place; it repeats the token at hand,
/// however long that is.
std::string problemText(const std::string& message) {
  constexpr std::size_t longest = 160;
  const auto start = message.find(": ");
  const std::string text = start == std::string::npos ? message : message.substr(start + 2);
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

/// The mistakes that people make on purpose; `offset` is where the parser gave up.
std::string remedyFor(const std::string& text, std::size_t offset) {
  if (offset >= text.size()) return "write strict JSON: the text ends too early";
  if (text[offset] == '/') return "remove the comment: JSON has none";
  const auto before = text.find_last_not_of(" \t\r\n", offset == 0 ? 0 : offset - 1);
  const bool closing = text[offset] == ']' || text[offset] == '}';
  if (closing && before != std::string::npos && text[before] == ',') {
    return fmt::format("remove the comma at the end of line {}", positionOf(text, before).line);
  }
  return "write strict JSON";
}

tl::unexpected<Failures> syntaxFailure(const std::string& text, const std::string& source,
                                       const Json::parse_error& error) {
  const std::size_t offset = error.byte == 0 ? 0 : error.byte - 1;
  const Position at = positionOf(text, offset);
  if (const auto python = pythonSpellingAt(text, offset)) {
    return fail(placeText(source, at), "", fmt::format("is not JSON, line {}: {} is Python", at.line, python->found),
                "write " + python->json);
  }
  return fail(placeText(source, at), "", fmt::format("is not JSON, line {}: {}", at.line, problemText(error.what())),
              remedyFor(text, offset));
}

/// A number, and where it begins.
struct WrittenNumber {
  std::size_t offset = 0;
  std::string text;
};

/// The first number outside of texts that no double holds.
WrittenNumber overflowIn(const std::string& text) {
  constexpr const char* digits = "+-.0123456789eE";
  bool inText = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"') inText = !inText;
    if (inText && text[i] == '\\') ++i;
    if (inText || std::string_view("-0123456789").find(text[i]) == std::string_view::npos) continue;
    const std::size_t end = std::min(text.find_first_not_of(digits, i), text.size());
    std::string number = text.substr(i, end - i);
    if (std::isinf(std::strtod(number.c_str(), nullptr))) return {i, std::move(number)};
    i = end - 1;
  }
  return {};
}

tl::unexpected<Failures> overflowFailure(const std::string& text, const std::string& source) {
  constexpr std::size_t longest = 40;
  const WrittenNumber number = overflowIn(text);
  const Position at = positionOf(text, number.offset);
  const bool isLong = number.text.size() > longest;
  return fail(placeText(source, at), isLong ? number.text.substr(0, longest) + "..." : number.text,
              fmt::format("is too large a number, line {}", at.line),
              fmt::format("write one below {:.2g}", std::numeric_limits<double>::max()));
}

}  // namespace

JsonReading readJson(const std::string& text, const std::string& source) {
  DuplicateWatch watch;
  JsonReading reading;
  try {
    reading.value = Json::parse(text, std::ref(watch));
  } catch (const Json::parse_error& error) {
    reading.syntax = syntaxFailure(text, source, error).value();
  } catch (const Json::out_of_range&) {
    reading.syntax = overflowFailure(text, source).value();
  }
  if (!reading.syntax.empty()) return reading;
  if (watch.tooDeep()) {
    reading.syntax.push_back({source, "", fmt::format("is nested deeper than {} levels", deepest), "write it flatter"});
    return reading;
  }
  for (const std::string& path : watch.duplicates()) {
    reading.repeatedKeys.push_back({path, "", fmt::format("appears twice in {}", source), "keep one of the two"});
  }
  return reading;
}

Result<Json> parseJson(const std::string& text, const std::string& source) {
  JsonReading reading = readJson(text, source);
  if (!reading.syntax.empty()) return tl::unexpected(std::move(reading.syntax));
  if (!reading.repeatedKeys.empty()) return tl::unexpected(std::move(reading.repeatedKeys));
  return std::move(reading.value);
}

std::string shortText(const Json& value) {
  constexpr std::size_t longest = 80;
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest - 3) + "...";
  return text;
}

}  // namespace slipstream
