// SPDX-License-Identifier: GPL-3.0-or-later
// The PDF is what readers expect: offsets are right, text can be taken out of it, and rows are whole.
#include <cstdlib>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
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

/// The pages' text as it is shown, in the fonts that every reader has.
std::string shownText(const std::string& pdf) {
  std::string text;
  static const std::regex string(R"(\(((?:[^()\\]|\\.)*)\) Tj)");
  for (const std::string& object : objectsOf(pdf)) {
    const std::size_t begin = object.find("stream\n");
    if (begin == std::string::npos || object.find("/Length1") != std::string::npos) continue;
    const std::string content = inflated(object.substr(begin + 7, object.rfind("\nendstream") - begin - 7));
    for (std::sregex_iterator match(content.begin(), content.end(), string), end; match != end; ++match) {
      text += (*match)[1].str() + "\n";
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
  const std::string pdf = toPdf(document(), Language::english).value();
  const std::vector<std::string> objects = objectsOf(pdf);
  EXPECT_THAT(objects[0], HasSubstr("/Catalog"));
  EXPECT_THAT(objects[1], HasSubstr("/Type /Pages"));
  EXPECT_THAT(pdf, HasSubstr("/Helvetica"));
  EXPECT_THAT(pdf, ::testing::Not(HasSubstr("FontFile"))) << "nothing to embed";
  const std::string text = shownText(pdf);
  for (const char* part : {"adasum against mean on 2 ranks", "Test accuracy, %", "Orthogonality by layer",
                           "slipstream run experiment.json", "page 1 of ", "target"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  EXPECT_EQ(toPdf(document(), Language::english).value(), pdf) << "the same report is the same bytes";
}

TEST_F(PdfTest, ChineseIsEmbeddedOrThePackageIsNamed) {
  const auto pdf = toPdf(document(), Language::chinese);
  if (!findChineseFont()) {
    ASSERT_FALSE(pdf);
    EXPECT_THAT(pdf.error().front().remedy, HasSubstr("fonts-wqy-microhei"));
    return;
  }
  EXPECT_GT(objectsOf(*pdf).size(), 5U);
  EXPECT_THAT(*pdf, HasSubstr("/FontFile2"));
  EXPECT_THAT(*pdf, HasSubstr("/ToUnicode"));
  EXPECT_LT(pdf->size(), 600'000U) << "only what is used of the font";
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
