// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/base/files.h"
#include "engine/base/hash.h"
#include "engine/base/text.h"
#include "engine/document/chart_scale.h"
#include "engine/document/drawing.h"
#include "engine/latex/latex_files.h"
#include "engine/report/comparison_document.h"
#include "engine/report/variant_charts.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/environment.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

/// The first tag that is not closed in order, or nothing: the page is written so that an XML reader can follow it.
std::string unbalancedTag(const std::string& html) {
  std::vector<std::string> open;
  std::size_t at = std::string_view("<!DOCTYPE html>").size();
  while ((at = html.find('<', at)) != std::string::npos) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) return html.substr(at);
    const std::string tag = html.substr(at + 1, end - at - 1);
    at = end;
    if (tag.back() == '/') continue;
    if (tag.front() != '/') {
      open.push_back(tag.substr(0, tag.find(' ')));
    } else if (open.empty() || open.back() != tag.substr(1)) {
      return tag;
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back();
}

class ReportTest : public ::testing::Test {
 protected:
  std::string html() { return reportHtml(*store, store->runs()).value(); }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
};

TEST_F(ReportTest, IsOneWellFormedPageThatLoadsNothing) {
  test::recordRun(*store, {.variant = "mean", .accuracy = 0.97});
  test::recordRun(*store, {.variant = "adasum", .accuracy = 0.98, .adasum = true});
  const std::string page = html();
  EXPECT_EQ(unbalancedTag(page), "");
  for (const char* loader : {"src=", "href=", "url(", "@import", "<script", "<link", "<img", "<iframe"}) {
    EXPECT_THAT(page, Not(HasSubstr(loader)));
  }
  for (const char* part : {"What was asked", "What ran, and what was off", "Test accuracy", "Training loss", "Results",
                           "Orthogonality by layer", "Memory by rank", "Where the time of a step went", "Repeat it",
                           "off by level &lt;O0&gt;", "slipstream run experiment.json", "prefers-color-scheme: dark"}) {
    EXPECT_THAT(page, HasSubstr(part));
  }
}

TEST_F(ReportTest, ShowsShareOfStepTimeAndMemoryAgainstForecast) {
  test::recordRun(*store, {.variant = "mean"});
  const std::string page = html();
  EXPECT_THAT(page, HasSubstr("60.0 %"));  // 6 of 10 ms
  EXPECT_THAT(page, HasSubstr("790.00 kB … 791.00 kB"));
  EXPECT_THAT(page, HasSubstr("−9.00 kB"));  // 791 measured, 800 forecast
}

TEST_F(ReportTest, WhatIsHiddenAndWhatStandsBetweenStepsStandBesideTheShares) {
  const std::string run = test::recordRun(*store, {.variant = "mean"});
  const std::string none = "<td class=\"number\"></td><td class=\"number\"></td></tr>";
  EXPECT_THAT(html(), HasSubstr(none)) << "not measured by an older program";
  store->appendMetrics(run, 1, 0, 1000,
                       test::block(0, 200, {"hidden_communication_seconds"}, [](auto, auto) { return 0.002; }));
  store->appendMetrics(run, 1, 0, 1001, test::block(9, 1, {"checkpoint_seconds"}, [](auto, auto) { return 1.5; }));
  const std::string page = html();
  EXPECT_THAT(page, HasSubstr("20.0 %</td><td class=\"number\">1.50 s</td></tr>"));
  EXPECT_THAT(page, Not(HasSubstr(none)));
}

TEST_F(ReportTest, EscapesWhatUsersWrote) {
  NewRun asked = test::sampleRun("<b>bold</b> & \"quoted\"");
  asked.planText = toJsonText(test::planOf({}));
  asked.commandText = "slipstream run '</code><script>x</script>'";
  store->createRun(asked);
  const std::string page = html();
  EXPECT_THAT(page, Not(HasSubstr("<b>")));
  EXPECT_THAT(page, Not(HasSubstr("<script")));
  EXPECT_EQ(unbalancedTag(page), "");
}

TEST_F(ReportTest, ARunWithoutAnyMetricAndOneOfNanHaveAReport) {
  NewRun asked = test::sampleRun("nothing yet");
  asked.planText = toJsonText(test::planOf({}));
  const std::string id = store->createRun(asked);
  EXPECT_EQ(unbalancedTag(html()), "");
  store->appendMetrics(id, store->startAttempt(id, 0), 0, 1,
                       test::block(0, 90, {"loss", "accuracy"}, [](auto, auto) { return std::nan(""); }));
  const std::string page = html();
  EXPECT_EQ(unbalancedTag(page), "");
  EXPECT_THAT(page, Not(HasSubstr("nan\"")));
}

TEST_F(ReportTest, SeedsOfOneVariantAreABand) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) test::recordRun(*store, {.variant = "mean", .seed = seed});
  EXPECT_THAT(html(), HasSubstr("mean and range of 3 seeds"));
}

TEST_F(ReportTest, IsWrittenWholeOrNotAtAll) {
  test::recordRun(*store, {.variant = "mean"});
  EXPECT_TRUE(writeReport(*store, store->runs(), folder.path() / "report.html"));
  EXPECT_EQ(readFile(folder.path() / "report.html").value(), html());
  EXPECT_FALSE(writeReport(*store, store->runs(), folder.path() / "none/report.html"));
}

TEST_F(ReportTest, TheSuffixChoosesTheFormatAndNoOtherIsWritten) {
  test::recordRun(*store, {.variant = "mean", .accuracy = 0.97});
  test::recordRun(*store, {.variant = "ada_sum", .accuracy = 0.98, .adasum = true});
  const auto write = [&](const char* name) {
    const auto file = folder.path() / name;
    EXPECT_TRUE(writeReport(*store, store->runs(), file)) << name;
    return readFile(file).value();
  };
  EXPECT_THAT(write("a.HTML"), HasSubstr("<!DOCTYPE html>"));
  EXPECT_EQ(nlohmann::json::parse(write("a.json"))["variants"].size(), 2U);
  EXPECT_THAT(write("a.csv"), testing::StartsWith("stage,against stage,"));
  const std::string latex = write("a.tex");
  EXPECT_THAT(latex, HasSubstr("\\toprule"));
  EXPECT_THAT(latex, HasSubstr("ada\\_sum"));
  EXPECT_THAT(latex, HasSubstr("Test accuracy, \\% & \\num{97.00} & \\num{98.00} & +1.00"));
  EXPECT_THAT(write("a.pdf"), testing::StartsWith("%PDF-1.4"));
  for (const char* refused : {"a.docx", "a"}) {
    const auto written = writeReport(*store, store->runs(), folder.path() / refused);
    ASSERT_FALSE(written) << refused;
    EXPECT_FALSE(written.error().front().remedy.empty());
    EXPECT_FALSE(std::filesystem::exists(folder.path() / refused)) << refused;
  }
}

/// A report alone, and a comparison, whose times are then nobody's.
TEST_F(ReportTest, RunsOfAnEmulatedDeviceSayThatTheyAreInBothLanguages) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) test::recordRun(*store, {.variant = "mean", .seed = seed});
  EXPECT_THAT(html(), Not(HasSubstr("emulated")));
  const std::string emulated = test::recordRun(*store, {.variant = "adasum", .seed = 1, .device = "npu-twin"});
  const std::vector<RunRecord> alone{store->find(emulated).value()};
  EXPECT_THAT(reportHtml(*store, alone).value(),
              HasSubstr("npu-twin (emulated: its times say nothing about the device)"));
  EXPECT_THAT(reportHtml(*store, alone, Language::chinese).value(),
              HasSubstr("npu-twin（仿真：所有时间均非该设备的时间）"));
  EXPECT_THAT(html(), HasSubstr("no claim (emulated)"));
  EXPECT_THAT(reportHtml(*store, store->runs(), Language::chinese).value(), HasSubstr("未下结论（仿真设备）"));
}

TEST(Latex, EscapesWhatItWouldReadAsCommands) {
  ReportDocument document;
  document.add(Paragraph{"a_b & 5 % {x} \\n #1 $ ^ ~"});
  document.add(Paragraph{"−1 … +2 ±3 n < 3"});
  const std::string latex = toLatex(document, Language::english);
  EXPECT_THAT(latex, HasSubstr("a\\_\\allowbreak{}b \\& 5 \\% \\{x\\} \\textbackslash{}n \\#1 \\$ \\textasciicircum{} "
                               "\\textasciitilde{}"));
  EXPECT_THAT(latex, HasSubstr("$-$1 \\ldots{} $+$2 $\\pm$3 n $<$ 3"));
}

TEST_F(ReportTest, FiguresAndTablesHaveCaptionsAndLabelsStandBesideThePlot) {
  test::recordRun(*store, {.variant = "mean", .accuracy = 0.97});
  test::recordRun(*store, {.variant = "adasum", .accuracy = 0.98, .adasum = true});
  const std::string page = html();
  EXPECT_THAT(page, HasSubstr("<figcaption><strong>Figure 1.</strong> Test accuracy: %.</figcaption>"));
  EXPECT_THAT(page, HasSubstr("<caption><strong>Table 1.</strong> adasum against mean, seed 1, n = 1.</caption>"));
  EXPECT_THAT(page, Not(HasSubstr("<details"))) << "what is closed is not printed";
  EXPECT_THAT(page, HasSubstr("L461.3 199\"")) << "where the plot ends";
  EXPECT_THAT(page, HasSubstr("<text class=\"label\" x=\"472.3\"")) << "where names of curves begin";
}

TEST_F(ReportTest, OneRunSaysWhatActedAndNothingOfBands) {
  test::recordRun(*store, {.variant = "mean"});
  EXPECT_THAT(html(), AllOf(HasSubstr("No acceleration algorithm was on."), Not(HasSubstr("A band"))));
  test::recordRun(*store, {.variant = "adasum", .adasum = true});
  const std::vector<RunRecord> last{store->runs().back()};
  EXPECT_THAT(reportHtml(*store, last).value(), HasSubstr("Algorithms: adasum."));
  for (const std::uint64_t seed : {2U, 3U}) test::recordRun(*store, {.variant = "mean", .seed = seed});
  EXPECT_THAT(html(), HasSubstr("A band reaches from the lowest seed to the highest."));
}

TEST_F(ReportTest, UnequalLengthsAreARowOfTheirOwn) {
  test::recordRun(*store, {.variant = "mean", .steps = 200});
  test::recordRun(*store, {.variant = "adasum", .steps = 200, .adasum = true});
  test::recordRun(*store, {.variant = "accumulated", .steps = 100});
  const std::vector<Table> tables = comparedTables(compareRuns(*store, store->runs()).value());
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_NE(tables[0].rows[1][0].text.in(), "Steps") << "as many";
  const std::vector<Cell>& steps = tables[1].rows[1];
  ASSERT_EQ(steps.size(), tables[1].columns.size());
  EXPECT_EQ(steps[0].text.in(), "Steps");
  EXPECT_EQ(steps[1].text.in(), "200");
  EXPECT_EQ(steps[2].text.in(), "100");
  EXPECT_EQ(*steps[3].number, -100);
}

TEST_F(ReportTest, ATitleNamesWhatVariantsAreOnlyWhereTheirNamesDoNot) {
  test::recordRun(*store, {.variant = "mean"});
  test::recordRun(*store, {.variant = "adasum", .steps = 100, .adasum = true});
  const Comparison comparison = compareRuns(*store, store->runs()).value();
  EXPECT_EQ(titleOf(comparison, TitleExtent::names).in(), "adasum against mean");
}

TEST_F(ReportTest, RanksThatTookTheSameMemoryAreDrawnOnce) {
  const std::string run = test::recordRun(*store, {.variant = "mean", .ranks = 4});
  for (const int rank : {0, 1, 2, 3}) store->setMemory(run, rank, {{"activations", rank == 2 ? 900'000 : 800'000}});
  const std::string page = html();
  EXPECT_THAT(page, HasSubstr("ranks 0–1, 3</text>"));
  EXPECT_THAT(page, HasSubstr("rank 2</text>"));
}

TEST_F(ReportTest, WhatAnAlgorithmRecordedIsDrawnWhereItRan) {
  const std::string run = test::recordRun(*store, {.variant = "mean"});
  EXPECT_THAT(html(), Not(HasSubstr("Loss scale")));
  store->appendMetrics(
      run, 1, 0, 1000,
      test::block(0, 200, {"loss_scale", "skipped_updates"}, [](std::int64_t step, std::size_t column) {
        return column == 0 ? (step < 100 ? 1024.0 : 512.0) : (step < 100 ? 0.0 : 1.0);
      }));
  store->appendMetrics(run, 1, 0, 1001,
                       test::block(199, 1, {"dim_reduce/explained_variance/1"}, [](auto, auto) { return 0.75; }));
  const std::string page = html();
  EXPECT_THAT(page, HasSubstr("log scale; 1 update skipped"));
  EXPECT_THAT(page, HasSubstr("1 direction together explain 75.0 %"));
  EXPECT_EQ(unbalancedTag(page), "");
}

TEST(Environment, IsReadAsFacts) {
  const auto facts = environmentFacts(describeEnvironment());
  const auto versions =
      std::find_if(facts.begin(), facts.end(), [](const auto& fact) { return fact.first == "versions"; });
  ASSERT_NE(versions, facts.end());
  EXPECT_THAT(versions->second, HasSubstr("Open MPI 4."));
  EXPECT_THAT(versions->second, HasSubstr("oneDNN "));
  EXPECT_TRUE(environmentFacts("no JSON").empty());
}

TEST(NiceTicks, AreOneTwoFive) {
  EXPECT_THAT(niceTicks(0, 1, false), ElementsAre(0, 0.2, 0.4, ::testing::DoubleNear(0.6, 1e-12), 0.8, 1));
  EXPECT_THAT(niceTicks(0.03, 2.4, true), ElementsAre(0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5));
  EXPECT_GE(niceTicks(5, 5, false).size(), 2U);
  EXPECT_GE(niceTicks(1, 1, true).size(), 2U);
}

TEST(Html, EscapesAndColours) {
  ReportDocument document;
  document.add(Paragraph{"<a href='x'>&\"\x01"});
  EXPECT_THAT(toHtml(document, Language::english), HasSubstr("&lt;a href=&#39;x&#39;&gt;&amp;&quot;"));
  EXPECT_EQ(mapColour(0), "#1B1E4B");
  EXPECT_EQ(mapColour(1), "#F4E58C");
  EXPECT_EQ(runColour(10), runColour(0));
  EXPECT_NE(runDashes(10), runDashes(0));
}

TEST(Comparison, SaysThatSingleRunsDifferInTheirSeeds) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  test::recordRun(*store, {.variant = "mean", .seed = 4});
  test::recordRun(*store, {.variant = "adasum", .seed = 2, .adasum = true});
  const auto said = [&](const std::vector<RunRecord>& runs) {
    std::string all;
    for (const Text& remark : remarksOn(compareRuns(*store, runs).value())) all += remark.in() + "\n";
    return all;
  };
  EXPECT_NE(said(store->runs()).find("adasum has seed 2, mean has seed 4"), std::string::npos) << said(store->runs());
  test::recordRun(*store, {.variant = "adasum", .seed = 4, .adasum = true});
  EXPECT_EQ(said(store->runs()).find("has seed"), std::string::npos) << "several seeds are replicas";
}

/// The window's report of very many variants.
TEST(Report, CountsVeryManyComparisonsAndDrawsThoseThatDiffer) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  constexpr int variants = 16;
  for (int variant = 0; variant < variants; ++variant) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const double noise = 0.0005 * static_cast<double>(seed);
      test::recordRun(
          *store, {.variant = "v" + std::to_string(variant), .seed = seed, .accuracy = 0.8 + noise + 0.01 * variant});
    }
  }
  const Comparison comparison = compareRuns(*store, store->runs()).value();
  EXPECT_EQ(titleOf(comparison).in().substr(0, 11), "15 variants");
  const auto overview = overviewTable(comparison);
  ASSERT_TRUE(overview);
  ASSERT_EQ(overview->rows.size(), 15U);
  EXPECT_EQ(overview->rows.front().front().text.in(), "v15") << "the largest gain first";
  const auto chart = metricChart(*store, comparison, metric::loss, ChartX::step, 100);
  ASSERT_TRUE(chart);
  EXPECT_EQ(chart->curves.size(), 10U);
  EXPECT_EQ(chart->curves.front().label, "v0") << "the reference is one of them";
  EXPECT_EQ(chart->curves.back().label, "v15");
  const std::string html = reportHtml(*store, store->runs(), Language::english).value();
  EXPECT_NE(html.find("Of 15 comparisons of test accuracy"), std::string::npos);
}

}  // namespace
}  // namespace slipstream
