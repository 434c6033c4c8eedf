// SPDX-License-Identifier: GPL-3.0-or-later
// What SciPy, statsmodels, lifelines and pandas say of the same numbers (golden/make.py).
#include <cmath>
#include <fstream>
#include <limits>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/statistics/distributions.h"
#include "engine/statistics/paired.h"
#include "engine/statistics/profile.h"
#include "engine/statistics/several.h"
#include "engine/statistics/survival.h"

namespace slipstream {
namespace {

constexpr double tolerance = 1e-9;

const nlohmann::json& golden() {
  static const nlohmann::json read = [] {
    std::ifstream file(std::string(SLIPSTREAM_SOURCE) + "/tests/statistics/golden/statistics.json");
    return nlohmann::json::parse(file);
  }();
  return read;
}

void expectNear(double value, double expected) {
  EXPECT_NEAR(value, expected, tolerance * std::max(1.0, std::abs(expected)));
}

TEST(StatisticsGolden, Distributions) {
  const nlohmann::json& all = golden()["distributions"];
  for (const auto& one : all["student"])
    expectNear(studentQuantile(one["probability"], one["degrees"]), one["quantile"]);
  for (const auto& one : all["normal"]) expectNear(normalQuantile(one["probability"]), one["quantile"]);
  for (const auto& one : all["beyond"]) expectNear(studentBeyond(one["t"], one["degrees"]), one["p"]);
  for (const auto& one : all["power"]) {
    expectNear(studentPower(one["shift"], one["critical"], one["degrees"]), one["power"]);
  }
  for (const auto& one : all["shifts"]) {
    expectNear(detectableShift(one["critical"], one["degrees"], one["power"]), one["shift"]);
  }
}

TEST(StatisticsGolden, PairedDifferencesAndRatios) {
  for (const auto& one : golden()["paired"]) {
    const auto before = one["before"].get<std::vector<double>>();
    const auto after = one["after"].get<std::vector<double>>();
    PairedDifferences differences, ratios;
    for (std::size_t i = 0; i < before.size(); ++i) {
      differences.values.push_back(after[i] - before[i]);
      ratios.values.push_back(std::log(std::abs(after[i])) - std::log(std::abs(before[i])));
    }
    const auto count = static_cast<int>(before.size());
    const PairedInterval interval = pairedInterval(differences, intervalReach(count, 0.05));
    expectNear(interval.low, one["low"]);
    expectNear(interval.high, one["high"]);
    expectNear(pValue(differences), one["p"]);
    expectNear(equivalencePValue(differences, one["margin"]), one["equivalence_p"]);
    const PairedInterval ratio = pairedInterval(ratios, intervalReach(count, 0.01));
    expectNear(ratio.low, one["ratio_low"]);
    expectNear(ratio.high, one["ratio_high"]);
    expectNear(pValue(ratios), one["ratio_p"]);
  }
}

TEST(StatisticsGolden, Holm) {
  for (const auto& one : golden()["holm"]) {
    const auto pValues = one["p"].get<std::vector<double>>();
    const std::vector<double> adjusted = holmAdjusted(pValues);
    const std::vector<HolmStep> steps = holm(pValues, [](double p, int shares) { return p <= 0.05 / shares; });
    for (std::size_t i = 0; i < pValues.size(); ++i) {
      expectNear(adjusted[i], one["adjusted"][i]);
      EXPECT_EQ(steps[i].shown, one["shown"][i].get<bool>());
    }
  }
}

TEST(StatisticsGolden, KaplanMeierAndRestrictedMean) {
  for (const auto& one : golden()["survival"]) {
    std::vector<TimeToEvent> times;
    for (std::size_t i = 0; i < one["times"].size(); ++i) times.push_back({one["times"][i], one["happened"][i]});
    const std::vector<SurvivalStep> steps = kaplanMeier(times);
    ASSERT_EQ(steps.size(), one["at"].size());
    for (std::size_t i = 0; i < steps.size(); ++i) {
      EXPECT_EQ(steps[i].time, one["at"][i].get<double>());
      expectNear(steps[i].survival, one["survival"][i]);
      expectNear(steps[i].deviation, one["deviation"][i]);
    }
    expectNear(restrictedMean(steps, one["horizon"]), one["restricted_mean"]);
  }
}

TEST(StatisticsGolden, PerformanceProfiles) {
  for (const auto& one : golden()["profiles"]) {
    std::vector<std::vector<double>> times;
    for (const auto& row : one["times"]) {
      std::vector<double>& own = times.emplace_back();
      for (const auto& time : row) {
        own.push_back(time.is_null() ? std::numeric_limits<double>::infinity() : time.get<double>());
      }
    }
    const std::vector<double> factors = profileFactors();
    const auto profiles = performanceProfiles(times, factors);
    for (std::size_t i = 0; i < profiles.size(); ++i) {
      for (std::size_t j = 0; j < factors.size(); ++j) EXPECT_NEAR(profiles[i][j], one["profiles"][i][j], 1e-12);
      EXPECT_NEAR(profileScore(profiles[i], factors), one["scores"][i], 1e-12);
    }
  }
}

TEST(StatisticsGolden, LevelsOfLooks) {
  for (const auto& one : golden()["looks"]) {
    const std::vector<double> levels = levelsOfLooks(one["shares"].get<std::vector<double>>(), one["alpha"]);
    ASSERT_EQ(levels.size(), one["levels"].size());
    for (std::size_t i = 0; i < levels.size(); ++i) expectNear(levels[i], one["levels"][i]);
  }
  // As published for five equal looks at 5 % (Jennison and Turnbull 2000, and every package since).
  const std::vector<double> five = levelsOfLooks({0.2, 0.4, 0.6, 0.8, 1.0}, 0.05);
  const std::vector<double> bounds{4.877, 3.357, 2.680, 2.290, 2.031};
  for (std::size_t i = 0; i < five.size(); ++i) EXPECT_NEAR(normalQuantile(1 - five[i] / 2), bounds[i], 1e-3);
}

}  // namespace
}  // namespace slipstream
