// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/config/python_literals.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include <nlohmann/json.hpp>

#include "engine/config/json.h"

namespace slipstream {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> words{
    {{"True", "true"}, {"False", "false"}, {"None", "null"}}};
constexpr std::array<std::string_view, 3> dictionaryKeys{"boost_config_dict", "dictionary", "boost"};

bool isWordLetter(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

/// Python's word that begins at `offset` and ends with it; null where there is none.
const std::pair<std::string_view, std::string_view>* wordAt(std::string_view text, std::size_t offset) {
  if (offset > 0 && isWordLetter(text[offset - 1])) return nullptr;
  for (const auto& word : words) {
    const std::size_t end = offset + word.first.size();
    const bool here = text.substr(offset, word.first.size()) == word.first;
    if (here && (end == text.size() || !isWordLetter(text[end]))) return &word;
  }
  return nullptr;
}

/// Behind the closing quote of the text that begins at `start`; the end where it is not closed on its line.
std::size_t behindQuoted(std::string_view text, std::size_t start) {
  for (std::size_t i = start + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == text[start]) {
      return i + 1;
    }
  }
  return text.size();
}

/// Walks over the tokens of a text in JSON or Python.
class PythonText {
 public:
  explicit PythonText(std::string text) : text_(std::move(text)) {}

  std::string take() { return std::move(text_); }
  std::size_t size() const { return text_.size(); }
  char at(std::size_t offset) const { return text_[offset]; }

  bool isQuote(std::size_t offset) const { return text_[offset] == '"' || text_[offset] == '\''; }

  /// The first place from `offset` on that is neither blank nor comment.
  std::size_t nextToken(std::size_t offset) const {
    while (offset < text_.size()) {
      if (text_[offset] == '#') {
        offset = std::min(text_.find('\n', offset), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[offset])) == 0) {
        break;
      } else {
        ++offset;
      }
    }
    return offset;
  }

  /// Behind the token that begins at `offset`: a quoted text, or one character.
  std::size_t behindToken(std::size_t offset) const {
    return isQuote(offset) ? behindQuoted(text_, offset) : offset + 1;
  }

  std::string_view quotedAt(std::size_t offset) const {
    const std::size_t end = behindQuoted(text_, offset);
    return std::string_view(text_).substr(offset + 1, end - offset - 2);
  }

  /// Behind the bracket that closes the one at `offset`.
  std::size_t behindBrackets(std::size_t offset) const {
    int depth = 0;
    for (std::size_t i = offset; i < text_.size(); i = nextToken(behindToken(i))) {
      if (text_[i] == '{' || text_[i] == '[') ++depth;
      if ((text_[i] == '}' || text_[i] == ']') && --depth == 0) return i + 1;
    }
    return text_.size();
  }

  /// Makes JSON of what is from `begin` to before `end`.
  void translate(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      const std::size_t next = isQuote(i) ? behindQuoted(text_, i) : i + 1;
      if (text_[i] == '#') {
        i = blankComment(i, end);
        continue;
      }
      if (text_[i] == '\'') doubleQuotes(i, next);
      if (text_[i] == ',') dropBeforeClosing(i);
      if (const auto* word = wordAt(text_, i)) text_.replace(i, word->second.size(), word->second);
      i = next;
    }
  }

 private:
  std::size_t blankComment(std::size_t begin, std::size_t end) {
    const std::size_t lineEnd = std::min({text_.find('\n', begin), text_.size(), end});
    std::fill(text_.begin() + static_cast<std::ptrdiff_t>(begin), text_.begin() + static_cast<std::ptrdiff_t>(lineEnd),
              ' ');
    return lineEnd;
  }

  /// A text that holds a double quote or a backslash would be another one.
  void doubleQuotes(std::size_t begin, std::size_t end) {
    const std::string_view quoted = std::string_view(text_).substr(begin, end - begin);
    const bool closed = quoted.size() > 1 && quoted.back() == '\'';
    if (!closed || quoted.find_first_of("\"\\") != std::string_view::npos) return;
    text_[begin] = '"';
    text_[end - 1] = '"';
  }

  void dropBeforeClosing(std::size_t comma) {
    const std::size_t next = nextToken(comma + 1);
    if (next < text_.size() && (text_[next] == '}' || text_[next] == ']')) text_[comma] = ' ';
  }

  std::string text_;
};

/// Where the value of the dictionary's key at `offset` begins; `offset` where that is another key or no object.
std::size_t dictionaryBehind(const PythonText& text, std::size_t offset) {
  const std::size_t colon = text.nextToken(text.behindToken(offset));
  if (colon >= text.size() || text.at(colon) != ':') return offset;
  const std::size_t value = text.nextToken(colon + 1);
  const bool isObject = value < text.size() && text.at(value) == '{';
  const bool known = std::ranges::find(dictionaryKeys, text.quotedAt(offset)) != dictionaryKeys.end();
  return isObject && known ? value : offset;
}

}  // namespace

std::optional<PythonSpelling> pythonSpellingAt(std::string_view text, std::size_t offset) {
  if (offset >= text.size()) return std::nullopt;
  if (const auto* word = wordAt(text, offset))
    return PythonSpelling{std::string(word->first), std::string(word->second)};
  if (text[offset] == '#') return PythonSpelling{"#", "nothing: JSON has no comments"};
  if (text[offset] == '\'') return PythonSpelling{"'", "texts in double quotes"};
  return std::nullopt;
}

std::string pythonAsJson(std::string_view text) {
  PythonText python{std::string(text)};
  python.translate(0, python.size());
  return python.take();
}

std::string withJsonDictionaries(std::string text) {
  PythonText python(std::move(text));
  std::size_t next = 0;
  for (std::size_t i = python.nextToken(0); i < python.size(); i = python.nextToken(next)) {
    next = python.behindToken(i);
    if (!python.isQuote(i)) continue;
    const std::size_t value = dictionaryBehind(python, i);
    if (value == i) continue;
    const std::size_t end = python.behindBrackets(value);
    python.translate(i, end);
    next = end;
  }
  return python.take();
}

std::string experimentAsJson(const std::string& text) {
  return parseJson(text, "") ? text : withJsonDictionaries(text);
}

}  // namespace slipstream
