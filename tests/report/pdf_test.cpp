// SPDX-License-Identifier: GPL-3.0-or-later
// The PDF is what readers expect: offsets are right, text can be taken out of it, and rows are whole.
#include <algorithm>
#include <cstdlib>
#include <map>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "engine/base/characters.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/document/drawing.h"
#include "engine/document/page_layout.h"
#include "engine/document/paragraph_lines.h"
#include "engine/document/true_type.h"
#include "engine/report/report.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::HasSubstr;

std::string inflated(const std::string& packed) {
  std::string text(packed.size() * 50 + 100'000, '\0');
  uLongf size = text.size();
  const int done = uncompress(reinterpret_cast<Bytef*>(text.data()), &size,
                              reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  EXPECT_EQ(done, Z_OK);
  text.resize(size);
  return text;
}

/// Checks that every entry of the cross-reference table points at its object, and returns the objects, 1 first.
std::vector<std::string> objectsOf(const std::string& pdf) {
  std::vector<std::string> objects;
  const std::size_t start = pdf.rfind("startxref\n") + 10;
  const std::size_t table = static_cast<std::size_t>(std::stoul(pdf.substr(start)));
  EXPECT_EQ(pdf.substr(table, 7), "xref\n0 ");
  const std::size_t count = std::stoul(pdf.substr(table + 7));
  const std::size_t entries = pdf.find('\n', table + 5) + 1;
  for (std::size_t i = 1; i < count; ++i) {
    const std::size_t offset = std::stoul(pdf.substr(entries + 20 * i, 10));
    const std::string head = std::to_string(i) + " 0 obj\n";
    EXPECT_EQ(pdf.substr(offset, head.size()), head);
    objects.push_back(pdf.substr(offset, pdf.find("endobj", offset) - offset));
  }
  return objects;
}

std::string streamOf(const std::string& object) {
  const std::size_t begin = object.find("stream\n");
  return inflated(object.substr(begin + 7, object.rfind("\nendstream") - begin - 7));
}

/// "12" of "/F1 12 0 R": the number of the object behind a key; 0 where it has none.
std::size_t referenceIn(const std::string& object, const std::string& key) {
  std::smatch match;
  return std::regex_search(object, match, std::regex(key + R"( (\d+) 0 R)")) ? std::stoul(match[1]) : 0;
}

/// What the glyphs of a font are, by its ToUnicode map, as UTF-8.
std::map<std::string, std::string> charactersOfFont(const std::string& map) {
  std::map<std::string, std::string> characters;
  static const std::regex entry(R"(1 beginbfchar <([0-9A-F]{4})> <([0-9A-F]{4})> endbfchar)");
  for (std::sregex_iterator match(map.begin(), map.end(), entry), end; match != end; ++match) {
    characters[(*match)[1]] = utf8Of(static_cast<char32_t>(std::stoul((*match)[2], nullptr, 16)));
  }
  return characters;
}

/// The pages' text as a reader takes it out: glyph by glyph, by what each font says that its glyphs are.
std::string shownText(const std::string& pdf) {
  const std::vector<std::string> objects = objectsOf(pdf);
  const auto resources = std::ranges::find_if(
      objects, [](const std::string& one) { return one.find("/Font << /F") != std::string::npos; });
  EXPECT_NE(resources, objects.end());
  std::map<std::string, std::map<std::string, std::string>> fonts;
  for (const char* name : {"/F1", "/F2", "/F3", "/F4"}) {
    const std::size_t font = referenceIn(*resources, name);
    if (font == 0) continue;
    EXPECT_THAT(objects[font - 1], HasSubstr("/Type0"));
    const std::size_t descendant = std::stoul(objects[font - 1].substr(objects[font - 1].find("Fonts [") + 7));
    EXPECT_GT(referenceIn(objects[referenceIn(objects[descendant - 1], "/FontDescriptor") - 1], "/FontFile2"), 0U);
    fonts[name] = charactersOfFont(streamOf(objects[referenceIn(objects[font - 1], "/ToUnicode") - 1]));
  }
  std::string text;
  static const std::regex shown(R"((/F\d) \S+ Tf \d Tr <([0-9A-F]*)> Tj)");
  for (const std::string& object : objects) {
    const bool isPage = object.find("stream\n") != std::string::npos && object.find("/Length1") == std::string::npos;
    const std::string content = isPage ? streamOf(object) : "";
    for (std::sregex_iterator match(content.begin(), content.end(), shown), end; match != end; ++match) {
      const std::string glyphs = (*match)[2];
      for (std::size_t at = 0; at < glyphs.size(); at += 4) text += fonts[(*match)[1]][glyphs.substr(at, 4)];
      text += "\n";
    }
  }
  return text;
}

class PdfTest : public ::testing::Test {
 protected:
  PdfTest() {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      test::recordRun(*store, {.variant = "mean", .seed = seed, .accuracy = 0.97});
      test::recordRun(*store, {.variant = "adasum", .seed = seed, .accuracy = 0.98, .adasum = true});
    }
  }
  ReportDocument document() { return reportDocument(*store, store->runs()).value(); }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
};

TEST_F(PdfTest, OpensAndItsTextCanBeTakenOut) {
  if (!findPrintFont(PrintFont::regular)) GTEST_SKIP() << "fonts-liberation is not installed";
  const std::string pdf = toPdf(document(), Language::english).value();
  const std::vector<std::string> objects = objectsOf(pdf);
  EXPECT_THAT(objects[0], HasSubstr("/Catalog"));
  EXPECT_THAT(objects[1], HasSubstr("/Type /Pages"));
  EXPECT_THAT(pdf, ::testing::Not(HasSubstr("/Type1"))) << "every font is embedded";
  EXPECT_LT(pdf.size(), 300'000U) << "only what is used of the fonts";
  const std::string text = shownText(pdf);
  for (const char* part : {"adasum against mean on 2 ranks", "Test accuracy, %", "Orthogonality by layer",
                           "slipstream run experiment.json", "page 1 of ", "target", "−"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_EQ(toPdf(document(), Language::english).value(), pdf) << "the same report is the same bytes";
}

TEST_F(PdfTest, ChineseIsEmbeddedOrThePackageIsNamed) {
  const auto pdf = toPdf(document(), Language::chinese);
  if (!findPrintFont(PrintFont::regular) || !findPrintFont(PrintFont::chinese)) {
    ASSERT_FALSE(pdf);
    EXPECT_THAT(pdf.error().front().remedy, HasSubstr("install the package fonts-"));
    return;
  }
  EXPECT_THAT(shownText(*pdf), HasSubstr("测试准确率"));
  EXPECT_LT(pdf->size(), 600'000U) << "only what is used of the font";
}

/// A font for Chinese is needed only where the Latin one lacks a character.
TEST(PdfFile, SignsAreInTheLatinFont) {
  if (!findPrintFont(PrintFont::regular)) GTEST_SKIP() << "fonts-liberation is not installed";
  ReportDocument document;
  document.add(Paragraph{"λ ≤ √2 → ∞, Ж"});
  const auto pdf = toPdf(document, Language::english);
  ASSERT_TRUE(pdf);
  EXPECT_THAT(shownText(*pdf), HasSubstr("≤"));
  EXPECT_THAT(*pdf, ::testing::Not(HasSubstr("+Chinese")));
}

TEST(PageLayout, ChartsAreBesideEachOtherWhereTheirNamesAreShortOrTheSame) {
  const auto distance = [](const std::string& left, const std::string& right) {
    ReportDocument document;
    for (const std::string& label : {left, right}) {
      ChartModel chart{.title = "loss", .last = 10};
      chart.curves.push_back({.label = label, .line = {{{0, 10}, {1, 2}}}});
      document.add(Figure{std::move(chart), "caption"});
    }
    double first = -1, second = -1;
    const std::vector<Drawing> pages = layOutPages(document, Language::english);
    for (const Mark& mark : pages.front().marks) {
      const auto* text = std::get_if<DrawnText>(&mark);
      if (text == nullptr || !text->text.starts_with("Figure ")) continue;
      (text->text.starts_with("Figure 1") ? first : second) = text->at.y;
    }
    return second - first;
  };
  const std::string longName = "averaged, rate times ranks, long warm-up";
  EXPECT_EQ(distance("mean", "sum"), 0);
  EXPECT_GT(distance(longName, longName + " too"), 100);
  EXPECT_EQ(distance(longName, longName), 0) << "one legend has the names of both";
}

TEST(PageLayout, LetterIsLetter) {
  ReportDocument document;
  document.mark = "question 4e1c90b7";
  document.add(Paragraph{"text"});
  const std::vector<Drawing> pages = layOutPages(document, Language::english, sheetOf(PaperSize::letter));
  ASSERT_EQ(pages.size(), 1U);
  EXPECT_EQ(pages.front().width, 612);
  EXPECT_EQ(pages.front().height, 792);
}

TEST(PageLayout, RowsAreWholeAndTheHeaderComesAgain) {
  ReportDocument document;
  Table table{.columns = {{.title = "name"}, {.title = "value", .number = true}}};
  for (int i = 0; i < 200; ++i) table.rows.push_back({{.text = "row"}, {.text = std::to_string(i)}});
  document.add(std::move(table));
  const std::vector<Drawing> pages = layOutPages(document, Language::english);
  ASSERT_GT(pages.size(), 2U);
  int rows = 0, headers = 0;
  for (const Drawing& page : pages) {
    for (const Mark& mark : page.marks) {
      const auto* text = std::get_if<DrawnText>(&mark);
      if (text == nullptr) continue;
      EXPECT_LT(text->at.y, page.height - 20);
      rows += text->text == "row" ? 1 : 0;
      headers += text->text == "name" ? 1 : 0;
    }
  }
  EXPECT_EQ(rows, 200);
  EXPECT_EQ(headers, static_cast<int>(pages.size()));
  EXPECT_EQ(layOutPages(document, Language::english, {600, 0, true}).size(), 1U);
}

TEST(PageLayout, LinesBreakAtBlanksAndBetweenChineseCharacters) {
  const auto lines = wrapped({{"the quick brown fox", false}, {" jumps", true}}, 10, 60);
  ASSERT_GE(lines.size(), 2U);
  for (const TextLine& line : lines) {
    EXPECT_LE(line.width, 60);
    EXPECT_FALSE(line.spans.front().words.starts_with(' '));
  }
  for (const TextLine& line : wrapped({{"各卡正交而相加时为一，平行而取均值", false}}, 10, 45)) {
    EXPECT_FALSE(line.spans.front().words.starts_with("，"));
  }
}

}  // namespace
}  // namespace slipstream
