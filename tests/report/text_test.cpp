// SPDX-License-Identifier: GPL-3.0-or-later
// Messages with arguments, and that the Chinese catalogue holds every message of the sources.
#include "engine/spec/text.h"

#include <cctype>
#include <filesystem>
#include <functional>
#include <regex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/analysis/comparison.h"
#include "engine/base/files.h"
#include "engine/boost/metrics.h"
#include "engine/report/variant_charts.h"
#include "engine/spec/decision.h"

namespace slipstream {
namespace {

/// The literals that follow each other from `at` on, as the compiler joins them.
std::string literalAt(const std::string& source, std::size_t at) {
  std::string text;
  while ((at = source.find_first_not_of(" \n", at)) != std::string::npos && source[at] == '"') {
    for (++at; at < source.size() && source[at] != '"'; ++at) {
      if (source[at] == '\\') ++at;  // no message has other escapes than quotation marks
      text += source[at];
    }
    ++at;
  }
  return text;
}

/// Calls `use` with the text of each source file in the folder.
void forSources(const char* folder, const std::function<void(const std::filesystem::path&, const std::string&)>& use) {
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(std::filesystem::path(SLIPSTREAM_SOURCE) / folder)) {
    if (entry.path().extension() == ".cpp") use(entry.path(), readFile(entry.path()).value());
  }
}

/// Calls `use` with what follows each call of a function. A regular expression over all sources takes seconds.
void forCalls(const std::string& source, const std::string& function, const std::function<void(std::size_t)>& use) {
  const std::string call = function + '(';
  for (std::size_t at = 0; (at = source.find(call, at)) != std::string::npos; at += call.size()) {
    const bool isWhole =
        at == 0 || (std::isalnum(static_cast<unsigned char>(source[at - 1])) == 0 && source[at - 1] != '_');
    if (isWhole) use(at + call.size());
  }
}

void addMessages(const std::string& source, std::set<std::string>& messages) {
  static const std::regex noun(R"([^";]*"([^"]*)\"\))");
  for (const char* function : {"phrase", "message"}) {
    forCalls(source, function, [&](std::size_t at) { messages.insert(literalAt(source, at)); });
  }
  forCalls(source, "countedText", [&](std::size_t at) {
    std::smatch match;
    const auto from = source.begin() + static_cast<std::ptrdiff_t>(at);
    if (std::regex_search(from, source.end(), match, noun, std::regex_constants::match_continuous)) {
      messages.insert("{} " + match[1].str());
    }
  });
}

/// What `phrase`, `message` and `countedText` are given in the engine and in the window, whose other texts Qt
/// translates.
std::set<std::string> messagesOfSources() {
  std::set<std::string> messages;
  for (const char* folder : {"engine", "ui"}) {
    forSources(folder, [&](const auto&, const std::string& source) { addMessages(source, messages); });
  }
  messages.erase("");
  for (const Measure& measure : measures()) {
    messages.insert(measure.name());
    messages.insert(measure.title);
  }
  for (const char* metric : comparedMetrics) messages.insert(findMetric(metric)->title);
  for (int state = 0; state <= static_cast<int>(RunState::lost); ++state) {
    messages.emplace(nameOf(static_cast<RunState>(state)));
  }
  return messages;
}

/// Which argument each place takes.
std::multiset<std::size_t> argumentsOf(const std::string& pattern) {
  std::multiset<std::size_t> arguments;
  static const std::regex place(R"(\{(\d*)\})");
  for (std::sregex_iterator match(pattern.begin(), pattern.end(), place), end; match != end; ++match) {
    const std::string index = (*match)[1];
    arguments.insert(index.empty() ? arguments.size() : std::stoul(index));
  }
  return arguments;
}

TEST(Text, EveryMessageIsThereInChineseWithItsArguments) {
  const std::set<std::string> messages = messagesOfSources();
  EXPECT_GT(messages.size(), 300U) << "the sources were not found";
  for (const std::string& english : messages) {
    const std::string* chinese = translation(english, Language::chinese);
    if (chinese == nullptr) {
      ADD_FAILURE() << "\"" << english << "\" is missing in resources/translations/report_zh_CN.json, which is "
                    << "compiled in: add it and build again";
      continue;
    }
    EXPECT_FALSE(chinese->empty()) << english;
    EXPECT_EQ(argumentsOf(*chinese), argumentsOf(english)) << english << " / " << *chinese;
  }
}

/// A string literal would be a text that nobody translates.
TEST(Text, ReasonsOfDecisionsAreMessages) {
  static const std::regex literal(R"(\bReason::\w+,\s*")");
  forSources("engine", [](const std::filesystem::path& file, const std::string& source) {
    EXPECT_FALSE(std::regex_search(source, literal)) << file;
  });
}

TEST(Text, ReasonsOfDecisionsHaveTheirArguments) {
  const Decision fusion =
      noEffect("comm_fusion", "4", Reason::network, phrase("the network has {}", {countedText(2, "tensor")}));
  EXPECT_EQ(fusion.why.in(), "no effect: the network has 2 tensors");
  EXPECT_EQ(fusion.why.in(Language::chinese), "不起作用：网络有 2 个张量");
  EXPECT_EQ(stateText(switchedOff("adasum", Reason::level, phrase("x"))).in(Language::chinese), "关闭");
}

TEST(Text, IsPutIntoWordsLate) {
  const Text ranks = countedText(1200, "rank");
  EXPECT_EQ(ranks.in(), "1,200 ranks");
  EXPECT_EQ(ranks.in(Language::chinese), "1,200 个 rank");
  const Text points = phrase("{} points higher", {"1.32"});
  const Text claim =
      phrase("{} ({}).", {strong(phrase("{} ends {} in test accuracy than {}", {"adasum", points, "mean"})), "n = 3"});
  EXPECT_EQ(claim.in(), "adasum ends 1.32 points higher in test accuracy than mean (n = 3).");
  EXPECT_EQ(claim.in(Language::chinese), "adasum 的最终测试准确率比 mean 高 1.32 个百分点（n = 3）。");
  const std::vector<Span> spans = claim.spans(Language::chinese);
  EXPECT_TRUE(spans.front().strong);
  EXPECT_FALSE(spans.back().strong);
}

/// Whatever an argument turns out to be, Chinese characters follow each other without a space, and one is between them
/// and Latin letters or digits.
TEST(Text, ChineseIsSpacedWhereItsPartsMeet) {
  EXPECT_EQ(phrase("{} against {}", {countedText(36, "variant"), "mean"}).in(Language::chinese),
            "36 个变体与 mean 比较");
  EXPECT_EQ(phrase("Of {} of test accuracy with {}: {}.", {"36", "mean", "x"}).in(Language::chinese),
            "与 mean 的测试准确率 36 中：x。");
  EXPECT_EQ(joined({phrase("log scale"), phrase("smoothed {}", {"0.85"})}, ", ").in(Language::chinese),
            "对数坐标，平滑 0.85");
  EXPECT_EQ(joined({phrase("log scale"), phrase("smoothed {}", {"0.85"})}, ", ").in(), "log scale, smoothed 0.85");
  EXPECT_EQ(joined({"甲", "a"}, "").in(Language::chinese), "甲a") << "names stay as people gave them";
}

/// Names of networks, runs and files may be words of the catalogue.
TEST(Text, OnlyMessagesAreTranslated) {
  ASSERT_NE(translation("sum", Language::chinese), nullptr);
  EXPECT_EQ(phrase("{} is off", {"sum"}).in(Language::chinese), "sum 已关闭");
  EXPECT_EQ(phrase("{} is off", {phrase("sum")}).in(Language::chinese), "和已关闭");
  EXPECT_EQ(Text("sum").in(Language::chinese), "sum");
}

TEST(Text, NamesAreNotCapitalized) {
  EXPECT_EQ(capitalized(phrase("{} against {}, {}.", {"a", "b", "c"})).in(), "a against b, c.");
  EXPECT_EQ(capitalized(joined({strong("a"), "b"}, ", ")).in(), "a, b");
  EXPECT_EQ(capitalized(phrase("{} against {}, {}.", {phrase("mean"), "b", "c"})).in(), "Mean against b, c.");
  EXPECT_EQ(capitalized(phrase("stages of {}", {"a"})).in(), "Stages of a");
}

TEST(Text, IsStoredWithTheKindsOfItsArguments) {
  for (const Text& text :
       {Text("sum"), Text(), phrase("sum"), phrase("{} is off", {"sum"}), phrase("{} is off", {phrase("sum")}),
        phrase("the network has {}", {countedText(2, "tensor")}), joined({"sum", phrase("sum")}, ", ")}) {
    EXPECT_EQ(textOfStored(storedForm(text)), text) << storedForm(text);
    EXPECT_EQ(textOfStored(storedForm(text)).in(Language::chinese), text.in(Language::chinese));
  }
}

TEST(Text, IsEmptyWhereNoneIsStored) {
  for (const char* stored : {"3", "null", "[]", "[3]", "{}", R"({"count": "2", "noun": "rank"})", R"({"count": 2})",
                             R"({"joined": "a", "separator": ""})"}) {
    EXPECT_TRUE(textOfStored(Json::parse(stored)).empty()) << stored;
  }
}

TEST(Text, ArgumentsAreNotPatterns) {
  EXPECT_EQ(phrase("{}: {}", {"{1}", "{}"}).in(), "{1}: {}");
  EXPECT_EQ(joined({"one.", "", "two."}, " ").in(Language::chinese), "one.two.");
}

/// Values of users and plans of other people's stores.
TEST(Text, BracesThatCloseNothingAreLetters) {
  for (const char* written : {"/tmp/{run", "/tmp/{run}/w", "{", "}{", "{}"}) {
    const Decision decision = noEffect("weight_load_dir", written, Reason::option, phrase("nothing reads it"));
    EXPECT_EQ(stateText(decision).in(), written);
    EXPECT_EQ(stateText(decision).in(Language::chinese), written);
  }
  EXPECT_EQ(phrase("{} of {", {"1"}).in(), "1 of {");
  EXPECT_EQ(phrase("}{}", {"1"}).in(), "}1");
}

TEST(Text, TheStateOfADecisionIsAWordOnlyWhereItIsASwitch) {
  EXPECT_EQ(stateText(adjusted("network", "step", Reason::written, phrase("x"))).in(Language::chinese), "step");
  EXPECT_EQ(stateText(noEffect("name", "mean", Reason::written, phrase("x"))).in(Language::chinese), "mean");
}

TEST(Text, OnlyLanguagesThatReportsAreWrittenIn) {
  EXPECT_EQ(languageOf("zh_CN").value(), Language::chinese);
  for (const char* tag : {"zh-CN", "ZH", "zh-Hans", "zh_CN.UTF-8"})
    EXPECT_EQ(languageOf(tag).value(), Language::chinese);
  EXPECT_EQ(languageOf("en").value(), Language::english);
  EXPECT_FALSE(languageOf(""));
  EXPECT_FALSE(languageOf("fr"));
}

}  // namespace
}  // namespace slipstream
