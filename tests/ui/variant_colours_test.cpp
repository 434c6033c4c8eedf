// SPDX-License-Identifier: GPL-3.0-or-later
// A variant has one colour on every page, and no two lines that are shown together look alike.
#include <set>

#include <gtest/gtest.h>

#include "engine/analysis/run_colours.h"
#include "tests/ui/small_workspace.h"
#include "ui/charts/charts_page.h"
#include "ui/charts/shown_runs.h"
#include "ui/compare/compare_page.h"
#include "ui/report/chart_flow.h"
#include "ui/report/report_page.h"

namespace slipstream::ui {
namespace {

using Colours = std::map<QString, int>;

class VariantColours : public testing::Test {
 protected:
  VariantColours() {
    for (int i = 0; i < 4; ++i) record("before", static_cast<std::uint64_t>(100 + i));
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      for (const char* variant : {"averaged", "adasum", "scaled", "frozen"}) shown_.push_back(record(variant, seed));
    }
    small_.open();
    // Chosen in another order than made: the last seeds first.
    std::vector<std::string> chosen(shown_.rbegin(), shown_.rend());
    small_.workspace.selection().setShown(chosen, chosen.front());
  }
  std::string record(const char* variant, std::uint64_t seed) {
    const double accuracy = 0.9 + 0.01 * static_cast<double>(seed % 7);
    const bool adasum = std::string(variant) == "adasum";
    test::FinishedRun run{.variant = variant, .seed = seed, .accuracy = accuracy, .adasum = adasum};
    return test::recordRun(*small_.store, run);
  }
  template <class Made>
  void show(Made& page) {
    page.resize(1100, 800);
    page.show();
    ASSERT_TRUE(test::answered(small_.workspace));
  }
  Workspace& workspace() { return small_.workspace; }

  test::SmallWorkspace small_;
  std::vector<std::string> shown_;
};

Colours coloursOf(const ShownChart& picture) {
  Colours colours;
  for (const ChartCurve& curve : picture.curves) {
    colours[text(curve.label).section(QStringLiteral(" · "), 0, 0)] = curve.colourSlot;
  }
  return colours;
}

TEST_F(VariantColours, AreTheSameOnChartsCompareAndReport) {
  ChartsPage charts(workspace(), nullptr);
  ChartOptions options = charts.options();
  options.bands = true;
  charts.setOptions(options);
  show(charts);
  ASSERT_TRUE(test::eventually(
      [&] { return !charts.charts().empty() && charts.charts().front()->model().curves.size() == 4; }));
  const Colours expected = coloursOf(charts.charts().front()->model());
  ComparePage compare(workspace(), nullptr);
  show(compare);
  ASSERT_TRUE(test::eventually([&] { return compare.shown().comparison.variants.size() == 4; }));
  EXPECT_EQ(coloursOf(compare.findChild<ChartFlow*>()->charts().front()->model()), expected);
  ReportPage report(workspace(), nullptr);
  show(report);
  ASSERT_TRUE(test::eventually([&] { return !report.findChild<ChartFlow*>()->charts().empty(); }));
  EXPECT_EQ(coloursOf(report.findChild<ChartFlow*>()->charts().front()->model()), expected);
}

TEST_F(VariantColours, NoTwoRunsShownAreDrawnAlike) {
  for (std::uint64_t seed = 4; seed < 16; ++seed) {
    for (const char* variant : {"averaged", "adasum", "scaled", "frozen"}) shown_.push_back(record(variant, seed));
  }
  ASSERT_TRUE(small_.settled());
  for (const std::size_t count : {3U, 12U, 40U, 60U}) {
    const std::vector<std::string> chosen(shown_.end() - static_cast<std::ptrdiff_t>(count), shown_.end());
    workspace().selection().setShown(chosen, chosen.front());
    std::set<std::pair<QRgb, QString>> pens;
    for (const ShownRun& run : shownRuns(workspace())) {
      const RunStroke pen = runPen(run.colourSlot);
      QStringList dash;
      for (const double length : pen.dash) dash << QString::number(length);
      pens.emplace(pen.colour.rgb(), dash.join(QLatin1Char(' ')));
    }
    EXPECT_EQ(pens.size(), count);
  }
}

TEST_F(VariantColours, BandsOverTimeBeginAtTheStartOfEachRun) {
  ChartsPage charts(workspace(), nullptr);
  ChartOptions options = charts.options();
  options.x = ChartX::wallTime;
  charts.setOptions(options);
  EXPECT_EQ(charts.options().x, ChartX::wallTime);
  options.bands = true;
  charts.setOptions(options);
  EXPECT_EQ(charts.options().x, ChartX::relativeTime) << "the mean of seeds has no time of day";
}

}  // namespace
}  // namespace slipstream::ui
