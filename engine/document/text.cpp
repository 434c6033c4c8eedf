// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/text.h"

#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/document/report_resources.h"

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

Text textOf(const Phrase& message) {
  if (message.arguments.empty() && translation(message.pattern, Language::chinese) == nullptr) return message.pattern;
  std::vector<Text> arguments;
  for (const Phrase& argument : message.arguments) arguments.push_back(textOf(argument));
  return phrase(message.pattern, std::move(arguments));
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
  return spans;
}

void Text::append(Language language, bool strong, std::vector<Span>& spans) const {
  strong = strong || strong_;
  const std::size_t first = spans.size();
  const auto add = [&](std::string words) {
    if (!words.empty()) spans.push_back({std::move(words), strong});
  };
  if (kind_ == Kind::literal) add(words_);
  if (kind_ == Kind::phrase) appendPhrase(patternIn(words_, language), language, strong, spans);
  if (kind_ == Kind::count && language == Language::english) add(counted(count_, words_));
  if (kind_ == Kind::count && language != Language::english) {
    const std::string pattern = "{} " + words_;
    phrase(pattern, {countText(count_)}).append(language, strong, spans);
  }
  for (std::size_t i = 0; kind_ == Kind::list && i < arguments_.size(); ++i) {
    if (i > 0 && (language == Language::english || words_ != " ")) add(words_);
    arguments_[i].append(language, strong, spans);
  }
  if (!capital_ || language != Language::english || spans.size() == first) return;
  char& letter = spans[first].words.front();
  letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
}

/// Braces of a text without arguments are its own, and so is one that nothing closes.
void Text::appendPhrase(std::string_view pattern, Language language, bool strong, std::vector<Span>& spans) const {
  for (std::size_t next = 0; !pattern.empty();) {
    std::size_t open = arguments_.empty() ? std::string_view::npos : pattern.find('{');
    const std::size_t close = pattern.find('}', std::min(open, pattern.size()));
    if (close == std::string_view::npos) open = close;
    if (open > 0) spans.push_back({std::string(pattern.substr(0, open)), strong});
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

Text reasonText(const Decision& decision) {
  return textOf(decision.words);
}

/// Values, which may be what a user wrote, are the same in every language.
Text stateText(const Decision& decision) {
  const bool isSwitch = decision.state == "on" || decision.state == "off";
  return isSwitch ? phrase(decision.state) : Text(decision.state);
}

Text countedText(std::int64_t count, const char* noun) {
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
  text.capital_ = true;
  return text;
}

}  // namespace slipstream
