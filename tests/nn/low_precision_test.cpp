// SPDX-License-Identifier: GPL-3.0-or-later
// Networks whose images are bf16 between layers, beside the same in fp32.
#include <algorithm>
#include <cmath>

#include <dnnl.hpp>
#include <gtest/gtest.h>
#include <omp.h>

#include "engine/base/error.h"
#include "engine/nn/layers/bf16_weight_gradient.h"
#include "engine/nn/layers/conv2d.h"
#include "engine/spec/network_layers.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream::test {
namespace {

constexpr SampleShape photo{13, 12, 3};
constexpr std::int64_t batch = 3;

/// Eight bits of mantissa, a few layers deep.
constexpr double tolerance = 0.04;

LayerSpec layer(LayerKind kind, std::int64_t outputs = 0, std::int64_t kernel = 0, std::int64_t stride = 1) {
  return {.kind = kind, .outputs = outputs, .kernel = kernel, .stride = stride};
}

NetworkSpec chain(const std::vector<LayerSpec>& layers) {
  LayerList list;
  for (const LayerSpec& each : layers) list.add(each);
  return {"layers", list.take()};
}

NetworkSpec everyKindOfPicture() {
  return chain({layer(LayerKind::conv2d, 8, 3), layer(LayerKind::batchNorm), layer(LayerKind::relu),
                layer(LayerKind::maxPool, 0, 3, 2), layer(LayerKind::conv2d, 6, 2), layer(LayerKind::relu),
                layer(LayerKind::avgPool, 0, 2, 1), layer(LayerKind::flatten), layer(LayerKind::dense, 7)});
}

NetworkSpec residual() {
  LayerList list;
  list.add(layer(LayerKind::conv2d, 8, 3));
  list.add(ResidualSpec{.kind = ResidualKind::bottleneck, .channels = 16, .stride = 2});
  list.add(ResidualSpec{.kind = ResidualKind::basic, .channels = 16});
  list.add(layer(LayerKind::globalAvgPool));
  list.add(layer(LayerKind::dense, 7));
  return {"layers", list.take()};
}

/// As many channels as convolutions want that sum their weight gradients themselves.
NetworkSpec manyChannels() {
  LayerList list;
  list.add(layer(LayerKind::conv2d, 64, 3));
  list.add(ResidualSpec{.kind = ResidualKind::bottleneck, .channels = 256, .stride = 2});
  list.add(ResidualSpec{.kind = ResidualKind::basic, .channels = 256});
  list.add(layer(LayerKind::globalAvgPool));
  list.add(layer(LayerKind::dense, 7));
  return {"layers", list.take()};
}

struct ImageNetwork {
  const char* name;
  NetworkSpec (*spec)();
};

/// For each length of the second.
double relativeDistance(const std::vector<double>& actual, const std::vector<double>& expected) {
  return distance(actual, expected) / length(expected);
}

class LowPrecision : public testing::TestWithParam<ImageNetwork> {
 protected:
  static NetworkSpec network() { return GetParam().spec(); }
};

TEST_P(LowPrecision, OutputsAndGradientsAreNearThoseOfFp32) {
  NetworkBench whole(network(), photo, batch);
  NetworkBench half(network(), photo, batch, NumberType::bfloat16);
  const auto samples = drawn(batch * photo.elements(), 2);
  const auto expected = whole.forward(samples, batch);
  const auto actual = half.forward(samples, batch);
  EXPECT_LT(relativeDistance(wide(actual), wide(expected)), tolerance);
  EXPECT_NE(actual, expected) << "nothing was rounded";
  const auto direction = drawn(std::ssize(expected), 3);
  whole.backward(direction, batch);
  half.backward(direction, batch);
  EXPECT_LT(relativeDistance(half.forwardOrder(half.gradients), whole.forwardOrder(whole.gradients)), 2 * tolerance);
}

/// oneDNN 2.6 does not come to an end of making bf16 weight gradients of such rows for AMX.
TEST(LowPrecisionNetwork, PicturesWithLongRowsAreTrained) {
  constexpr SampleShape panorama{3, 800, 3};
  const NetworkSpec spec = chain({layer(LayerKind::conv2d, 8, 3), layer(LayerKind::relu),
                                  layer(LayerKind::globalAvgPool), layer(LayerKind::dense, 7)});
  NetworkBench whole(spec, panorama, batch);
  NetworkBench half(spec, panorama, batch, NumberType::bfloat16);
  const auto samples = drawn(batch * panorama.elements(), 2);
  const auto expected = whole.forward(samples, batch);
  EXPECT_LT(relativeDistance(wide(half.forward(samples, batch)), wide(expected)), tolerance);
  const auto direction = drawn(std::ssize(expected), 3);
  whole.backward(direction, batch);
  half.backward(direction, batch);
  EXPECT_LT(relativeDistance(half.forwardOrder(half.gradients), whole.forwardOrder(whole.gradients)), 2 * tolerance);
}

TEST_P(LowPrecision, EvaluationAndAccumulationToo) {
  NetworkBench whole(network(), photo, batch);
  NetworkBench half(network(), photo, batch, NumberType::bfloat16);
  const auto samples = drawn(batch * photo.elements(), 2);
  const auto direction = drawn(batch * 7, 3);
  for (NetworkBench* bench : {&whole, &half}) {
    for (const bool accumulate : {false, true}) {
      bench->forward(samples, batch);
      bench->backward(direction, batch, accumulate);
    }
  }
  EXPECT_LT(relativeDistance(half.forwardOrder(half.gradients), whole.forwardOrder(whole.gradients)), 2 * tolerance);
  const auto expected = whole.forward(samples, batch, NetworkMode::evaluation);
  EXPECT_LT(relativeDistance(wide(half.forward(samples, batch, NetworkMode::evaluation)), wide(expected)), tolerance);
}

TEST_P(LowPrecision, AnyNumberOfThreadsMakesTheSameBits) {
  const auto gradientsWith = [&](int threads) {
    omp_set_num_threads(threads);
    NetworkBench bench(network(), photo, batch, NumberType::bfloat16);
    bench.forward(drawn(batch * photo.elements(), 2), batch);
    bench.backward(drawn(batch * 7, 3), batch);
    omp_set_num_threads(1);
    return bench.forwardOrder(bench.gradients);
  };
  const auto one = gradientsWith(1);
  EXPECT_TRUE(std::ranges::all_of(one, [](double value) { return std::isfinite(value); }));
  EXPECT_LT(relativeDistance(gradientsWith(3), one), 1e-6) << "oneDNN may split sums, ours do not";
}

TEST_P(LowPrecision, TheSameNumberOfThreadsMakesTheSameBitsAgain) {
  const auto gradients = [&] {
    omp_set_num_threads(3);
    NetworkBench bench(network(), photo, batch, NumberType::bfloat16);
    bench.forward(drawn(batch * photo.elements(), 2), batch);
    bench.backward(drawn(batch * 7, 3), batch);
    omp_set_num_threads(1);
    return bench.forwardOrder(bench.gradients);
  };
  EXPECT_EQ(gradients(), gradients());
}

INSTANTIATE_TEST_SUITE_P(Networks, LowPrecision,
                         testing::Values(ImageNetwork{"EveryKindOfPicture", everyKindOfPicture},
                                         ImageNetwork{"Residual", residual},
                                         ImageNetwork{"ManyChannels", manyChannels}),
                         [](const auto& instance) { return std::string(instance.param.name); });

TEST(LowPrecisionNetwork, ConvolutionsOfManyChannelsSumTheirWeightGradientsWhereTheProcessorMultipliesPairs) {
  NetworkBench bench(manyChannels(), photo, batch, NumberType::bfloat16);
  const auto kernels = bench.network->kernels();
  const auto own = std::ranges::count_if(kernels, [](const auto& name) { return name.starts_with("pixel products"); });
  EXPECT_EQ(own, multipliesPixelPairs() ? 6 : 0);
  NetworkBench whole(manyChannels(), photo, batch);
  EXPECT_TRUE(std::ranges::none_of(whole.network->kernels(),
                                   [](const auto& name) { return name.starts_with("pixel products"); }));
}

TEST(LowPrecisionNetwork, ConvolutionsComputeInFp32WhereTheProcessorWouldImitateBf16) {
  constexpr auto needed = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
  const bool multiplies = (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & needed) == needed;
  const NetworkBench whole(everyKindOfPicture(), photo, batch);
  const NetworkBench half(everyKindOfPicture(), photo, batch, NumberType::bfloat16);
  EXPECT_EQ(half.network->kernels() == whole.network->kernels(), !multiplies);
}

TEST(LowPrecisionNetwork, WhatIsFlatStaysAsItIs) {
  const NetworkSpec flat = chain(
      {layer(LayerKind::flatten), layer(LayerKind::dense, 9), layer(LayerKind::relu), layer(LayerKind::dense, 7)});
  NetworkBench whole(flat, photo, batch);
  NetworkBench half(flat, photo, batch, NumberType::bfloat16);
  const auto samples = drawn(batch * photo.elements(), 2);
  EXPECT_EQ(half.forward(samples, batch), whole.forward(samples, batch));
}

TEST(LowPrecisionNetwork, ANetworkThatEndsWithAPictureIsRefused) {
  Host host;
  const NetworkSpec picture = chain({layer(LayerKind::conv2d, 4, 3)});
  EXPECT_THROW(makeNetwork(picture, photo, batch, NumberType::bfloat16, *host.device), Error);
}

TEST(WeightGradientsOnAmx, WideRowsOfSpatialKernelsAreNeverGenerated) {
  constexpr const char* amx = "jit:avx512_core_bf16_amx_bf16";
  EXPECT_TRUE(isNeverGenerated(amx, 3, 737));
  EXPECT_TRUE(isNeverGenerated(amx, 3, 513)) << "with a margin";
  EXPECT_FALSE(isNeverGenerated(amx, 3, 512));
  EXPECT_FALSE(isNeverGenerated("jit_bf16:avx512_core_bf16", 3, 2048));
}

TEST(WeightGradientsOnAmx, KernelsOfOnePixelAreAlwaysGenerated) {
  EXPECT_FALSE(isNeverGenerated("jit:avx512_core_bf16_amx_bf16", 1, 2048));
}

}  // namespace
}  // namespace slipstream::test
