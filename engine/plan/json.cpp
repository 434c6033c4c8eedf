#include "engine/plan/json.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

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

/// The parser's own words without its error number and its way of giving the place.
std::string problemText(const std::string& message) {
  const auto start = message.find(": ");
  return start == std::string::npos ? message : message.substr(start + 2);
}

/// The two mistakes that people make on purpose; `offset` is where the parser gave up.
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
  return fail(fmt::format("{}:{}:{}", source, at.line, at.column), "",
              fmt::format("is not JSON, line {}: {}", at.line, problemText(error.what())), remedyFor(text, offset));
}

}  // namespace

Result<Json> parseJson(const std::string& text, const std::string& source) {
  DuplicateWatch watch;
  Json value;
  try {
    value = Json::parse(text, std::ref(watch));
  } catch (const Json::parse_error& error) {
    return syntaxFailure(text, source, error);
  } catch (const Json::out_of_range& error) {
    return fail(source, "", "holds a number that is too large: " + problemText(error.what()), "write a smaller number");
  }
  if (watch.tooDeep()) {
    return fail(source, "", fmt::format("is nested deeper than {} levels", deepest), "write it flatter");
  }
  Failures failures;
  for (const std::string& path : watch.duplicates()) {
    failures.push_back({path, "", fmt::format("stands twice in {}", source), "keep one of the two"});
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return value;
}

std::string shortText(const Json& value) {
  constexpr std::size_t longest = 80;
  std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > longest) text = text.substr(0, longest - 3) + "...";
  return text;
}

}  // namespace slipstream
