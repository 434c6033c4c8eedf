// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/plan/network_memory.h"
#include "tests/nn/layers.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream {
namespace {

using namespace test;  // NOLINT: the layers of the cases below

constexpr SampleShape picture{7, 6, 3};

struct LayerCase {
  const char* name;
  std::vector<LayerSpec> layers;
  SampleShape input = picture;
};

void PrintTo(const LayerCase& layers, std::ostream* out) {
  *out << layers.name;
}

/// A first layer with weights sees the gradient that the layer under test passes down.
std::vector<LayerCase> layerCases() {
  const auto mix = conv("mix", 5, 1);
  const SampleShape flat{0, 0, 11};
  return {
      {"dense", {dense("a", 9)}, flat},
      {"denseNoBias", {dense("a", 9, false), dense("b", 4, false)}, flat},
      {"denseTwice", {dense("a", 9), dense("b", 4)}, flat},
      {"denseRelu", {dense("a", 9), relu(), dense("b", 4)}, flat},
      {"reluFirst", {relu(), dense("a", 9)}, flat},
      {"reluAfterPool", {mix, pool(LayerKind::avgPool, 2, 2), relu(), flatten(), dense("a", 3)}},
      {"reluTwice", {dense("a", 9), relu(), relu(), dense("b", 4)}, flat},
      {"flattenFirst", {flatten(), dense("a", 4)}},
      {"conv", {conv("a", 4, 3)}},
      {"convNoBias", {conv("a", 4, 3, 1, 1, false), conv("b", 3, 3, 1, 0, false)}},
      {"convPadded", {mix, conv("a", 4, 5, 1, 2)}},
      {"convStrided", {mix, conv("a", 4, 3, 2, 1)}},
      {"convRelu", {mix, conv("a", 17, 3, 1, 1), relu(), conv("b", 2, 3)}},
      {"convPointwise", {mix, conv("a", 4, 1, 1, 0, false), relu(), conv("b", 3, 1, 1, 0, false)}},
      {"convWide", {conv("a", 16, 3, 1, 1), relu(), conv("b", 16, 1)}},
      {"maxPool", {mix, pool(LayerKind::maxPool, 2, 2)}},
      {"maxPoolOverlapping", {mix, pool(LayerKind::maxPool, 3, 2, 1)}},
      {"avgPool", {mix, pool(LayerKind::avgPool, 2, 2)}},
      {"avgPoolOverlapping", {mix, pool(LayerKind::avgPool, 3, 2, 1)}},
      {"convSame", {mix, same(conv("a", 4, 3, 2)), same(conv("b", 3, 2))}},
      {"maxPoolSame", {mix, same(pool(LayerKind::maxPool, 3, 2))}},
      {"avgPoolSame", {mix, same(pool(LayerKind::avgPool, 3, 2))}},
      {"globalAvgPool", {mix, globalAvgPool(), dense("a", 3)}},
      {"normalizedDense", {dense("a", 9), normalizedDense("b", 4)}, flat},
      {"normalizedDenseRelu", {normalizedDense("a", 9), relu(), normalizedDense("b", 4)}, flat},
      {"add", {dense("a", 6), reading("input", dense("b", 6)), add("a"), dense("c", 2)}, flat},
      {"addTwice", {dense("a", 6), add("a"), relu("r"), add("a"), dense("c", 2)}, flat},
      {"addInput", {dense("a", 11), add("input"), relu(), dense("c", 2)}, flat},
      {"addFlattened", {mix, named("f", flatten()), reading("mix", relu("r")), flatten(), add("f"), dense("c", 2)}},
      {"addToRelu", {dense("a", 6), relu("r"), dense("b", 6), reading("r", add("b")), dense("c", 2)}, flat},
      {"reluBesideItsInput", {dense("a", 6), relu("r"), add("a"), relu(), dense("c", 2)}, flat},
      {"readThrice", {dense("a", 6), relu("r"), add("a", "s"), add("a", "t"), add("r"), dense("c", 2)}, flat},
      {"basicBlock", aroundBlock({.kind = ResidualKind::basic, .name = "x", .channels = 4})},
      {"basicBlockStrided", aroundBlock({.kind = ResidualKind::basic, .name = "x", .channels = 6, .stride = 2})},
      {"bottleneckBlock", aroundBlock({.kind = ResidualKind::bottleneck, .name = "x", .channels = 4, .expansion = 2})},
      {"bottleneckBlockStrided",
       aroundBlock({.kind = ResidualKind::bottleneck, .name = "x", .channels = 8, .stride = 2})},
      {"batchNorm", {mix, batchNorm("a")}},
      {"batchNormRelu", {mix, batchNorm("a"), relu(), conv("b", 2, 1)}},
      {"batchNormFlat", {dense("d", 6), batchNorm("a"), dense("b", 3)}, flat},
      {"chain",
       {conv("c1", 6, 3, 1, 1), batchNorm("n1"), relu(), pool(LayerKind::maxPool, 2, 2), conv("c2", 8, 3), relu(),
        pool(LayerKind::avgPool, 1, 1), flatten(), dense("d1", 12), relu(), dense("d2", 10)}},
  };
}

class EveryLayer : public testing::TestWithParam<LayerCase> {};

TEST_P(EveryLayer, ForwardAndGradientsAgreeWithPlainLoopsAndFiniteDifferences) {
  expectForwardAndGradients({"layers", GetParam().layers}, GetParam().input, 5);
}

TEST_P(EveryLayer, AlsoForOneSample) {
  const bool normalisesOneRow = GetParam().name == std::string("batchNormFlat");
  expectForwardAndGradients({"layers", GetParam().layers}, GetParam().input, normalisesOneRow ? 2 : 1);
}

TEST_P(EveryLayer, AccumulatingTwiceGivesTwiceTheGradient) {
  NetworkBench bench({"layers", GetParam().layers}, GetParam().input, 3);
  const auto samples = drawn(3 * GetParam().input.elements(), 2);
  const auto direction = drawn(std::ssize(bench.forward(samples, 3)), 3);
  bench.backward(direction, 3);
  auto twice = bench.forwardOrder(bench.gradients);
  for (auto& value : twice) value *= 2;
  bench.forward(samples, 3);
  bench.backward(direction, 3, true);
  expectNear(bench.forwardOrder(bench.gradients), twice, 1e-6);
}

TEST_P(EveryLayer, SameBitsTwice) {
  const auto run = [&] {
    NetworkBench bench({"layers", GetParam().layers}, GetParam().input, 4);
    const auto samples = drawn(4 * GetParam().input.elements(), 2);
    auto output = bench.forward(samples, 4);
    bench.backward(drawn(std::ssize(output), 3), 4);
    const auto gradients = bench.all(bench.gradients);
    output.insert(output.end(), gradients.begin(), gradients.end());
    return output;
  };
  EXPECT_EQ(run(), run());
}

TEST_P(EveryLayer, TakesTheMemoryThatIsForecast) {
  constexpr std::int64_t batch = 4;
  const NetworkSpec network{"layers", GetParam().layers};
  const bool endsFlat = networkShape(network, GetParam().input)->outputs.back().height == 0;
  for (const NumberType pictures : {NumberType::float32, NumberType::bfloat16}) {
    if (pictures != NumberType::float32 && !endsFlat) continue;  // no such network
    NetworkBench bench(network, GetParam().input, batch, pictures);
    const auto samples = drawn(batch * GetParam().input.elements(), 2);  // read by the backward pass too
    const auto output = bench.forward(samples, batch);
    const auto direction = drawn(std::ssize(output), 3);
    bench.backward(direction, batch);
    bench.backward(direction, batch, true);
    const auto activations = [](const Host& host) {
      return host.meter.peak()[static_cast<std::size_t>(MemoryCategory::activations)];
    };
    const Host other;
    const auto scratch = scratchBytes(network, GetParam().input, batch, pictures, *other.device);
    const auto planned = planMemory(network, bench.network->shape(), pictures, Convolutions::plain);
    EXPECT_EQ(activations(bench.host), batch * planned.bytes() + scratch);
  }
}

INSTANTIATE_TEST_SUITE_P(Network, EveryLayer, testing::ValuesIn(layerCases()),
                         [](const auto& tested) { return std::string(tested.param.name); });

/// It would be gibibytes.
TEST(Network, AForecastOfScratchMemoryTakesNone) {
  const NetworkSpec network{"layers",
                            {conv("a", 8, 3, 1, 1, false), batchNorm("n"), relu(), pool(LayerKind::maxPool, 2, 2),
                             globalAvgPool(), normalizedDense("head", 3)}};
  constexpr std::int64_t batch = 16, size = 4096;
  constexpr std::int64_t sumsOfBatchNorm = batch * size * size / 512 * 2 * 8 * 8 * 8;  // 8 rows of 8 channels as one
  for (const NumberType pictures : {NumberType::float32, NumberType::bfloat16}) {
    const Host host;
    EXPECT_GE(scratchBytes(network, {size, size, 3}, batch, pictures, *host.device), sumsOfBatchNorm);
    EXPECT_EQ(host.meter.peak()[static_cast<std::size_t>(MemoryCategory::activations)], 0);
  }
}

TEST(Network, LeNet5AgreesWithTheReference) {
  const SampleShape digit{28, 28, 1};
  NetworkBench bench(leNet5(), digit, 4);
  EXPECT_EQ(bench.network->layout().size(), 61706);
  const auto samples = drawn(3 * digit.elements(), 2);
  const auto output = bench.forward(samples, 3);
  const auto expected = bench.reference.forward({samples.begin(), samples.end()}, 3, bench.forwardOrder(bench.weights));
  expectNear({output.begin(), output.end()}, expected, 1e-5);
}

TEST(Network, NoConvolutionFallsToReferenceCode) {
  for (const std::int64_t batch : {1, 32}) {
    for (const auto& layers :
         {leNet5().layers, {conv("a", 64, 3, 2, 1), relu(), conv("b", 128, 1, 1, 0, false), conv("c", 3, 7, 2, 3)}}) {
      NetworkBench bench({"layers", layers}, {28, 28, 1}, batch);
      EXPECT_FALSE(bench.network->kernels().empty());
      for (const auto& kernel : bench.network->kernels()) EXPECT_EQ(kernel.find("ref"), std::string::npos) << kernel;
    }
  }
}

TEST(Network, BatchNormMovesItsRunningStatisticsAndUsesThemInEvaluation) {
  NetworkSpec spec{"layers", {batchNorm("bn")}};
  spec.layers[0].momentum = 0.75;
  spec.layers[0].epsilon = 0.0;
  NetworkBench bench(spec, {0, 0, 2}, 4);
  const auto weights = bench.all(bench.weights);
  std::fill(weights.begin(), weights.end(), 0.0F);
  const auto gamma = bench.weights.acquire(bench.network->layout().tensor("bn.gamma").range);
  std::fill(gamma.begin(), gamma.end(), 1.0F);
  // Channel 0: mean 2, unbiased variance 4; channel 1: mean 10, unbiased variance 16.
  bench.forward(std::vector<float>{0, 6, 2, 10, 4, 14}, 3);
  const auto states = bench.network->states();
  ASSERT_EQ(states.size(), 2U);
  EXPECT_EQ(states[0].name, "bn.moving_mean");
  EXPECT_EQ(states[1].name, "bn.moving_variance");
  EXPECT_FLOAT_EQ(states[0].values[0], 0.5F);
  EXPECT_FLOAT_EQ(states[0].values[1], 2.5F);
  EXPECT_FLOAT_EQ(states[1].values[0], 0.75F + 1.0F);
  EXPECT_FLOAT_EQ(states[1].values[1], 0.75F + 4.0F);
  states[1].values[0] = 4.0F;
  states[1].values[1] = 1.0F;
  const auto output = bench.forward(std::vector<float>{4.5F, 3.5F}, 1, NetworkMode::evaluation);
  EXPECT_FLOAT_EQ(output[0], 2.0F);
  EXPECT_FLOAT_EQ(output[1], 1.0F);
  EXPECT_FLOAT_EQ(states[0].values[0], 0.5F) << "evaluation must not move the statistics";
}

/// Writes down the order of events.
class Diary final : public LayerObserver {
 public:
  void beforeForward(int layer) override { note("f", layer); }
  void afterForward(int layer) override { note("F", layer); }
  void beforeBackward(int layer) override { note("b", layer); }
  void afterBackward(int layer) override { note("B", layer); }
  std::string text;

 private:
  void note(const char* event, int layer) { text += event + std::to_string(layer) + " "; }
};

/// Counts what is borrowed.
class CountingStore final : public ParameterStore {
 public:
  explicit CountingStore(std::int64_t elements) : values_(static_cast<std::size_t>(elements)) {}
  std::span<float> acquire(Range range) override {
    ++open;
    ++total;
    return std::span(values_).subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
  }
  void release(Range) override { --open; }
  std::vector<PinnedRange> kept() override { return {{{0, std::ssize(values_)}, values_}}; }
  int open = 0;
  int total = 0;

 private:
  std::vector<float> values_;
};

TEST(Network, ObserverHearsEveryLayerInOrder) {
  NetworkBench bench({"layers", {flatten(), dense("a", 4), relu(), dense("b", 2)}}, picture, 1);
  Diary diary;
  const auto samples = drawn(picture.elements(), 2);
  bench.network->forward(samples, 1, NetworkMode::training, bench.weights, &diary);
  EXPECT_EQ(diary.text, "f0 F0 f1 F1 f2 F2 f3 F3 ");
  diary.text.clear();
  bench.network->backward(drawn(2, 3), 1, bench.weights, bench.gradients, false, 0, &diary);
  EXPECT_EQ(diary.text, "b3 B3 b2 B2 b1 B1 b0 B0 ");
}

TEST(Network, LayersBelowTheFirstTrainedOneAreLeftAlone) {
  NetworkBench bench({"layers", {flatten(), dense("a", 4), relu(), dense("b", 2)}}, picture, 1);
  Diary diary;
  bench.forward(drawn(picture.elements(), 2), 1);
  bench.backward(drawn(2, 3), 1);
  const auto whole = bench.forwardOrder(bench.gradients);
  const auto all = bench.all(bench.gradients);
  std::fill(all.begin(), all.end(), 7.0F);
  bench.network->backward(drawn(2, 3), 1, bench.weights, bench.gradients, false, 2, &diary);
  EXPECT_EQ(diary.text, "b3 B3 b2 B2 ");
  const auto frozen = bench.forwardOrder(bench.gradients);
  const std::size_t upper = 2 * 4 + 2;
  const std::size_t lower = frozen.size() - upper;
  for (std::size_t i = 0; i < lower; ++i) ASSERT_EQ(frozen[i], 7.0);
  for (std::size_t i = lower; i < frozen.size(); ++i) ASSERT_EQ(frozen[i], whole[i]);
}

TEST(Network, EveryRangeThatIsAcquiredIsReleased) {
  NetworkBench bench({"layers", {conv("c", 4, 3), batchNorm("n"), relu(), flatten(), dense("a", 4)}}, picture, 2);
  CountingStore weights(bench.network->layout().size());
  CountingStore gradients(bench.network->layout().size());
  const auto samples = drawn(2 * picture.elements(), 2);
  bench.network->forward(samples, 2, NetworkMode::training, weights, nullptr);
  EXPECT_EQ(weights.total, 3);
  bench.network->backward(drawn(8, 3), 2, weights, gradients, false, 0, nullptr);
  EXPECT_EQ(gradients.total, 3);
  EXPECT_EQ(weights.open, 0);
  EXPECT_EQ(gradients.open, 0);
}

TEST(Network, MemoryIsTakenOnce) {
  const SampleShape digit{28, 28, 1};
  NetworkBench bench(leNet5(), digit, 32);
  const auto before = bench.host.meter.peak();
  const auto samples = drawn(32 * digit.elements(), 2);
  for (int i = 0; i < 3; ++i) {
    bench.forward(samples, 32);
    bench.backward(drawn(320, 3), 32);
  }
  EXPECT_EQ(bench.host.meter.peak(), before);
}

TEST(Network, MaxPoolGivesTheGradientToTheLeftmostThenTopmostOfEqualValues) {
  // Weight c of the convolution collects the gradient where channel c of the input is one: each pixel has its own.
  NetworkBench bench({"layers", {conv("mark", 1, 1, 1, 0, true), pool(LayerKind::maxPool, 2, 2)}}, {2, 4, 8}, 1);
  const auto weights = bench.all(bench.weights);
  const std::vector<float> values{1, 5, 0, -2, 5, 3, 0, -2};
  const auto mark = bench.weights.acquire(bench.network->layout().tensor("mark.weight").range);
  std::fill(weights.begin(), weights.end(), 0.0F);
  std::copy(values.begin(), values.end(), mark.begin());
  std::vector<float> pixels(64, 0.0F);
  for (std::size_t i = 0; i < 8; ++i) pixels[i * 8 + i] = 1.0F;
  EXPECT_EQ(bench.forward(pixels, 1), (std::vector<float>{5, 0}));
  bench.backward(std::vector<float>{1, 10}, 1);
  const auto gradient = bench.gradients.acquire(bench.network->layout().tensor("mark.weight").range);
  EXPECT_EQ(std::vector<float>(gradient.begin(), gradient.end()), (std::vector<float>{0, 0, 10, 0, 1, 0, 0, 0}));
  mark[4] = std::nanf("");
  const auto spoiled = bench.forward(pixels, 1);
  EXPECT_TRUE(std::isnan(spoiled[0]));
}

TEST(Network, NaNPassesThroughEveryLayer) {
  for (const auto& layers : layerCases()) {
    NetworkBench bench({"layers", layers.layers}, layers.input, 1);
    std::vector<float> samples(static_cast<std::size_t>(layers.input.elements()), std::nanf(""));
    const auto output = bench.forward(samples, 1);
    EXPECT_TRUE(std::all_of(output.begin(), output.end(), [](float value) { return std::isnan(value); }))
        << layers.name;
  }
}

TEST(Network, WrongBatchesAndMismatchesThrow) {
  NetworkBench bench({"layers", {flatten(), dense("a", 4)}}, picture, 2);
  EXPECT_THROW(bench.forward(drawn(3 * picture.elements(), 2), 3), Error);
  EXPECT_THROW(bench.forward(drawn(5, 2), 1), Error);
  bench.forward(drawn(2 * picture.elements(), 2), 2);
  EXPECT_THROW(bench.backward(drawn(4, 2), 2), Error);
  EXPECT_THROW(makeNetwork({"layers", {dense("a", 4)}}, picture, 1, NumberType::float32, *bench.host.device), Error);
}

}  // namespace
}  // namespace slipstream
