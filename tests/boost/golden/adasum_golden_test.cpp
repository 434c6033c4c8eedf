// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/boost/adasum/adasum.h"
#include "engine/boost/adasum/halving_plan.h"
#include "tests/boost/adasum_ranks.h"
#include "tests/boost/adasum_reference.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

using nlohmann::json;
using test::everyExchange;
using test::runAdasum;

std::vector<double> numbers(const json& tensor) {
  return tensor.at("data").get<std::vector<double>>();
}

template <class T>
std::vector<T> narrowed(const std::vector<double>& values) {
  std::vector<T> result;
  for (const double value : values) result.push_back(static_cast<T>(value));
  return result;
}

double largest(const std::vector<double>& values) {
  double most = 0;
  for (const double value : values) most = std::max(most, std::abs(value));
  return most;
}

struct Tolerance {
  double relative;
  double ofLargest;
};

/// |value - expected| <= relative * |expected| + ofLargest * max |expected|
template <class T>
void expectClose(const std::vector<T>& values, const std::vector<double>& expected, Tolerance tolerance,
                 const std::string& what) {
  ASSERT_EQ(values.size(), expected.size()) << what;
  const double scale = largest(expected);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double bound = tolerance.relative * std::abs(expected[i]) + tolerance.ofLargest * scale;
    ASSERT_LE(std::abs(static_cast<double>(values[i]) - expected[i]), bound) << what << " element " << i;
  }
}

/// Outputs carry 12 digits, so zeros that come from cancellation are judged by the tensor's largest value.
Tolerance doubleTolerance(const json& file) {
  const double relative = file.at("tol").at("f64_rtol");
  return {relative, relative};
}
Tolerance floatTolerance(const json& file) {
  return {file.at("tol").at("f32_rtol"), file.at("tol").at("f32_atol_rel_to_max")};
}

template <class T>
void expectAdasum(const std::vector<std::vector<double>>& inputs, const std::vector<double>& expected,
                  Tolerance tolerance, const std::string& what) {
  std::vector<std::vector<T>> stored;
  for (const auto& input : inputs) stored.push_back(narrowed<T>(input));
  for (const auto exchange : everyExchange) {
    const auto result = runAdasum<T>(stored, {0, static_cast<std::int64_t>(expected.size())}, exchange);
    expectClose(result.values, expected, tolerance, what + " form " + std::to_string(static_cast<int>(exchange)));
  }
}

void expectInBothPrecisions(const json& file, const std::vector<std::vector<double>>& inputs,
                            const std::vector<double>& expected, const std::string& what) {
  expectAdasum<double>(inputs, expected, doubleTolerance(file), what + " in double");
  expectAdasum<float>(inputs, expected, floatTolerance(file), what + " in float");
}

TEST(AdasumGolden, Pairwise) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "adasum.json");
  test::CaseCounter counter("adasum.json pairwise", file.at("pairwise").size());
  for (const json& one : file.at("pairwise")) {
    const std::string name = one.at("name");
    const auto a = numbers(one.at("a"));
    const auto b = numbers(one.at("b"));
    expectInBothPrecisions(file, {a, b}, numbers(one.at("out")), name);
    const json& given = one.at("coef");
    const auto pair = pairCoefficients(given.at("dot"), given.at("na"), given.at("nb"));
    const auto nearBy = [](double value, double expected) {
      return std::abs(value - expected) <= 1e-10 * std::max(1.0, std::abs(expected));
    };
    EXPECT_TRUE(nearBy(pair.a, given.at("ca"))) << name;
    EXPECT_TRUE(nearBy(pair.b, given.at("cb"))) << name;
    counter.used();
  }
  counter.finish();
}

/// The layer's plan of recursive halving: partner, owned slice and ranks of the dot products, level by level.
void expectPlan(const json& levels, int ranks, std::int64_t elements) {
  const HalvingPlan plan(ranks);
  ASSERT_EQ(static_cast<std::size_t>(plan.levels()), levels.size());
  for (int level = 0; level < plan.levels(); ++level) {
    const json& expected = levels.at(static_cast<std::size_t>(level));
    EXPECT_EQ(expected.at("distance").get<int>(), 1 << level);
    for (int rank = 0; rank < ranks; ++rank) {
      const auto r = static_cast<std::size_t>(rank);
      ASSERT_TRUE(plan.combines(rank, level));
      EXPECT_EQ(plan.placesOf(rank, level), std::vector{rank});
      EXPECT_EQ(plan.partner(rank, level), expected.at("partner").at(r).get<int>());
      const Range owned = plan.owned(rank, level + 1, {0, elements});
      EXPECT_EQ(owned.begin, expected.at("own_lo").at(r).get<std::int64_t>());
      EXPECT_EQ(owned.end, expected.at("own_hi").at(r).get<std::int64_t>());
      const auto group = plan.group(rank, level);
      EXPECT_EQ(group.begin, expected.at("dot_group").at(r).at(0).get<int>());
      EXPECT_EQ(group.end, expected.at("dot_group").at(r).at(1).get<int>());
    }
  }
}

TEST(AdasumGolden, Recursive) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "adasum.json");
  std::size_t cases = 0;
  for (const json& one : file.at("recursive")) cases += one.at("layers").size();
  test::CaseCounter counter("adasum.json recursive", cases);
  for (const json& one : file.at("recursive")) {
    const int ranks = one.at("ranks");
    for (const json& layer : one.at("layers")) {
      std::vector<std::vector<double>> inputs;
      for (const json& input : layer.at("in")) inputs.push_back(numbers(input));
      ASSERT_EQ(inputs.size(), static_cast<std::size_t>(ranks));
      const std::string what = layer.at("layer").get<std::string>() + " of " + std::to_string(ranks);
      expectInBothPrecisions(file, inputs, numbers(layer.at("out")), what);
      if (layer.contains("vhdd")) {
        expectPlan(layer.at("vhdd"), ranks, static_cast<std::int64_t>(inputs[0].size()));
      }
      counter.used();
    }
  }
  counter.finish();
}

TEST(AdasumGolden, NonPowerOfTwo) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const json file = test::readGolden(folder, "adasum.json");
  test::CaseCounter counter("adasum.json non_power_of_two", file.at("non_power_of_two").size());
  for (const json& one : file.at("non_power_of_two")) {
    std::vector<std::vector<double>> inputs;
    for (const json& input : one.at("in")) inputs.push_back(numbers(input));
    ASSERT_EQ(inputs.size(), one.at("ranks").get<std::size_t>());
    expectInBothPrecisions(file, inputs, numbers(one.at("out")), std::to_string(inputs.size()) + " ranks");
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
