// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/text.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/spec/catalogue.h"

namespace slipstream {
namespace {

using Catalogue = std::map<std::string, std::string, std::less<>>;

const Catalogue& chineseMessages() {
  static const auto catalogue = nlohmann::json::parse(chineseCatalogue).get<Catalogue>();
  return catalogue;
}

std::string_view patternIn(std::string_view english, Language language) {
  const std::string* found = translation(english, language);
  return found == nullptr ? english : *found;
}

/// The elements of a list behind the first `from` ones.
std::vector<Text> textsOfStored(const Json& list, std::size_t from) {
  std::vector<Text> texts;
  for (std::size_t i = from; i < list.size(); ++i) texts.push_back(textOfStored(list[i]));
  return texts;
}

/// 0 of an empty text.
char32_t firstOf(std::string_view text) {
  constexpr std::size_t longest = 4;
  return text.empty() ? 0 : charactersOf(text.substr(0, longest)).front();
}
char32_t lastOf(std::string_view text) {
  return text.empty() ? 0 : charactersOf(text).back();
}
bool isHan(char32_t character) {
  return character >= 0x4E00 && character <= 0x9FFF;
}
bool isLatin(char32_t character) {
  return character < 0x80 && std::isalnum(static_cast<int>(character)) != 0;
}

/// Chinese has one space between Chinese characters and Latin letters or digits, and none between Chinese characters,
/// whatever a pattern's argument turns out to be. Names that people gave stay as they are.
void spaceJoint(Span& before, Span& after) {
  if (before.isLiteral && after.isLiteral) return;
  const std::string_view left = before.words, right = after.words;
  if (!before.isLiteral && left.ends_with(' ') && isHan(lastOf(left.substr(0, left.size() - 1))) &&
      isHan(firstOf(right))) {
    before.words.pop_back();
  } else if (!after.isLiteral && right.starts_with(' ') && isHan(lastOf(left)) && isHan(firstOf(right.substr(1)))) {
    after.words.erase(0, 1);
  } else if ((isHan(lastOf(left)) && isLatin(firstOf(right))) || (isLatin(lastOf(left)) && isHan(firstOf(right)))) {
    before.isLiteral ? after.words.insert(0, " ") : before.words.append(" ");
  }
}

std::string_view separatorIn(std::string_view separator, Language language) {
  if (language == Language::english) return separator;
  if (separator == " ") return "";
  return separator == ", " ? "，" : separator == "; " ? "；" : separator;
}

bool holds(const Json& object, const char* key, Json::value_t type) {
  return object.contains(key) && object[key].type() == type;
}

}  // namespace

Result<Language> languageOf(const std::string& tag) {
  std::string language;  // "zh" of zh_CN.UTF-8, of BCP 47's zh-Hans, and of ZH
  for (const char letter : tag.substr(0, tag.find_first_of("_-."))) {
    language += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  if (language == "en") return Language::english;
  if (language == "zh") return Language::chinese;
  return fail("--language", tag, "is no language that reports are written in", "write en or zh");
}

const std::string* translation(std::string_view english, Language language) {
  if (language == Language::english) return nullptr;
  const auto found = chineseMessages().find(english);
  return found == chineseMessages().end() ? nullptr : &found->second;
}

std::string Text::in(Language language) const {
  std::string words;
  for (const Span& span : spans(language)) words += span.words;
  return words;
}

std::vector<Span> Text::spans(Language language) const {
  std::vector<Span> spans;
  append(language, false, spans);
  for (std::size_t i = 1; language == Language::chinese && i < spans.size(); ++i) spaceJoint(spans[i - 1], spans[i]);
  return spans;
}

void Text::append(Language language, bool strong, std::vector<Span>& spans) const {
  strong = strong || strong_;
  const std::size_t first = spans.size();
  const auto add = [&](std::string words, bool isLiteral = false) {
    if (!words.empty()) spans.push_back({std::move(words), strong, isLiteral});
  };
  if (kind_ == Kind::literal) add(words_, true);
  if (kind_ == Kind::phrase) appendPhrase(patternIn(words_, language), language, strong, spans);
  if (kind_ == Kind::count && language == Language::english) add(counted(count_, words_));
  if (kind_ == Kind::count && language != Language::english) {
    const std::string pattern = "{} " + words_;
    phrase(pattern, {countText(count_)}).append(language, strong, spans);
  }
  for (std::size_t i = 0; kind_ == Kind::list && i < arguments_.size(); ++i) {
    if (i > 0) add(std::string(separatorIn(words_, language)));
    arguments_[i].append(language, strong, spans);
  }
  const bool isWritten = first_ == FirstLetter::asWritten || language != Language::english;
  if (isWritten || spans.size() == first || spans[first].isLiteral) return;
  char& letter = spans[first].words.front();
  const auto byte = static_cast<unsigned char>(letter);
  letter = static_cast<char>(first_ == FirstLetter::large ? std::toupper(byte) : std::tolower(byte));
}

/// Braces of a text without arguments are its own, and so is one that nothing closes.
void Text::appendPhrase(std::string_view pattern, Language language, bool strong, std::vector<Span>& spans) const {
  for (std::size_t next = 0; !pattern.empty();) {
    std::size_t open = arguments_.empty() ? std::string_view::npos : pattern.find('{');
    const std::size_t close = pattern.find('}', std::min(open, pattern.size()));
    if (close == std::string_view::npos) open = close;
    if (open > 0) spans.push_back({std::string(pattern.substr(0, open)), strong, false});
    if (open == std::string_view::npos) return;
    const auto index = parseInteger(pattern.substr(open + 1, close - open - 1));
    const std::size_t at = index ? static_cast<std::size_t>(*index) : next++;
    if (at < arguments_.size()) arguments_[at].append(language, strong, spans);
    pattern.remove_prefix(close + 1);
  }
}

Text phrase(std::string_view english, std::vector<Text> arguments) {
  Text text(english);
  text.kind_ = Text::Kind::phrase;
  text.arguments_ = std::move(arguments);
  return text;
}

Text countedText(std::int64_t count, const std::string& noun) {
  Text text(noun);
  text.kind_ = Text::Kind::count;
  text.count_ = count;
  return text;
}

Text joined(std::vector<Text> parts, std::string_view separator) {
  std::erase_if(parts, [](const Text& part) { return part.empty(); });
  if (parts.empty()) return {};
  Text text(separator);
  text.kind_ = Text::Kind::list;
  text.arguments_ = std::move(parts);
  return text;
}

Text strong(Text text) {
  text.strong_ = true;
  return text;
}

Text capitalized(Text text) {
  text.first_ = Text::FirstLetter::large;
  return text;
}

Text uncapitalized(Text text) {
  text.first_ = Text::FirstLetter::small;
  return text;
}

Json storedForm(const Text& text) {
  if (text.kind_ == Text::Kind::literal) return text.words_;
  if (text.kind_ == Text::Kind::count) return {{"count", text.count_}, {"noun", text.words_}};
  Json list = Json::array();
  if (text.kind_ == Text::Kind::phrase) list.push_back(text.words_);
  for (const Text& argument : text.arguments_) list.push_back(storedForm(argument));
  if (text.kind_ == Text::Kind::phrase) return list;
  return {{"joined", list}, {"separator", text.words_}};
}

Text textOfStored(const Json& stored) {
  if (stored.is_string()) return stored.get<std::string>();
  if (stored.is_array() && !stored.empty() && stored[0].is_string()) {
    return phrase(stored[0].get<std::string>(), textsOfStored(stored, 1));
  }
  if (!stored.is_object()) return {};
  if (stored.contains("count") && stored["count"].is_number_integer() && holds(stored, "noun", Json::value_t::string)) {
    return countedText(stored["count"].get<std::int64_t>(), stored["noun"].get<std::string>());
  }
  if (holds(stored, "joined", Json::value_t::array) && holds(stored, "separator", Json::value_t::string)) {
    return joined(textsOfStored(stored["joined"], 0), stored["separator"].get<std::string>());
  }
  return {};
}

}  // namespace slipstream
