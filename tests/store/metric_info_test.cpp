// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>

#include <gtest/gtest.h>

#include "engine/boost/adasum/spec.h"
#include "engine/boost/metrics.h"

namespace slipstream {
namespace {

TEST(MetricInfo, NamesAndTitlesAreUnique) {
  std::set<std::string_view> names;
  std::set<std::string> titles;
  for (const MetricInfo& info : metricInfos()) {
    EXPECT_TRUE(names.insert(info.name).second) << info.name;
    EXPECT_TRUE(titles.insert(info.title).second) << info.title;
    EXPECT_GT(info.factor, 0) << info.name;
  }
}

TEST(MetricInfo, AFamilyDescribesAllNamesThatBeginSo) {
  const MetricInfo* cosine = findMetric("cosine/conv1.weight");
  ASSERT_NE(cosine, nullptr);
  EXPECT_EQ(cosine->name, metric::cosine);
  EXPECT_EQ(findMetric("cosine"), nullptr) << "no name of the family";
  EXPECT_EQ(metric::prefixOf(metric::cosine), "cosine/");
}

TEST(MetricInfo, WhatAnotherVersionRecordedHasNoDescription) {
  EXPECT_EQ(findMetric("temperature"), nullptr);
  EXPECT_EQ(betterOf("temperature"), Better::neither);
}

TEST(MetricInfo, AnAccuracyIsAFractionThatIsShownInPercent) {
  const MetricInfo* accuracy = findMetric(metric::accuracy);
  ASSERT_NE(accuracy, nullptr);
  EXPECT_EQ(accuracy->unit, "%");
  EXPECT_EQ(accuracy->factor, accuracy->upperLimit);
  EXPECT_EQ(accuracy->better, Better::higher);
  EXPECT_TRUE(accuracy->ofEvaluation);
}

}  // namespace
}  // namespace slipstream
