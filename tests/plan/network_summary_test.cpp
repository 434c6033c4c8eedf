// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/network_summary.h"

#include <numeric>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

TEST(NetworkSummary, LenetHasItsWellKnownParameters) {
  Experiment experiment;
  experiment.network = *builtInNetwork("lenet5");
  const std::vector<LayerSummary> layers = summarize(experiment);
  ASSERT_EQ(layers.size(), experiment.network.layers.size());
  EXPECT_EQ(layers.front().kind, "conv2d");
  EXPECT_EQ(layers.front().output, "28 × 28 × 6");
  EXPECT_EQ(layers.front().parameters, 156);
  EXPECT_EQ(layers.back().output, "10");
  const auto add = [](std::int64_t sum, const LayerSummary& layer) { return sum + layer.parameters; };
  EXPECT_EQ(std::accumulate(layers.begin(), layers.end(), std::int64_t{0}, add), 61706);
}

TEST(NetworkSummary, ANetworkThatDoesNotFitHasNone) {
  Experiment experiment;
  experiment.network = NetworkSpec{"layers", {{.kind = LayerKind::conv2d, .name = "conv", .outputs = 1, .kernel = 99}}};
  EXPECT_TRUE(summarize(experiment).empty());
}

}  // namespace
}  // namespace slipstream
