// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "engine/boost/less_bn/spec.h"
#include "tests/nn/layers.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream {
namespace {

using namespace test;  // NOLINT: the layers of the cases below

constexpr SampleShape picture{6, 5, 3};
constexpr SampleShape flatInput{0, 0, 5};
constexpr int width = 5;

std::vector<float> values(std::span<const float> span) {
  return {span.begin(), span.end()};
}

/// A first block that keeps its input's shape and one that does not, so that both shortcuts are there.
std::vector<LayerSpec> twoBlocks(ResidualKind kind) {
  LayerList layers;
  layers.add(conv("stem", 4, 3, 1, 1, false));
  layers.add(batchNorm("bn"));
  layers.add(relu());
  layers.add(ResidualSpec{.kind = kind, .name = "one", .channels = 4, .expansion = 2});
  layers.add(ResidualSpec{.kind = kind, .name = "two", .channels = 6, .stride = 2, .expansion = 2});
  layers.add(globalAvgPool());
  layers.add(dense("head", 3));
  return layers.take();
}

/// Layers that read each other at random; what nobody reads is added up in the end.
std::vector<LayerSpec> randomLayers(std::uint64_t number) {
  Random random(7, RandomStream::test, number);
  std::vector<std::string> unread{};
  std::vector<std::string> all{"input"};
  std::vector<LayerSpec> layers;
  const auto pick = [&] { return all[static_cast<std::size_t>(random.below(all.size()))]; };
  const auto append = [&](LayerSpec layer) {
    layer.name = "l" + std::to_string(layers.size());
    std::erase_if(unread, [&](const auto& name) { return name == layer.from || name == layer.with; });
    unread.push_back(layer.name);
    all.push_back(layer.name);
    layers.push_back(layer);
  };
  for (int i = 0; i < 12; ++i) {
    const auto kind = random.below(5);
    if (kind == 0) append(reading(pick(), dense("", width)));
    if (kind == 1) append(reading(pick(), relu()));
    if (kind == 2) append(reading(pick(), flatten()));
    if (kind > 2) append(reading(pick(), add(pick())));
  }
  append(reading(pick(), dense("", width)));
  while (unread.size() > 1) append(reading(unread[0], add(unread[1])));
  return layers;
}

/// Whichever layer is the first trained one, the gradients of the trained are those of a full backward, bit for bit,
/// and the others' memory is left alone.
void expectFrozenGradients(const std::vector<LayerSpec>& layers, SampleShape input) {
  NetworkBench bench({"layers", layers}, input, 3);
  const auto samples = drawn(3 * input.elements(), 2);
  const auto direction = drawn(std::ssize(bench.forward(samples, 3)), 3);
  bench.backward(direction, 3);
  const auto whole = values(bench.all(bench.gradients));
  for (int first = 0; first <= static_cast<int>(layers.size()); ++first) {
    const auto all = bench.all(bench.gradients);
    std::fill(all.begin(), all.end(), 7.0F);
    bench.forward(samples, 3);
    bench.backward(direction, 3, false, first);
    for (const auto& tensor : bench.network->layout().tensors()) {
      const bool trained = tensor.spec.layer >= first;
      for (auto i = tensor.range.begin; i < tensor.range.end; ++i) {
        const auto at = static_cast<std::size_t>(i);
        ASSERT_EQ(all[at], trained ? whole[at] : 7.0F) << tensor.spec.name << " with first trained layer " << first;
      }
    }
  }
}

TEST(Residual, BothBlocksAndBothShortcutsAgreeWithFiniteDifferences) {
  for (const auto kind : {ResidualKind::basic, ResidualKind::bottleneck}) {
    expectForwardAndGradients({"layers", twoBlocks(kind)}, picture, 4);
  }
}

TEST(Residual, WithoutInnerBatchNormsToo) {
  const auto rewritten = lessBn({"layers", twoBlocks(ResidualKind::bottleneck)}, true);
  EXPECT_EQ(rewritten.removedBatchNorms.size(), 4U);
  expectForwardAndGradients(rewritten.network, picture, 4);
}

TEST(Residual, FirstTrainedLayerAtEveryPosition) {
  expectFrozenGradients(twoBlocks(ResidualKind::basic), picture);
  expectFrozenGradients(twoBlocks(ResidualKind::bottleneck), picture);
}

TEST(Residual, RandomNetworksOfManyReadersAgreeWithFiniteDifferences) {
  for (std::uint64_t number = 0; number < 40; ++number) {
    SCOPED_TRACE(number);
    const auto layers = randomLayers(number);
    expectForwardAndGradients({"layers", layers}, flatInput, 2);
    expectFrozenGradients(layers, flatInput);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Residual, AReluOfManyReadersCutsTheirSumOnce) {
  const auto sum = [](std::vector<LayerSpec> readers) {
    std::vector<LayerSpec> layers{conv("a", 4, 3, 1, 1), relu("left"), conv("b", 4, 3, 1, 1), add("left", "sum"),
                                  relu("cut")};
    layers.insert(layers.end(), readers.begin(), readers.end());
    layers.insert(layers.end(), {globalAvgPool(), dense("head", 3)});
    return layers;
  };
  const auto three = sum({conv("c", 4, 1), reading("cut", conv("d", 4, 3, 1, 1)), add("c", "cd"), add("cut")});
  const auto itself = sum({add("cut"), conv("c", 4, 1)});
  for (const auto& layers : {three, itself}) {
    expectForwardAndGradients({"layers", layers}, picture, 3);
    expectFrozenGradients(layers, picture);
  }
}

TEST(Residual, MicroBatchesAddUp) {
  // Without batch norm a batch's gradient is the sum of its halves'.
  std::vector<LayerSpec> layers = twoBlocks(ResidualKind::basic);
  std::erase_if(layers, [](const LayerSpec& layer) { return layer.kind == LayerKind::batchNorm; });
  for (auto& layer : layers) {
    if (layer.name == "one.add") layer.from = "one.conv2";
    if (layer.name == "two.add") layer.from = "two.conv2", layer.with = "two.down_sample_layer.0";
  }
  NetworkBench bench({"layers", layers}, picture, 4);
  const auto samples = drawn(4 * picture.elements(), 2);
  const auto direction = drawn(std::ssize(bench.forward(samples, 4)), 3);
  bench.backward(direction, 4);
  const auto whole = bench.forwardOrder(bench.gradients);
  const std::span<const float> input(samples);
  const std::span<const float> gradient(direction);
  bench.forward(input.first(input.size() / 2), 2);
  bench.backward(gradient.first(gradient.size() / 2), 2);
  bench.forward(input.last(input.size() / 2), 2);
  bench.backward(gradient.last(gradient.size() / 2), 2, true);
  expectNear(bench.forwardOrder(bench.gradients), whole, 1e-5);
}

TEST(Residual, InEvaluationASampleDoesNotSeeItsNeighbours) {
  NetworkBench bench({"layers", twoBlocks(ResidualKind::bottleneck)}, picture, 4);
  const auto samples = drawn(4 * picture.elements(), 2);
  const auto training = bench.forward(samples, 4);
  const auto together = bench.forward(samples, 4, NetworkMode::evaluation);
  EXPECT_NE(together, training);
  std::vector<float> alone;
  for (std::int64_t i = 0; i < 4; ++i) {
    const auto sample = std::span(samples).subspan(static_cast<std::size_t>(i * picture.elements()),
                                                   static_cast<std::size_t>(picture.elements()));
    const auto output = bench.forward(sample, 1, NetworkMode::evaluation);
    alone.insert(alone.end(), output.begin(), output.end());
  }
  expectNear({alone.begin(), alone.end()}, {together.begin(), together.end()}, 1e-5);
}

TEST(Residual, BuiltInNetworksRunBothWaysOnOneDnnsOwnKernels) {
  for (const char* name : {"small_resnet", "small_resnet_bottleneck", "resnet50"}) {
    for (const SampleShape input : {SampleShape{28, 28, 1}, SampleShape{32, 32, 3}}) {
      Host host;
      const auto network = makeNetwork(builtInNetwork(name).value(), input, 2, NumberType::float32, *host.device);
      const auto size = network->layout().size();
      WholeParameterStore weights(*host.device, size, MemoryCategory::weights);
      WholeParameterStore gradients(*host.device, size, MemoryCategory::gradients);
      initializeWeights(network->layout(), weights, 1);
      const auto samples = drawn(2 * input.elements(), 2);
      const auto output = network->forward(samples, 2, NetworkMode::training, weights, nullptr);
      ASSERT_EQ(output.size(), 20U);
      network->backward(drawn(20, 3), 2, weights, gradients, false, 0, nullptr);
      for (const auto& tensor : network->layout().tensors()) {
        const auto gradient = gradients.acquire(tensor.range);
        EXPECT_TRUE(std::all_of(gradient.begin(), gradient.end(), [](float value) { return std::isfinite(value); }));
        EXPECT_TRUE(std::any_of(gradient.begin(), gradient.end(), [](float value) { return value != 0; }))
            << name << " " << tensor.spec.name;
      }
      for (const auto& kernel : network->kernels()) EXPECT_EQ(kernel.find("ref"), std::string::npos) << kernel;
    }
  }
}

}  // namespace
}  // namespace slipstream
