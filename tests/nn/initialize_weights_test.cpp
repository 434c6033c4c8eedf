// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/nn/network.h"
#include "tests/nn/host.h"
#include "tests/nn/layers.h"

namespace slipstream {
namespace {

constexpr std::int64_t fanIn = 300;
constexpr std::int64_t fanOut = 200;

std::vector<float> drawnBy(InitializerKind kind, double parameter) {
  NetworkShape shape;
  shape.tensors.push_back({"w", {fanOut, fanIn}, 0, fanIn, fanOut, {kind, parameter}});
  const ParameterLayout layout(shape);
  std::vector<float> values(static_cast<std::size_t>(layout.size()));
  initialWeights(layout, {0, layout.size()}, 11, values);
  return values;
}

struct Statistics {
  double mean = 0;
  double deviation = 0;
  double largest = 0;
};

Statistics statisticsOf(const std::vector<float>& values) {
  Statistics result;
  const auto count = static_cast<double>(values.size());
  for (const float value : values) {
    result.mean += static_cast<double>(value) / count;
    result.deviation += static_cast<double>(value) * static_cast<double>(value) / count;
    result.largest = std::max(result.largest, std::abs(static_cast<double>(value)));
  }
  result.deviation = std::sqrt(result.deviation);
  return result;
}

TEST(InitialWeights, UniformKindsFillTheirBound) {
  const std::vector<std::pair<Initializer, double>> cases{
      {{InitializerKind::uniformFanIn, 0.0}, 1.0 / std::sqrt(300.0)},
      {{InitializerKind::heUniform, 0.0}, std::sqrt(6.0 / 300.0)},
      {{InitializerKind::heUniform, std::sqrt(5.0)}, 1.0 / std::sqrt(300.0)},
      {{InitializerKind::xavierUniform, 0.0}, std::sqrt(6.0 / 500.0)}};
  for (const auto& [initializer, bound] : cases) {
    const auto result = statisticsOf(drawnBy(initializer.kind, initializer.parameter));
    EXPECT_NEAR(result.mean, 0.0, 0.01 * bound);
    EXPECT_NEAR(result.deviation, bound / std::sqrt(3.0), 0.01 * bound);
    EXPECT_LE(result.largest, bound * (1 + 1e-6));
    EXPECT_GT(result.largest, 0.999 * bound);
  }
}

TEST(InitialWeights, NormalKindsHaveTheirDeviation) {
  const auto normal = statisticsOf(drawnBy(InitializerKind::normal, 0.01));
  EXPECT_NEAR(normal.mean, 0.0, 1e-4);
  EXPECT_NEAR(normal.deviation, 0.01, 1e-4);
  EXPECT_GT(normal.largest, 0.03);
  const auto cut = statisticsOf(drawnBy(InitializerKind::truncatedNormal, 0.01));
  EXPECT_LE(cut.largest, 0.02 * (1 + 1e-6));
  EXPECT_NEAR(cut.deviation, 0.0088, 1e-4);  // of a normal cut at two deviations: 0.8796
}

TEST(InitialWeights, ZerosAndOnes) {
  const auto zeros = drawnBy(InitializerKind::zeros, 0.0);
  EXPECT_TRUE(std::all_of(zeros.begin(), zeros.end(), [](float value) { return value == 0.0F; }));
  const auto ones = drawnBy(InitializerKind::ones, 0.0);
  EXPECT_TRUE(std::all_of(ones.begin(), ones.end(), [](float value) { return value == 1.0F; }));
}

TEST(InitialWeights, AnyPartIsThatPartOfTheWhole) {
  const ParameterLayout layout(networkShape(test::leNet5(), {28, 28, 1}).value());
  test::Host host;
  WholeParameterStore store(*host.device, layout.size(), MemoryCategory::weights);
  initializeWeights(layout, store, 3);
  const auto whole = store.acquire({0, layout.size()});
  for (const Range range : {Range{0, 7}, Range{5, 2000}, Range{60000, 61706}, Range{400, 400}}) {
    std::vector<float> part(static_cast<std::size_t>(range.size()));
    initialWeights(layout, range, 3, part);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + range.begin));
  }
}

TEST(InitialWeights, ATensorDoesNotDependOnTheTensorsBehindIt) {
  const auto drawFirst = [](NetworkSpec spec) {
    const ParameterLayout layout(networkShape(spec, {0, 0, 6}).value());
    const auto range = layout.tensor("a.weight").range;
    std::vector<float> values(static_cast<std::size_t>(range.size()));
    initialWeights(layout, range, 3, values);
    return values;
  };
  EXPECT_EQ(drawFirst({"", {test::dense("a", 4)}}), drawFirst({"", {test::dense("a", 4), test::dense("b", 2)}}));
}

}  // namespace
}  // namespace slipstream
