// SPDX-License-Identifier: GPL-3.0-or-later
// pdfLaTeX compiles a paper without a word of warning, and everybody can select and copy its text.
#include <cstdlib>
#include <regex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/document/true_type.h"
#include "engine/latex/latex_text.h"
#include "tests/paper/written_papers.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;

bool isThere(const std::string& command) {
  return std::system((command + " > /dev/null 2>&1").c_str()) == 0;
}

/// What keeps papers from being compiled here; empty: nothing.
std::string whatIsMissing() {
  for (const char* program : {"pdflatex", "pdftotext", "pdffonts"}) {
    if (!isThere(std::string("command -v ") + program)) return program;
  }
  for (const char* package : {"booktabs", "float", "newunicodechar", "pgfplots", "siunitx"}) {
    if (!isThere(std::string("kpsewhich ") + package + ".sty")) return std::string("the LaTeX package ") + package;
  }
  if (!findPrintFont(PrintFont::regular)) return "the package fonts-liberation";
  return findPrintFont(PrintFont::chinese) ? "" : "the package fonts-wqy-microhei";
}

class CompiledPapers : public ::testing::Test, protected test::WrittenPapers {
 protected:
  void SetUp() override {
    if (const std::string missing = whatIsMissing(); !missing.empty()) GTEST_SKIP() << missing << " is not installed";
  }

  std::string outputOf(const std::string& command, const fs::path& folder) {
    const fs::path output = places.path() / "output";
    const std::string line = "cd '" + folder.string() + "' && " + command + " > '" + output.string() + "' 2>&1";
    EXPECT_EQ(std::system(line.c_str()), 0) << command << "\n" << readFile(output).value();
    return readFile(output).value();
  }

  /// Compiles paper.tex once, as nobody has before.
  void compile(const fs::path& folder) {
    outputOf("pdflatex -interaction=nonstopmode -halt-on-error paper.tex", folder);
    const std::string log = readFile(folder / "paper.log").value();
    for (const char* complaint : {"Warning", "Overfull", "Missing character", "Rerun", "undefined"}) {
      EXPECT_THAT(log, Not(HasSubstr(complaint))) << folder;
    }
  }

  std::string textOf(const fs::path& pdf) {
    return outputOf("pdftotext -layout '" + pdf.string() + "' -", pdf.parent_path());
  }

  /// Every font is embedded and says which characters its glyphs are.
  void expectFontsInside(const fs::path& pdf) {
    const std::string fonts = outputOf("pdffonts '" + pdf.string() + "'", pdf.parent_path());
    std::size_t count = 0;
    static const std::regex line(R"(\n\S.*\s(yes|no)\s+(yes|no)\s+(yes|no)\s+\d+\s+\d+(?=\n))");
    for (std::sregex_iterator match(fonts.begin(), fonts.end(), line), end; match != end; ++match) {
      ++count;
      EXPECT_EQ((*match)[1], "yes") << "not embedded:" << match->str();
      EXPECT_EQ((*match)[3], "yes") << "not Unicode:" << match->str();
    }
    EXPECT_GT(count, 0U) << fonts;
  }
};

TEST_F(CompiledPapers, OfAFinishedStudy) {
  finishedStudy();
  write("paper/");
  const fs::path folder = places.path() / "paper";
  compile(folder);
  const std::string text = textOf(folder / "paper.pdf");
  for (const char* part : {"adasum against mean", "Method", "Holm", "Secondary measures", "Environment"}) {
    EXPECT_THAT(text, HasSubstr(part));
  }
  expectFontsInside(folder / "paper.pdf");
  for (const char* pdf : {"report.pdf", "figures/accuracy.pdf"}) expectFontsInside(folder / pdf);
  EXPECT_THAT(textOf(folder / "report.pdf"), HasSubstr("adasum against mean"));
  EXPECT_THAT(textOf(folder / "figures/accuracy.pdf"), HasSubstr("Test accuracy"));
  write("paper/");  // what LaTeX left there is no obstacle
}

TEST_F(CompiledPapers, OfAFailedAndOfARunningStudyOnLetterPaper) {
  failedStudy();
  write("failed/", {Language::english, PaperSize::letter});
  compile(places.path() / "failed");
  EXPECT_THAT(textOf(places.path() / "failed/paper.pdf"), HasSubstr("the loss is no number"));
  ASSERT_TRUE(store->studies().find("study"));
  store->setState(cells().back().run, RunState::lost, "its supervisor is gone");
  write("running/");
  compile(places.path() / "running");
  EXPECT_THAT(textOf(places.path() / "running/paper.pdf"), HasSubstr("So far"));
}

TEST_F(CompiledPapers, WithNamesThatTexWouldObey) {
  begin({{"measure", "accuracy"}}, {{"least", 3}},
        {"mean", R"(\input{/etc/passwd} a_b%c#d&e~f^g$h)", "梯度求和 é λ → \"x\""});
  finish([](const StudyCell& cell) { return 0.9 + 0.001 * static_cast<double>(cell.seed + cell.variant.size() % 5); });
  write("paper/");
  compile(places.path() / "paper");
  for (const char* pdf : {"paper.pdf", "report.pdf"}) {
    const std::string text = textOf(places.path() / "paper" / pdf);
    EXPECT_THAT(text, HasSubstr("\\input{/etc/passwd}")) << pdf;
    EXPECT_THAT(text, HasSubstr("a_b%c#d&e")) << pdf;
    EXPECT_THAT(text, Not(HasSubstr("root:x:"))) << pdf;
  }
  EXPECT_THAT(textOf(places.path() / "paper/report.pdf"), HasSubstr("梯度求和"));
}

TEST_F(CompiledPapers, InChinese) {
  finishedStudy();
  write("paper/", {Language::chinese, PaperSize::a4});
  compile(places.path() / "paper");
  EXPECT_THAT(textOf(places.path() / "paper/report.pdf"), HasSubstr("次要度量"));
}

TEST_F(CompiledPapers, OfRunsWithStages) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    test::recordRun(*store, {.variant = "mean", .seed = seed, .accuracy = 0.97});
    test::recordRun(*store, {.variant = "adasum", .seed = seed, .accuracy = 0.98, .adasum = true});
  }
  writeRuns("paper/");
  compile(places.path() / "paper");
}

TEST(LatexText, NumbersAreThoseOfSiunitx) {
  EXPECT_EQ(latexNumbers("98.94 ± 0.05 (3/5)"), R"(\num{98.94} $\pm$ \num{0.05} (\num{3}/\num{5}))");
  EXPECT_EQ(latexNumbers("−0.06 … +0.10"), R"(\num{-0.06} \ldots{} \num[retain-explicit-plus]{+0.10})");
  EXPECT_EQ(latexNumbers("> 1,468 (0 of 5)"), R"($>$ \num{1468} (\num{0} of \num{5}))");
  EXPECT_EQ(latexNumbers("2.30e-05"), R"(\num{2.30e-5})");
  EXPECT_EQ(latexNumbers("−31.0 %"), R"(\num{-31.0} \%)");
  EXPECT_EQ(latexNumbers("v2 of 3.1.2"), "v2 of 3.1.2") << "parts of names and versions are none";
}

TEST(LatexText, PlainNumbersStandUnderEachOther) {
  for (const char* number : {"98.94", "+1.32", "−1,234", "7"}) EXPECT_TRUE(isPlainNumber(number)) << number;
  for (const char* text : {"", "–", "1.2.3", "12 ms", "nan", "1 2"}) EXPECT_FALSE(isPlainNumber(text)) << text;
  EXPECT_EQ(plainNumber("−1,234.5"), "-1234.5");
}

TEST(LatexText, SignsThatFontsJoinStayApart) {
  EXPECT_EQ(latexText("--seeds ''x'' ``y`` ---"), "-{}-seeds '{}'x'{}' `{}`y`{}` -{}-{}-");
  EXPECT_EQ(latexProse("a_b/c"), "a\\_\\allowbreak{}b/\\allowbreak{}c");
}

TEST(LatexText, KnowsWhatItHasFontsFor) {
  for (const char32_t character : {U'a', U'é', U'±', U'λ', U'√', U'Š'}) EXPECT_FALSE(isBeyondLatex(character));
  for (const char32_t character : {U'网', U'Ж', U'😀', U'Đ'}) EXPECT_TRUE(isBeyondLatex(character));
}

}  // namespace
}  // namespace slipstream
