// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_arrangement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "ui/charts/metric_picker.h"

namespace slipstream::ui {
namespace {

using ::testing::ElementsAre;

ChartArrangement fourCharts() {
  ChartArrangement charts;
  charts.add({"loss", 3, 2});
  for (const char* metric : {"accuracy", "orthogonality/*", "step_seconds"}) charts.add({metric});
  return charts;
}

std::vector<std::string> metricsOf(const ChartArrangement& charts) {
  std::vector<std::string> metrics;
  for (const ChartSlot& slot : charts.slots()) metrics.push_back(slot.metric);
  return metrics;
}

TEST(ChartArrangement, OneLargeChartOverThreeFillsThePage) {
  const ChartArrangement charts = fourCharts();
  const std::vector<QRect> places = charts.places(metricsOf(charts), {1000, 600}, 3);
  ASSERT_EQ(places.size(), 4U);
  EXPECT_EQ(places[0].width(), 1000);
  EXPECT_EQ(places[1].top(), places[3].top());
  EXPECT_EQ(places[3].right(), 999);
  EXPECT_NEAR(places[3].bottom() + 1, 600, 2);
  for (std::size_t i = 1; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) EXPECT_FALSE(places[i].intersects(places[j])) << i << " and " << j;
  }
}

TEST(ChartArrangement, IsMovedResizedAndKept) {
  ChartArrangement charts = fourCharts();
  charts.move("step_seconds", 0);
  EXPECT_THAT(metricsOf(charts), ElementsAre("step_seconds", "loss", "accuracy", "orthogonality/*"));
  charts.move("step_seconds", 99);
  EXPECT_THAT(metricsOf(charts), ElementsAre("loss", "accuracy", "orthogonality/*", "step_seconds"));
  charts.move("nothing", 0);
  charts.resize("accuracy", 2, 9);
  EXPECT_EQ(charts.find("accuracy")->width, 2);
  EXPECT_EQ(charts.find("accuracy")->height, mostChartSize);
  charts.setView("loss", {.logarithmic = false, .range = std::pair(0.25, 3.5), .everything = true});
  EXPECT_EQ(ChartArrangement::fromText(charts.toText()), charts);
  charts.remove("accuracy");
  EXPECT_FALSE(charts.has("accuracy"));
}

TEST(ChartArrangement, WhatSomebodyBrokeIsNone) {
  for (const char* broken : {"", "null", "{", "{\"charts\": 3}", "{\"charts\": [{\"metric\": \"\"}, 7]}"}) {
    EXPECT_FALSE(ChartArrangement::fromText(QString::fromLatin1(broken))) << broken;
  }
  const auto odd = ChartArrangement::fromText(
      QStringLiteral("{\"charts\": [{\"metric\": \"loss\", \"width\": -4, \"height\": 77, \"range\": [3, 1]}]}"));
  ASSERT_TRUE(odd);
  EXPECT_EQ(odd->slots().front().width, 1);
  EXPECT_EQ(odd->slots().front().height, mostChartSize);
  EXPECT_FALSE(odd->slots().front().view.range);
}

TEST(MetricGroups, ResultsTimesAndFamiliesAreApart) {
  const std::vector<MetricGroup> groups =
      groupsOf({"accuracy", "compute_seconds", "cosine/conv1.weight", "cosine/fc.weight", "of_another_version"});
  ASSERT_EQ(groups.size(), 4U);
  EXPECT_THAT(groups[0].metrics, ElementsAre("accuracy"));
  EXPECT_THAT(groups[1].metrics, ElementsAre("compute_seconds"));
  EXPECT_THAT(groups[2].metrics, ElementsAre("cosine/conv1.weight", "cosine/fc.weight"));
  EXPECT_THAT(groups[3].metrics, ElementsAre("of_another_version"));
}

TEST(MetricSearch, TakesTitlesKeysAndExpressions) {
  const QString title = QStringLiteral("Step time"), key = QStringLiteral("step_seconds");
  EXPECT_TRUE(matches(QStringLiteral("TIME"), title, key));
  EXPECT_TRUE(matches(QStringLiteral("_sec"), title, key));
  EXPECT_TRUE(matches(QStringLiteral("^step.*s$"), title, key));
  EXPECT_FALSE(matches(QStringLiteral("loss"), title, key));
  EXPECT_FALSE(matches(QStringLiteral("(step"), title, key)) << "half an expression finds nothing, and does no harm";
}

}  // namespace
}  // namespace slipstream::ui
