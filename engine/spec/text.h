// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/failure.h"
#include "engine/config/json.h"

namespace slipstream {

enum class Language { english, chinese };

/// The language of a tag as in $LANG or --language: "en", "zh", "zh_CN".
Result<Language> languageOf(const std::string& tag);

/// A run of characters in one weight.
struct Span {
  std::string words;
  bool strong = false;
  bool isLiteral = false;  ///< characters that are the same in every language, such as a name
};

/// A text that is put into words late, in the language of the reader: a message of the catalogue
/// (resources/translations/report_zh_CN.json) with its arguments, or characters that are the same in every language.
/// The English message is its own key. Characters are never looked up: a network named "step" stays "step".
class Text {
 public:
  Text() = default;
  Text(std::string words) : words_(std::move(words)) {}
  Text(std::string_view words) : words_(words) {}
  Text(const char* words) : words_(words) {}

  std::string in(Language language = Language::english) const;
  std::vector<Span> spans(Language language) const;
  bool empty() const { return words_.empty() && arguments_.empty(); }
  bool operator==(const Text&) const = default;

  friend Text phrase(std::string_view english, std::vector<Text> arguments);
  friend Text countedText(std::int64_t count, const std::string& noun);
  friend Text joined(std::vector<Text> parts, std::string_view separator);
  friend Text strong(Text text);
  friend Text capitalized(Text text);
  friend Text uncapitalized(Text text);
  friend Json storedForm(const Text& text);

 private:
  enum class Kind { literal, phrase, count, list };

  void append(Language language, bool strong, std::vector<Span>& spans) const;
  void appendPhrase(std::string_view pattern, Language language, bool strong, std::vector<Span>& spans) const;

  Kind kind_ = Kind::literal;
  bool strong_ = false;
  enum class FirstLetter { asWritten, large, small } first_ = FirstLetter::asWritten;
  std::int64_t count_ = 0;
  std::string words_;  ///< the characters, the English message, the noun that is counted, or what separates a list
  std::vector<Text> arguments_;
};

/// A message of the catalogue. "{}" takes the next argument, "{1}" the second one: other languages order them
/// otherwise.
Text phrase(std::string_view english, std::vector<Text> arguments = {});
/// "1 rank", "2 ranks": `noun` in the singular, one whose plural takes an s.
Text countedText(std::int64_t count, const std::string& noun);
/// Parts one after the other. A blank between sentences is one of English only.
Text joined(std::vector<Text> parts, std::string_view separator);
Text strong(Text text);
/// With its first letter large, where the language has large letters and the text does not begin with a literal: names
/// are written as they are.
Text capitalized(Text text);
/// The opposite, for the title of something within a sentence.
Text uncapitalized(Text text);

/// A text as plans store it: characters are a string, a message is a list of its pattern and arguments, a count an
/// object of `count` and `noun`, a list an object of `joined` and `separator`. Weights and capitals are not stored.
Json storedForm(const Text& text);
/// The text of `storedForm`; an empty one where `stored` is none.
Text textOfStored(const Json& stored);

/// Marks a message that reaches `phrase` through a table, for the test that compares sources and catalogue.
constexpr const char* message(const char* english) {
  return english;
}

/// The catalogue's entry for an English message; nothing where it has none.
const std::string* translation(std::string_view english, Language language);

}  // namespace slipstream
