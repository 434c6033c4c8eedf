#include "engine/nn/network.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "tests/nn/host.h"
#include "tests/nn/layers.h"
#include "tests/nn/reference_network.h"

namespace slipstream {
namespace {

using namespace test;  // NOLINT: the layers of the cases below

constexpr SampleShape picture{7, 6, 3};

std::vector<float> drawn(std::int64_t count, std::uint64_t number) {
  Random random(3, RandomStream::test, number);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (auto& value : values) value = static_cast<float>(random.uniform(-1.0, 1.0));
  return values;
}

/// A network with its parameters, and the reference beside it.
struct Bench {
  Bench(const NetworkSpec& spec, SampleShape input, std::int64_t maximumBatch)
      : reference(spec, input),
        network(makeNetwork(spec, input, maximumBatch, *host.device)),
        weights(*host.device, network->layout().size(), MemoryCategory::weights),
        gradients(*host.device, network->layout().size(), MemoryCategory::gradients) {
    const auto values = drawn(network->layout().size(), 1);
    std::copy(values.begin(), values.end(), all(weights).begin());
  }

  std::span<float> all(WholeParameterStore& store) { return store.acquire({0, network->layout().size()}); }

  std::vector<float> forward(std::span<const float> input, std::int64_t batch,
                             NetworkMode mode = NetworkMode::training) {
    const auto output = network->forward(input, batch, mode, weights, nullptr);
    return {output.begin(), output.end()};
  }
  void backward(std::span<const float> outputGradient, std::int64_t batch, bool accumulate = false) {
    network->backward(outputGradient, batch, weights, gradients, accumulate, 0, nullptr);
  }

  /// The flat values in the order of the reference: tensors from front to back.
  std::vector<double> forwardOrder(WholeParameterStore& store) {
    std::vector<double> values;
    const auto& tensors = network->layout().tensors();
    for (auto tensor = tensors.rbegin(); tensor != tensors.rend(); ++tensor) {
      for (const float value : store.acquire(tensor->range)) values.push_back(static_cast<double>(value));
    }
    return values;
  }

  Host host;
  ReferenceNetwork reference;
  std::unique_ptr<Network> network;
  WholeParameterStore weights;
  WholeParameterStore gradients;
};

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

void expectNear(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  double largest = 0;
  for (const double value : expected) largest = std::max(largest, std::abs(value));
  for (std::size_t i = 0; i < expected.size(); ++i) {
    ASSERT_NEAR(actual[i], expected[i], tolerance * std::max(largest, 1e-3)) << "element " << i;
  }
}

void expectForwardAndGradients(const NetworkSpec& spec, SampleShape input, std::int64_t batch) {
  Bench bench(spec, input, batch + 2);  // memory for more samples than there are must not matter
  const auto samples = drawn(batch * input.elements(), 2);
  const auto output = bench.forward(samples, batch);
  const std::vector<double> wide(samples.begin(), samples.end());
  const auto weights = bench.forwardOrder(bench.weights);
  expectNear({output.begin(), output.end()}, bench.reference.forward(wide, batch, weights), 1e-5);
  const auto direction = drawn(std::ssize(output), 3);
  bench.backward(direction, batch);
  expectNear(bench.forwardOrder(bench.gradients), differences(bench.reference, wide, batch, weights, direction), 2e-5);
}

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
      {"convWide", {conv("a", 16, 3, 1, 1), relu(), conv("b", 16, 1)}},
      {"maxPool", {mix, pool(LayerKind::maxPool, 2, 2)}},
      {"maxPoolOverlapping", {mix, pool(LayerKind::maxPool, 3, 2, 1)}},
      {"avgPool", {mix, pool(LayerKind::avgPool, 2, 2)}},
      {"avgPoolOverlapping", {mix, pool(LayerKind::avgPool, 3, 2, 1)}},
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
  Bench bench({"layers", GetParam().layers}, GetParam().input, 3);
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
    Bench bench({"layers", GetParam().layers}, GetParam().input, 4);
    const auto samples = drawn(4 * GetParam().input.elements(), 2);
    auto output = bench.forward(samples, 4);
    bench.backward(drawn(std::ssize(output), 3), 4);
    const auto gradients = bench.all(bench.gradients);
    output.insert(output.end(), gradients.begin(), gradients.end());
    return output;
  };
  EXPECT_EQ(run(), run());
}

INSTANTIATE_TEST_SUITE_P(Network, EveryLayer, testing::ValuesIn(layerCases()),
                         [](const auto& tested) { return std::string(tested.param.name); });

TEST(Network, LeNet5AgreesWithTheReference) {
  const SampleShape digit{28, 28, 1};
  Bench bench(leNet5(), digit, 4);
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
      Bench bench({"layers", layers}, {28, 28, 1}, batch);
      EXPECT_FALSE(bench.network->kernels().empty());
      for (const auto& kernel : bench.network->kernels()) EXPECT_EQ(kernel.find("ref"), std::string::npos) << kernel;
    }
  }
}

TEST(Network, BatchNormMovesItsRunningStatisticsAndUsesThemInEvaluation) {
  NetworkSpec spec{"layers", {batchNorm("bn")}};
  spec.layers[0].momentum = 0.75;
  spec.layers[0].epsilon = 0.0;
  Bench bench(spec, {0, 0, 2}, 4);
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
  std::vector<KeptRange> kept() override { return {{{0, std::ssize(values_)}, values_}}; }
  int open = 0;
  int total = 0;

 private:
  std::vector<float> values_;
};

TEST(Network, ObserverHearsEveryLayerInOrder) {
  Bench bench({"layers", {flatten(), dense("a", 4), relu(), dense("b", 2)}}, picture, 1);
  Diary diary;
  const auto samples = drawn(picture.elements(), 2);
  bench.network->forward(samples, 1, NetworkMode::training, bench.weights, &diary);
  EXPECT_EQ(diary.text, "f0 F0 f1 F1 f2 F2 f3 F3 ");
  diary.text.clear();
  bench.network->backward(drawn(2, 3), 1, bench.weights, bench.gradients, false, 0, &diary);
  EXPECT_EQ(diary.text, "b3 B3 b2 B2 b1 B1 b0 B0 ");
}

TEST(Network, LayersBelowTheFirstTrainedOneAreLeftAlone) {
  Bench bench({"layers", {flatten(), dense("a", 4), relu(), dense("b", 2)}}, picture, 1);
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
  Bench bench({"layers", {conv("c", 4, 3), batchNorm("n"), relu(), flatten(), dense("a", 4)}}, picture, 2);
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
  Bench bench(leNet5(), digit, 32);
  const auto before = bench.host.meter->peak();
  const auto samples = drawn(32 * digit.elements(), 2);
  for (int i = 0; i < 3; ++i) {
    bench.forward(samples, 32);
    bench.backward(drawn(320, 3), 32);
  }
  EXPECT_EQ(bench.host.meter->peak(), before);
}

TEST(Network, MaxPoolGivesTheGradientToTheLeftmostThenTopmostOfEqualValues) {
  // Weight c of the convolution collects the gradient where channel c of the input is one: each pixel has its own.
  Bench bench({"layers", {conv("mark", 1, 1, 1, 0, true), pool(LayerKind::maxPool, 2, 2)}}, {2, 4, 8}, 1);
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
    Bench bench({"layers", layers.layers}, layers.input, 1);
    std::vector<float> samples(static_cast<std::size_t>(layers.input.elements()), std::nanf(""));
    const auto output = bench.forward(samples, 1);
    EXPECT_TRUE(std::all_of(output.begin(), output.end(), [](float value) { return std::isnan(value); }))
        << layers.name;
  }
}

TEST(Network, WrongBatchesAndMisfitsThrow) {
  Bench bench({"layers", {flatten(), dense("a", 4)}}, picture, 2);
  EXPECT_THROW(bench.forward(drawn(3 * picture.elements(), 2), 3), Error);
  EXPECT_THROW(bench.forward(drawn(5, 2), 1), Error);
  bench.forward(drawn(2 * picture.elements(), 2), 2);
  EXPECT_THROW(bench.backward(drawn(4, 2), 2), Error);
  EXPECT_THROW(makeNetwork({"layers", {dense("a", 4)}}, picture, 1, *bench.host.device), Error);
}

}  // namespace
}  // namespace slipstream
