// SPDX-License-Identifier: GPL-3.0-or-later
// The GPU's layers, run in loops on the host, beside the CPU's.
#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/nn/cuda/host_ops.h"
#include "tests/nn/support/device_bench.h"
#include "tests/nn/host.h"
#include "tests/nn/layers.h"
#include "tests/nn/support/network_fixture.h"
#include "tests/support/counting_device.h"

namespace slipstream::test {
namespace {

class GpuLayersOnTheHost : public testing::TestWithParam<std::tuple<LayerCase, NumberType>> {
 protected:
  const LayerCase& layers() const { return std::get<0>(GetParam()); }
  NumberType pictures() const { return std::get<1>(GetParam()); }
  DeviceBench bench(bool reversed = false) {
    return {layers().network, layers().input, layers().batch, pictures(), *host_.device, makeHostBackend(reversed)};
  }

 private:
  Host host_;
};

TEST_P(GpuLayersOnTheHost, AreLikeTheCpus) {
  auto tested = bench();
  expectLikeTheCpu(layers(), pictures(), tested);
}

TEST_P(GpuLayersOnTheHost, MakeTheSameBitsInAnyOrderOfThreads) {
  const auto results = [&](bool reversed) {
    auto tested = bench(reversed);
    auto all =
        tested.forward(drawn(layers().batch * layers().input.elements(), 2), layers().batch, NetworkMode::training);
    const auto gradients = tested.backward(drawn(std::ssize(all), 3), layers().batch);
    all.insert(all.end(), gradients.begin(), gradients.end());
    return all;
  };
  EXPECT_EQ(results(false), results(true));
}

TEST_P(GpuLayersOnTheHost, LeaveAloneWhatIsNotTrained) {
  auto tested = bench();
  expectUntrainedLeftAlone(layers(), tested);
}

/// Also where the first trained layer stands between the readers of one output.
TEST_P(GpuLayersOnTheHost, TrainFromAnyLayerOnWithTheSameBits) {
  auto tested = bench();
  const auto samples = drawn(layers().batch * layers().input.elements(), 2);
  const auto direction = drawn(std::ssize(tested.forward(samples, layers().batch, NetworkMode::training)), 3);
  const auto expected = tested.backward(direction, layers().batch);
  const auto others = drawn(std::ssize(direction), 9);
  for (int first = static_cast<int>(layers().network.layers.size()) - 1; first > 0; --first) {
    tested.forward(samples, layers().batch, NetworkMode::training);
    const auto before = tested.backward(others, layers().batch);
    tested.forward(samples, layers().batch, NetworkMode::training);
    const auto gradients = tested.backward(direction, layers().batch, false, first);
    for (const auto& tensor : tested.network().layout().tensors()) {
      const auto& source = tensor.spec.layer >= first ? expected : before;
      for (auto at = static_cast<std::size_t>(tensor.range.begin); at < static_cast<std::size_t>(tensor.range.end);
           ++at)
        ASSERT_EQ(gradients[at], source[at]) << tensor.spec.name << " with first trained layer " << first;
    }
  }
}

/// The scratch memory is what a network takes last when it is made.
TEST_P(GpuLayersOnTheHost, ForecastTheScratchMemoryThatTheyTake) {
  const auto backend = makeHostBackend();
  const Host host;
  CountingDevice forecasting(*host.device);
  const auto forecast = static_cast<std::size_t>(
      scratchBytes(layers().network, layers().input, layers().batch, pictures(), forecasting, *backend));
  CountingDevice making(*host.device);
  makeNetwork(layers().network, layers().input, layers().batch, pictures(), making, makeHostBackend());
  EXPECT_EQ(making.allocations().back(), forecast);
  EXPECT_EQ(std::ranges::count(forecasting.allocations(), forecast), 0) << "it is only forecast";
}

INSTANTIATE_TEST_SUITE_P(Layers, GpuLayersOnTheHost,
                         testing::Combine(testing::ValuesIn(layerCases()),
                                          testing::Values(NumberType::float32, NumberType::bfloat16,
                                                          NumberType::float16)),
                         nameOfCase);

class GpuLayersInFp32 : public testing::TestWithParam<LayerCase> {};

TEST_P(GpuLayersInFp32, AreLikeTheReferenceAndItsDifferences) {
  Host host;
  const LayerCase& of = GetParam();
  DeviceBench tested(of.network, of.input, of.batch, NumberType::float32, *host.device, makeHostBackend());
  expectLikeTheReference(of, tested);
}

INSTANTIATE_TEST_SUITE_P(Layers, GpuLayersInFp32, testing::ValuesIn(layerCases()),
                         [](const auto& instance) { return instance.param.name; });

TEST(GpuNetworkOnTheHost, NamesHowItConvolves) {
  Host host;
  const LayerCase& convolving = layerCases().front();
  DeviceBench tested(convolving.network, convolving.input, 3, NumberType::float16, *host.device, makeHostBackend());
  const auto names = tested.network().kernels();
  ASSERT_EQ(names.size(), 6U) << "forward and the weights' gradient of three convolutions, which are sure to run";
  EXPECT_NE(names[0].find("fp16, 3 x 13x12x3 -> 7x6x8, kernel 3 stride 2 padding 1+1 1+1"), std::string::npos)
      << names[0];
}

/// In a network of half types: operands are rounded, sums are not.
template <class Half>
void expectProductsOf(NumberType type) {
  const auto rounded = [](float value) { return static_cast<double>(toFloat(fromFloat<Half>(value))); };
  constexpr std::int64_t inputs = 7, outputs = 3, batch = 5;
  Host host;
  const NetworkSpec network{"layers", {flatten(), dense("head", outputs)}};
  DeviceBench tested(network, {1, 1, inputs}, batch, type, *host.device, makeHostBackend());
  const auto samples = drawn(batch * inputs, 2);
  const auto direction = drawn(batch * outputs, 3);
  const auto weights = tested.weights("head.weight");
  const auto bias = tested.weights("head.bias");
  const auto found = tested.forward(samples, batch, NetworkMode::training);
  const auto gradients = tested.backward(direction, batch);
  double ofFirstWeight = 0;
  for (std::size_t sample = 0; sample < batch; ++sample) {
    ofFirstWeight += rounded(direction[sample * outputs]) * rounded(samples[sample * inputs]);
  }
  const Range place = tested.network().layout().tensor("head.weight").range;
  EXPECT_NEAR(gradients[static_cast<std::size_t>(place.begin)], ofFirstWeight, 1e-6);
  double roundedAway = 0;
  for (std::int64_t sample = 0; sample < batch; ++sample) {
    for (std::int64_t output = 0; output < outputs; ++output) {
      double expected = static_cast<double>(bias[static_cast<std::size_t>(output)]);
      double exact = expected;
      for (std::int64_t i = 0; i < inputs; ++i) {
        const float x = samples[static_cast<std::size_t>(sample * inputs + i)];
        const float w = weights[static_cast<std::size_t>(output * inputs + i)];
        expected += rounded(x) * rounded(w);
        exact += static_cast<double>(x) * static_cast<double>(w);
      }
      const double actual = static_cast<double>(found[static_cast<std::size_t>(sample * outputs + output)]);
      ASSERT_NEAR(actual, expected, 1e-6);
      roundedAway = std::max(roundedAway, std::abs(actual - exact));
    }
  }
  EXPECT_GT(roundedAway, 1e-5) << "nothing was rounded";
}

TEST(GpuNetworkOnTheHost, DenseLayersMultiplyWhatImagesAreStoredAs) {
  expectProductsOf<Float16>(NumberType::float16);
  expectProductsOf<Bfloat16>(NumberType::bfloat16);
}

TEST(GpuNetworkOnTheHost, ANanStaysOne) {
  Host host;
  const NetworkSpec network{"layers",
                            {conv("a", 4, 3, 1, 1), batchNorm("n"), relu(), pool(LayerKind::maxPool, 2, 2),
                             globalAvgPool(), dense("head", 3)}};
  DeviceBench tested(network, {6, 6, 2}, 2, NumberType::float32, *host.device, makeHostBackend());
  auto samples = drawn(2 * 72, 2);
  samples[40] = std::numeric_limits<float>::quiet_NaN();
  for (const float value : tested.forward(samples, 2, NetworkMode::training)) EXPECT_TRUE(std::isnan(value));
}

/// What a backend makes of two gradients and the output that cuts their sum, written over the first.
template <class Value>
std::vector<float> cutSum(NetworkBackend& backend, NumberType type, const std::vector<float>& output,
                          const std::vector<float>& first, const std::vector<float>& second) {
  const auto typed = [](const std::vector<float>& values) {
    std::vector<Value> all;
    for (const float value : values) all.push_back(fromFloat<Value>(value));
    return all;
  };
  const auto activation = [&](std::vector<Value>& values) {
    return Activation(type, std::as_writable_bytes(std::span(values)).data(), values.size());
  };
  auto outputs = typed(output), sums = typed(first), seconds = typed(second);
  backend.addWherePositive(activation(outputs), activation(sums), activation(seconds), activation(sums));
  std::vector<float> result;
  for (const Value value : sums) result.push_back(toFloat(value));
  return result;
}

TEST(NetworkBackends, CutASumWhereTheReluCut) {
  constexpr std::size_t count = 1037;
  auto output = drawn(count, 4), first = drawn(count, 5), second = drawn(count, 6);
  output[3] = 0.0F;
  output[4] = -1.0F;
  first[4] = std::numeric_limits<float>::quiet_NaN();
  const auto backends = {makeCpuBackend(), makeHostBackend(), makeHostBackend(true)};
  const auto expectCut = [&](const std::vector<float>& sums, double tolerance) {
    for (std::size_t i = 0; i < count; ++i) {
      const float expected = output[i] > 0.0F ? first[i] + second[i] : 0.0F;
      ASSERT_NEAR(sums[i], expected, tolerance) << i;
    }
  };
  for (const auto& backend : backends) {
    const auto whole = cutSum<float>(*backend, NumberType::float32, output, first, second);
    EXPECT_EQ(whole[3], 0.0F);
    EXPECT_EQ(whole[4], 0.0F) << "what is cut is zero, whatever the gradient";
    expectCut(whole, 0.0);
    expectCut(cutSum<Bfloat16>(*backend, NumberType::bfloat16, output, first, second), 0.02);
  }
}

TEST(Fp16OnTheCpu, IsRefusedWithARemedy) {
  Host host;
  const LayerCase& convolving = layerCases().front();
  EXPECT_THROW(
      {
        DeviceBench bench(convolving.network, convolving.input, 3, NumberType::float16, *host.device);
        bench.forward(drawn(3 * convolving.input.elements(), 2), 3, NetworkMode::training);
      },
      Error);
}

}  // namespace
}  // namespace slipstream::test
