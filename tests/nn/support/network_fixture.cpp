// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/nn/support/network_fixture.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/base/random.h"

namespace slipstream::test {
namespace {

double dot(const std::vector<double>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * static_cast<double>(b[i]);
  return sum;
}

/// d(direction . output)/d(weights) by central differences in double.
std::vector<double> differences(const ReferenceNetwork& reference, const std::vector<double>& input, std::int64_t batch,
                                std::vector<double> weights, const std::vector<float>& direction) {
  constexpr double step = 1e-7;  // small, so that no ReLU changes its mind between the two
  std::vector<double> result;
  for (auto& weight : weights) {
    const double kept = weight;
    weight = kept + step;
    const double above = dot(reference.forward(input, batch, weights), direction);
    weight = kept - step;
    const double below = dot(reference.forward(input, batch, weights), direction);
    weight = kept;
    result.push_back((above - below) / (2 * step));
  }
  return result;
}

}  // namespace

std::vector<float> drawn(std::int64_t count, std::uint64_t number) {
  Random random(3, RandomStream::test, number);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (auto& value : values) value = static_cast<float>(random.uniform(-1.0, 1.0));
  return values;
}

NetworkBench::NetworkBench(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch, NumberType pictures)
    : reference(spec, input),
      network(makeNetwork(spec, input, maximumBatch, pictures, *host.device)),
      weights(*host.device, network->layout().size(), MemoryCategory::weights),
      gradients(*host.device, network->layout().size(), MemoryCategory::gradients) {
  const auto values = drawn(network->layout().size(), 1);
  std::copy(values.begin(), values.end(), all(weights).begin());
}

std::vector<float> NetworkBench::forward(std::span<const float> input, std::int64_t batch, NetworkMode mode) {
  const auto output = network->forward(input, batch, mode, weights, nullptr);
  return {output.begin(), output.end()};
}

void NetworkBench::backward(std::span<const float> outputGradient, std::int64_t batch, bool accumulate,
                            int firstTrainedLayer) {
  network->backward(outputGradient, batch, weights, gradients, accumulate, firstTrainedLayer, nullptr);
}

std::vector<double> NetworkBench::forwardOrder(WholeParameterStore& store) {
  std::vector<double> values;
  const auto& tensors = network->layout().tensors();
  for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor) {
    for (const float value : store.acquire(tensor->range)) values.push_back(static_cast<double>(value));
  }
  return values;
}

std::vector<double> wide(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

double length(std::span<const double> values) {
  return std::sqrt(std::inner_product(values.begin(), values.end(), values.begin(), 0.0));
}

double distance(std::span<const double> actual, std::span<const double> expected) {
  std::vector<double> difference(expected.size());
  std::ranges::transform(actual, expected, difference.begin(), std::minus<>());
  return length(difference);
}

void expectNear(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], tolerance * std::max(largest, 1e-3)) << "element " << i;
  }
}

void expectForwardAndGradients(const NetworkSpec& spec, SampleShape input, std::int64_t batch) {
  NetworkBench bench(spec, input, batch + 2);  // memory for more samples than there are must not matter
  const auto samples = drawn(batch * input.elements(), 2);
  const auto output = bench.forward(samples, batch);
  const auto weights = bench.forwardOrder(bench.weights);
  expectNear(wide(output), bench.reference.forward(wide(samples), batch, weights), 1e-5);
  const auto direction = drawn(std::ssize(output), 3);
  bench.backward(direction, batch);
  expectNear(bench.forwardOrder(bench.gradients),
             differences(bench.reference, wide(samples), batch, weights, direction), 2e-5);
}

}  // namespace slipstream::test
