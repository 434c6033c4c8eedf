// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/nn/network.h"
#include "tests/nn/host.h"
#include "tests/nn/layers.h"
#include "tests/support/golden.h"

namespace slipstream {
namespace {

using nlohmann::json;

std::vector<float> dataOf(const json& tensor) {
  return tensor.at("data").get<std::vector<float>>();
}

/// Relative to the largest of the tensor: sums of products have no precision of their own for small results.
void expectNear(std::span<const float> actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(static_cast<double>(actual[i]), expected[i], tolerance * largest) << "element " << i;
  }
}

/// Theirs may have a bias, with which y is m (x' W'^T + b); ours has none.
std::vector<double> biasOf(const json& entry) {
  if (entry.at("has_bias").get<bool>()) return entry.at("b").at("data");
  return std::vector<double>(entry.at("w").at("shape")[0].get<std::size_t>(), 0.0);
}

std::vector<double> outputWithoutBias(const json& entry) {
  const auto bias = biasOf(entry);
  const double multiplier = entry.at("multiplier");
  std::vector<double> values = entry.at("y").at("data");
  for (std::size_t i = 0; i < values.size(); ++i) values[i] -= multiplier * bias[i % bias.size()];
  return values;
}

double multiplierGradientWithoutBias(const json& entry) {
  const auto bias = biasOf(entry);
  const std::vector<double> gradient = entry.at("dy").at("data");
  double value = entry.at("dmultiplier");
  for (std::size_t i = 0; i < gradient.size(); ++i) value -= gradient[i] * bias[i % bias.size()];
  return value;
}

template <class Value>
std::vector<Value> transposed(const std::vector<Value>& values, std::size_t rows) {
  const auto columns = values.size() / rows;
  std::vector<Value> result(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) result[i % columns * rows + i / columns] = values[i];
  return result;
}

TEST(NormalizedDenseGolden, ForwardAndGradients) {
  SLIPSTREAM_GOLDEN_FOLDER(folder);
  const auto golden = test::readGolden(folder, "less_bn.json");
  const double tolerance = golden.at("tol").at("f32_rtol");
  test::CaseCounter counter("less_bn.json fn_head", golden.at("fn_head").size());
  for (const auto& entry : golden.at("fn_head")) {
    ASSERT_EQ(entry.at("eps"), 1e-4);
    const std::int64_t batch = entry.at("x").at("shape")[0];
    const std::int64_t inputs = entry.at("x").at("shape")[1];
    const std::int64_t outputs = entry.at("w").at("shape")[0];
    // The layer in front passes x on and receives dx in the gradient of its weight, as x is the unit matrix there.
    const NetworkSpec spec{"layers", {test::dense("x", inputs, false), test::normalizedDense("head", outputs)}};
    test::Host host;
    const auto network = makeNetwork(spec, {0, 0, batch}, batch, NumberType::float32, *host.device);
    const auto& layout = network->layout();
    WholeParameterStore weights(*host.device, layout.size(), MemoryCategory::weights);
    WholeParameterStore gradients(*host.device, layout.size(), MemoryCategory::gradients);
    const auto set = [&](const char* name, const std::vector<float>& values) {
      const auto range = weights.acquire(layout.tensor(name).range);
      std::copy(values.begin(), values.end(), range.begin());
    };
    set("x.weight", transposed(dataOf(entry.at("x")), static_cast<std::size_t>(batch)));
    set("head.weight", dataOf(entry.at("w")));
    set("head.multiplier", {entry.at("multiplier").get<float>()});
    std::vector<float> unit(static_cast<std::size_t>(batch * batch), 0.0F);
    for (std::int64_t i = 0; i < batch; ++i) unit[static_cast<std::size_t>(i * batch + i)] = 1.0F;
    const auto output = network->forward(unit, batch, NetworkMode::training, weights, nullptr);
    expectNear(output, outputWithoutBias(entry), tolerance);
    network->backward(dataOf(entry.at("dy")), batch, weights, gradients, false, 0, nullptr);
    const auto gradientOf = [&](const char* name) { return gradients.acquire(layout.tensor(name).range); };
    expectNear(gradientOf("head.weight"), entry.at("dw").at("data"), tolerance);
    expectNear(gradientOf("head.multiplier"), {multiplierGradientWithoutBias(entry)}, tolerance);
    const std::vector<double> dx = entry.at("dx").at("data");
    expectNear(gradientOf("x.weight"), transposed(dx, static_cast<std::size_t>(batch)), tolerance);
    counter.used();
  }
  counter.finish();
}

}  // namespace
}  // namespace slipstream
