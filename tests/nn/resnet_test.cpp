// SPDX-License-Identifier: GPL-3.0-or-later
// A training step of whole ResNets beside the reference in double.
#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/spec/network_layers.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream::test {
namespace {

TEST(ReferenceNetwork, ItsGradientsAreItsDifferences) {
  LayerList layers;
  layers.add(LayerSpec{.kind = LayerKind::conv2d, .outputs = 3, .kernel = 3, .samePadding = true});
  layers.add(LayerSpec{.kind = LayerKind::maxPool, .kernel = 2, .stride = 1, .samePadding = true});
  layers.add(ResidualSpec{.kind = ResidualKind::bottleneck, .channels = 4, .stride = 2, .expansion = 2});
  layers.add(LayerSpec{.kind = LayerKind::avgPool, .kernel = 2, .stride = 1});
  layers.add(ResidualSpec{.kind = ResidualKind::basic, .channels = 4});
  layers.add(LayerSpec{.kind = LayerKind::globalAvgPool});
  layers.add(LayerSpec{.kind = LayerKind::dense, .outputs = 3});
  const SampleShape input{7, 6, 2};
  const ReferenceNetwork reference({"layers", layers.take()}, input);
  const auto samples = wide(drawn(3 * input.elements(), 2));
  auto weights = wide(drawn(reference.weightCount(), 1));
  const auto direction = wide(drawn(9, 3));
  const auto gradients = reference.gradients(samples, 3, weights, direction);
  const auto along = [&] {
    const auto output = reference.forward(samples, 3, weights);
    double sum = 0;
    for (std::size_t i = 0; i < output.size(); ++i) sum += output[i] * direction[i];
    return sum;
  };
  constexpr double step = 1e-6;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const double kept = weights[i];
    weights[i] = kept + step;
    const double above = along();
    weights[i] = kept - step;
    const double below = along();
    weights[i] = kept;
    ASSERT_NEAR(gradients[i], (above - below) / (2 * step), 1e-6 * std::max(1.0, std::abs(gradients[i]))) << i;
  }
}

/// Moves the units away from the corner of their ReLU: there a gradient has two values, and rounding chooses. One in
/// six is still cut.
void raise(NetworkBench& bench) {
  for (const FlatTensor& tensor : bench.network->layout().tensors()) {
    if (tensor.spec.name.ends_with(".beta")) std::ranges::fill(bench.weights.acquire(tensor.range), 1.0F);
  }
}

class ResNetStep : public testing::TestWithParam<const char*> {};

TEST_P(ResNetStep, AgreesWithTheReferenceInDouble) {
  const SampleShape input{64, 64, 3};
  constexpr std::int64_t batch = 4;
  NetworkBench bench(builtInNetwork(GetParam()).value(), input, batch);
  initializeWeights(bench.network->layout(), bench.weights, 1);
  raise(bench);
  const auto samples = drawn(batch * input.elements(), 2);
  const auto output = bench.forward(samples, batch);
  const auto weights = bench.forwardOrder(bench.weights);
  const auto expectedOutput = bench.reference.forward(wide(samples), batch, weights);
  EXPECT_LT(distance(wide(output), expectedOutput), 1e-5 * length(expectedOutput));
  const auto direction = drawn(std::ssize(output), 3);
  bench.backward(direction, batch);
  const auto expected = bench.reference.gradients(wide(samples), batch, weights, wide(direction));
  const auto actual = bench.forwardOrder(bench.gradients);
  // Where everything cancels out, the gradient is as exact as what it is the sum of.
  const double rounding = 1e-8 * length(expected);
  std::size_t at = 0;
  for (const TensorSpec& tensor : bench.network->shape().tensors) {
    const auto count = static_cast<std::size_t>(tensor.elements());
    const auto wanted = std::span(expected).subspan(at, count);
    EXPECT_LT(distance(std::span(actual).subspan(at, count), wanted), 1e-4 * length(wanted) + rounding) << tensor.name;
    at += count;
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, ResNetStep, testing::Values("resnet18", "resnet50"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace slipstream::test
