// SPDX-License-Identifier: GPL-3.0-or-later
// The folder holds what the store holds, whatever state a study is in and whatever its variants are called.
#include "engine/paper/paper.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/document/true_type.h"
#include "engine/paper/paper_folder.h"
#include "engine/report/report.h"
#include "tests/paper/written_papers.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

class Papers : public ::testing::Test, protected test::WrittenPapers {
 protected:
  void SetUp() override {
    if (!findPrintFont(PrintFont::regular)) GTEST_SKIP() << "fonts-liberation is not installed";
  }
};

/// The fields of a line of CSV without quotation marks.
std::vector<std::vector<std::string>> rowsOf(const std::string& csv) {
  std::vector<std::vector<std::string>> rows;
  for (const std::string& line : split(trim(csv), '\n')) rows.push_back(split(line, ','));
  return rows;
}

std::size_t columnOf(const std::vector<std::vector<std::string>>& rows, const std::string& key) {
  return static_cast<std::size_t>(std::ranges::find(rows.front(), key) - rows.front().begin());
}

TEST_F(Papers, OfTheSameStudyAreTheSameBytesButTheTime) {
  finishedStudy();
  const auto first = write("first/"), second = write("second/");
  ASSERT_EQ(first.size(), second.size());
  for (const auto& [name, content] : first) {
    if (name == contentsFile) continue;
    EXPECT_EQ(second.at(name), content) << name;
  }
  auto one = nlohmann::json::parse(first.at(contentsFile)), other = nlohmann::json::parse(second.at(contentsFile));
  EXPECT_TRUE(one.erase("written") == 1 && other.erase("written") == 1);
  EXPECT_EQ(one, other);
}

TEST_F(Papers, HoldAllThatAPaperNeeds) {
  finishedStudy();
  const auto files = write("paper/");
  for (const char* name :
       {"report.html", "report.pdf", "paper.tex", "table.tex", "secondary.tex", "method.tex", "method.txt",
        "README.txt", "environment.json", "frozen.json", "data/comparisons.csv", "data/runs.csv", "data/verdict.json",
        "figures/accuracy.svg", "figures/accuracy.pdf", "figures/accuracy.dat", "figures/accuracy.tex",
        "data/accuracy.csv", "figures/orthogonality-adasum.pdf"}) {
    EXPECT_TRUE(files.contains(name)) << name;
  }
  EXPECT_EQ(files.at("frozen.json"), record().frozenText);
  EXPECT_THAT(files.at("environment.json"), HasSubstr("\"runs\""));
  const std::string& method = files.at("method.txt");
  for (const char* part : {"was frozen on", "Primary: Test accuracy, %", "Holm", "No variant was tuned",
                           "they get no verdict", "No run failed and none was left out"}) {
    EXPECT_THAT(method, HasSubstr(part));
  }
}

TEST_F(Papers, HaveTheNumbersOfTheStore) {
  finishedStudy();
  const auto files = write("paper/");
  const StudyVerdict found = verdict();
  const StudyComparison& one = found.comparisons.front();

  // table.tex: the rounded mean and difference of the verdict.
  EXPECT_THAT(files.at("table.tex"),
              HasSubstr(fmt::format("\\num{{{:.2f}}} $\\pm$ \\num{{{:.2f}}}", one.mean, one.spread)));
  EXPECT_THAT(files.at("table.tex"), HasSubstr(fmt::format("+{:.2f}", one.effect)));

  // runs.csv: the last accuracy of every run, to the bit.
  const auto runs = rowsOf(files.at("data/runs.csv"));
  ASSERT_EQ(runs.size(), 1 + cells().size());
  const std::size_t id = columnOf(runs, "run"), accuracy = columnOf(runs, "accuracy");
  for (std::size_t i = 1; i < runs.size(); ++i) {
    EXPECT_DOUBLE_EQ(parseNumber(runs[i].at(accuracy)).value(),
                     store->series(runs[i].at(id), "accuracy").values.back());
  }

  // accuracy.dat and accuracy.csv: the mean over seeds at every step that was evaluated.
  std::map<std::int64_t, double> sums;
  double count = 0;
  for (const StudyCell& cell : cells()) {
    if (cell.variant != "mean") continue;
    const Series series = store->series(cell.run, "accuracy");
    for (std::size_t i = 0; i < series.steps.size(); ++i) sums[series.steps[i]] += series.values[i];
    ++count;
  }
  const auto dat = split(trim(files.at("figures/accuracy.dat")), '\n');
  const auto names = split(dat.front(), ' ');
  const auto csv = rowsOf(files.at("data/accuracy.csv"));
  std::size_t checked = 0;
  const auto expectMean = [&](const std::string& x, const std::string& y) {
    if (x == "nan") return;
    const auto step = static_cast<std::int64_t>(parseNumber(x).value());
    ASSERT_TRUE(sums.contains(step)) << x;
    EXPECT_NEAR(parseNumber(y).value(), 100 * sums.at(step) / count, 1e-9);
    ++checked;
  };
  // The reference is the first curve.
  const auto at = static_cast<std::size_t>(std::ranges::find(names, "x-line-1") - names.begin());
  for (std::size_t i = 1; i < dat.size(); ++i) expectMean(split(dat[i], ' ').at(at), split(dat[i], ' ').at(at + 1));
  EXPECT_EQ(checked, sums.size());
  for (const auto& row : csv) {
    if (row.at(0) == "mean" && row.at(1) == "line") expectMean(row.at(3), row.at(4));
  }
  EXPECT_EQ(checked, 2 * sums.size());
}

TEST_F(Papers, OfAStudyThatRunsClaimNothingYet) {
  begin({{"measure", "accuracy"}}, {{"least", 3}});
  const std::string id = test::recordRun(*store, {.variant = "mean"});
  store->studies().setRun(number, 1, id, "{}", 100);
  const auto files = write("paper/");
  EXPECT_THAT(files.at("report.html"), HasSubstr("So far 1 of 6 cells have ended"));
  EXPECT_THAT(files.at("report.html"), Not(HasSubstr("is better than")));
}

TEST_F(Papers, OfAStudyWithoutARunAreWrittenToo) {
  begin({{"measure", "steps_to_target"}, {"target", 0.9}}, {{"least", 3}}, {"mean", "adasum"},
        {{"parallel.ranks", {2, 4}}});
  const auto files = write("paper/");
  EXPECT_THAT(files.at("report.html"), HasSubstr("So far 0 of 12 cells have ended"));
  EXPECT_THAT(files.at("report.html"), HasSubstr("No run has ended yet."));
}

TEST_F(Papers, KeepWhatFailed) {
  failedStudy();
  const auto files = write("paper/");
  for (const char* name : {"report.html", "failures.tex", "data/runs.csv"}) {
    EXPECT_THAT(files.at(name), HasSubstr("the loss is no number")) << name;
  }
  EXPECT_THAT(files.at("method.txt"), HasSubstr("A run that failed is an outcome"));
  EXPECT_THAT(files.at("table.tex"), HasSubstr("not comparable"));
}

TEST_F(Papers, DrawSeedsThatReachedTheTargetAndMeasuresOverTheirFactor) {
  begin({{"measure", "steps_to_target"}, {"target", 0.9}, {"primary", {"steps_to_target", "accuracy"}}}, {{"least", 3}},
        {"mean", "adasum"}, {{"parallel.ranks", {2, 4}}});
  finish([](const StudyCell& cell) { return cell.variant == "mean" ? (cell.seed == 1 ? 0.89 : 0.93) : 0.99; });
  const auto files = write("paper/");
  const std::string& reached = files.at("data/reached-steps-to-target-parallel-ranks-2.csv");
  // One of three seeds of mean never got there: two thirds did.
  double most = 0;
  for (const auto& row : rowsOf(reached)) {
    if (row.at(0) == "mean" && row.at(1) == "line") most = std::max(most, parseNumber(row.at(4)).value_or(0));
  }
  EXPECT_NEAR(most, 200.0 / 3, 1e-9);
  EXPECT_THAT(files.at("figures/reached-steps-to-target-parallel-ranks-2.tex"), HasSubstr("1 never reached it"));
  EXPECT_THAT(files.at("figures/accuracy-by-parallel-ranks.tex"), HasSubstr("xticklabels={{2},{4}}"));
}

/// The same seeds as the tables, which count no round before all of it has ended; the data has every run.
TEST_F(Papers, OfAStudyThatRunsDrawWhatWasJudged) {
  begin({{"measure", "steps_to_target"}, {"target", 0.9}}, {{"least", 3}, {"most", 6}});
  const auto accuracyOf = [](const StudyCell& cell) { return cell.variant == "mean" ? 0.93 : 0.99; };
  finish(accuracyOf);
  const auto before = write("before/");
  ASSERT_TRUE(addSeeds(*store, record(), study, 3));
  const StudyCell next = cells().at(6);
  ASSERT_EQ(next.round, 2);
  const std::string id = test::recordRun(*store, {.variant = next.variant, .seed = next.seed, .accuracy = 0.80});
  store->studies().setRun(number, next.cell, id, "{}", 100);
  const auto after = write("after/");
  for (const char* name : {"data/reached-steps-to-target.csv", "data/accuracy.csv"})
    EXPECT_EQ(after.at(name), before.at(name)) << name;
  EXPECT_THAT(after.at("data/runs.csv"), HasSubstr(id));
}

/// Names with everything that TeX reads as a command, by value: \_ and so on stand in the table.
TEST_F(Papers, EscapeNamesInEverySource) {
  const std::string name = R"(a_b%c#d&e\f~g^h{i}$j"k|<l>--m[n])";
  begin({{"measure", "accuracy"}}, {{"least", 3}}, {"mean", name});
  finish([](const StudyCell& cell) { return 0.9 + 0.001 * static_cast<double>(cell.seed + cell.variant.size()); });
  const auto files = write("paper/");
  const std::string escaped =
      R"(a\_b\%c\#d\&e\textbackslash{}f\textasciitilde{}g\textasciicircum{}h\{i\}\$j\char`\"{}k\textbar{}$<$l$>$-{}-m{[}n{]})";
  for (const char* source : {"table.tex", "figures/accuracy.tex"}) {
    // Lines may break behind an underscore.
    const std::string text = std::regex_replace(files.at(source), std::regex(R"(\\allowbreak\{\})"), "");
    EXPECT_THAT(text, HasSubstr(escaped)) << source;
  }
  EXPECT_THAT(files.at("report.html"), HasSubstr("&lt;l&gt;"));
  EXPECT_THAT(files.at("data/comparisons.csv"), HasSubstr(R"("a_b%c#d&e\f~g^h{i}$j""k|<l>--m[n]")"));
  EXPECT_FALSE(files.contains("characters.pdf")) << "all of it is in TeX's fonts";
}

TEST_F(Papers, ShowOtherScriptsAsPictures) {
  if (!findPrintFont(PrintFont::chinese)) GTEST_SKIP() << "fonts-wqy-microhei is not installed";
  begin({{"measure", "accuracy"}}, {{"least", 3}}, {"mean", "梯度求和"});
  finish([](const StudyCell& cell) { return 0.9 + 0.001 * static_cast<double>(cell.seed + cell.variant.size()); });
  const auto files = write("paper/");
  EXPECT_THAT(files.at("table.tex"), HasSubstr("梯度求和")) << "for those who have fonts";
  EXPECT_THAT(files.at("paper.tex"), HasSubstr("\\newunicodechar{梯}"));
  EXPECT_TRUE(files.contains("characters.pdf"));
}

TEST_F(Papers, OfRunsSayThatNothingWasFrozen) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    test::recordRun(*store, {.variant = "mean", .seed = seed, .accuracy = 0.97});
    test::recordRun(*store, {.variant = "adasum", .seed = seed, .accuracy = 0.98, .adasum = true});
  }
  const auto files = writeRuns("runs/");
  EXPECT_THAT(files.at("method.txt"), HasSubstr("Nothing was frozen before these runs"));
  EXPECT_THAT(files.at("table.tex"), HasSubstr("\\toprule"));
  const auto rows = rowsOf(files.at("data/runs.csv"));
  const std::size_t id = columnOf(rows, "run");
  EXPECT_EQ(rows.size(), 7U);
  for (std::size_t i = 1; i < rows.size(); ++i) EXPECT_TRUE(store->find(rows[i].at(id)));
}

TEST_F(Papers, OfOneRunHaveATableToo) {
  test::recordRun(*store, {.variant = "mean"});
  EXPECT_THAT(writeRuns("runs/").at("table.tex"), HasSubstr("What every run came to."));
}

TEST_F(Papers, OfCellsNameTheirStudy) {
  finishedStudy();
  EXPECT_THAT(writeRuns("runs/").at("method.txt"), HasSubstr("The runs are cells of the study study"));
}

/// The colour of each curve in a figure of pgfplots.
std::map<std::string, std::string> coloursOf(const std::string& tex) {
  std::map<std::string, std::string> colours;
  static const std::regex curve(R"(\\addplot\[run([0-9A-F]{6}),line width=0\.9pt[^\n]*\n\\addlegendentry\{(\S+))");
  for (std::sregex_iterator match(tex.begin(), tex.end(), curve), end; match != end; ++match) {
    colours[(*match)[2]] = (*match)[1];
  }
  return colours;
}

/// Whichever of them a report has, and in which order.
TEST_F(Papers, GiveAVariantOneColour) {
  std::vector<std::string> variants;
  for (char letter = 'a'; letter <= 'h'; ++letter) variants.push_back(std::string("v") + letter);
  begin({{"measure", "accuracy"}}, {{"least", 3}}, variants);
  finish([](const StudyCell& cell) {
    return 0.9 + 0.001 * static_cast<double>(cell.seed + static_cast<unsigned char>(cell.variant.back()) % 7);
  });
  const auto all = coloursOf(write("paper/").at("figures/accuracy.tex"));
  ASSERT_EQ(all.size(), variants.size());
  std::set<std::string> different;
  for (const auto& [variant, colour] : all) different.insert(colour);
  EXPECT_EQ(different.size(), variants.size());
  for (const auto& chosen : {std::vector{"vh", "va"}, std::vector{"vc"}, std::vector{"vb", "vh", "vd"}}) {
    std::vector<RunRecord> runs;
    for (const char* variant : chosen) {
      for (const RunRecord& run : store->runs()) {
        if (run.variant == variant) runs.push_back(run);
      }
    }
    fs::remove_all(places.path() / "some");
    ASSERT_TRUE(writePaper({*store, std::nullopt, runs}, places.path() / "some/"));
    for (const auto& [variant, colour] : coloursOf(readFile(places.path() / "some/figures/accuracy.tex").value())) {
      EXPECT_EQ(colour, all.at(variant)) << variant;
    }
  }
}

TEST_F(Papers, AreOfTheFormatThatTheNameAsksFor) {
  finishedStudy();
  const PaperSubject subject{*store, record()};
  for (const auto& [name, begins] : std::map<std::string, std::string>{{"s.html", "<!DOCTYPE html>"},
                                                                       {"s.pdf", "%PDF-1.4"},
                                                                       {"s.tex", "% Needs"},
                                                                       {"s.csv", "variant,reference,"},
                                                                       {"s.json", "{"}}) {
    ASSERT_TRUE(writePaper(subject, places.path() / name)) << name;
    EXPECT_TRUE(readFile(places.path() / name)->starts_with(begins)) << name;
  }
  const Status refused = writePaper(subject, places.path() / "s.docx");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().front().remedy, HasSubstr("or in / for a folder"));
}

TEST_F(Papers, HaveThePaperThatIsAskedFor) {
  finishedStudy();
  EXPECT_THAT(write("a4/").at("report.pdf"), HasSubstr("/MediaBox [0 0 595.28 841.89]"));
  const auto letter = write("letter/", {Language::english, PaperSize::letter});
  EXPECT_THAT(letter.at("report.pdf"), HasSubstr("/MediaBox [0 0 612 792]"));
  EXPECT_THAT(letter.at("paper.tex"), HasSubstr("letterpaper"));
}

}  // namespace
}  // namespace slipstream
