// SPDX-License-Identifier: GPL-3.0-or-later
// The layers on a GPU beside the CPU's; skipped, with the reason, where no GPU can be opened.
#include <tuple>

#include <gtest/gtest.h>

#include "engine/devices/open_device.h"
#include "engine/nn/cuda/cuda_backend.h"
#include "engine/nn/device_loss.h"
#include "tests/nn/support/device_bench.h"
#include "tests/nn/support/network_fixture.h"
#include "tests/support/counting_device.h"

namespace slipstream::test {
namespace {

class GpuLayers : public testing::TestWithParam<std::tuple<LayerCase, NumberType>> {
 protected:
  void SetUp() override {
    auto opened = openDevice(cudaKind(), 0, meter_);
    if (!opened) GTEST_SKIP() << toText(opened.error());
    device_ = std::move(*opened);
  }
  const LayerCase& layers() const { return std::get<0>(GetParam()); }
  NumberType pictures() const { return std::get<1>(GetParam()); }
  DeviceBench bench() { return bench(*device_); }
  DeviceBench bench(Device& device) { return {layers().network, layers().input, layers().batch, pictures(), device}; }

  MemoryMeter meter_;
  std::unique_ptr<Device> device_;
};

TEST_P(GpuLayers, AreLikeTheCpus) {
  auto tested = bench();
  expectLikeTheCpu(layers(), pictures(), tested);
}

TEST_P(GpuLayers, MakeTheSameBitsEachTime) {
  const auto results = [&] {
    auto tested = bench();
    auto all =
        tested.forward(drawn(layers().batch * layers().input.elements(), 2), layers().batch, NetworkMode::training);
    const auto gradients = tested.backward(drawn(std::ssize(all), 3), layers().batch);
    all.insert(all.end(), gradients.begin(), gradients.end());
    return all;
  };
  const auto once = results();
  EXPECT_EQ(results(), once);
}

/// The first pass is given call by call, and once more where backward took more scratch memory; then it is recorded,
/// and in the end only launched.
TEST_P(GpuLayers, PassAgainFromRecordings) {
  CountingDevice counted(*device_);
  auto tested = bench(counted);
  const auto samples = drawn(layers().batch * layers().input.elements(), 2);
  const auto output = tested.forward(samples, layers().batch, NetworkMode::training);
  const auto direction = drawn(std::ssize(output), 3);
  const auto gradients = tested.backward(direction, layers().batch);
  for (const std::uint64_t other : {6U, 8U}) {
    EXPECT_NE(tested.forward(drawn(std::ssize(samples), other), layers().batch, NetworkMode::training), output);
    EXPECT_NE(tested.backward(drawn(std::ssize(direction), other + 1), layers().batch), gradients);
  }
  EXPECT_EQ(tested.forward(samples, layers().batch, NetworkMode::training), output);
  EXPECT_EQ(tested.backward(direction, layers().batch), gradients);
  EXPECT_EQ(counted.recordings(), 2);
  EXPECT_GE(counted.launches(), 4);
}

INSTANTIATE_TEST_SUITE_P(Layers, GpuLayers,
                         testing::Combine(testing::ValuesIn(layerCases()),
                                          testing::Values(NumberType::float32, NumberType::bfloat16,
                                                          NumberType::float16)),
                         nameOfCase);

class GpuLayersInFp32 : public testing::TestWithParam<LayerCase> {};

TEST_P(GpuLayersInFp32, AreLikeTheReferenceAndItsDifferences) {
  MemoryMeter meter;
  auto device = openDevice(cudaKind(), 0, meter);
  if (!device) GTEST_SKIP() << toText(device.error());
  const LayerCase& of = GetParam();
  DeviceBench tested(of.network, of.input, of.batch, NumberType::float32, **device);
  expectLikeTheReference(of, tested);
}

INSTANTIATE_TEST_SUITE_P(Layers, GpuLayersInFp32, testing::ValuesIn(layerCases()),
                         [](const auto& instance) { return instance.param.name; });

TEST(GpuPictureInput, NormalizesAsTheHost) {
  MemoryMeter meter;
  auto device = openDevice(cudaKind(), 0, meter);
  if (!device) GTEST_SKIP() << toText(device.error());
  std::vector<std::uint8_t> pictures;
  for (int i = 0; i < 3 * 1000; ++i) pictures.push_back(static_cast<std::uint8_t>(i % 251));
  const std::vector<float> mean{120, 110, 100};
  const std::vector<float> deviation{64, 32, 16};
  const auto bytes = (*device)->allocate(pictures.size(), MemoryCategory::data);
  const auto result = (*device)->allocate(pictures.size() * sizeof(float), MemoryCategory::data);
  (*device)->copyIn(bytes->bytes(), std::as_bytes(std::span(pictures)));
  makeCudaImageInput(**device, {{120.0 / 255, 110.0 / 255, 100.0 / 255}, {64.0 / 255, 32.0 / 255, 16.0 / 255}})
      ->normalize(bytes->as<const std::uint8_t>(), {NumberType::float32, result->bytes().data(), pictures.size()});
  std::vector<float> there(pictures.size());
  (*device)->copyOut(std::as_writable_bytes(std::span(there)), result->bytes());
  for (std::size_t i = 0; i < there.size(); ++i) {
    ASSERT_EQ(there[i], (static_cast<float>(pictures[i]) - mean[i % 3]) / deviation[i % 3]) << i;
  }
}

class GpuLoss : public testing::TestWithParam<std::int64_t> {};

TEST_P(GpuLoss, IsTheCpus) {
  MemoryMeter meter;
  auto device = openDevice(cudaKind(), 0, meter);
  if (!device) GTEST_SKIP() << toText(device.error());
  const std::int64_t classes = GetParam();
  const std::vector<std::int32_t> labels{0, static_cast<std::int32_t>(classes - 1), 0};
  const auto logits = drawn(3 * classes, 5);
  std::vector<float> expectedGradient(logits.size());
  LossSpec spec;
  spec.kind = LossKind::crossEntropySmooth;
  spec.smoothFactor = 0.1;
  const auto expected = crossEntropy(spec, logits, labels, classes, expectedGradient, 2.0);

  const auto there = (*device)->allocate(2 * logits.size() * sizeof(float), MemoryCategory::data);
  const auto thereLogits = there->as<float>().first(logits.size());
  const auto thereGradient = there->as<float>().last(logits.size());
  (*device)->copyIn(std::as_writable_bytes(thereLogits), std::as_bytes(std::span(logits)));
  const auto actual = lossOf(*makeDeviceLoss(**device), spec, thereLogits, labels, classes, thereGradient, 2.0);
  std::vector<float> gradient(logits.size());
  (*device)->copyOut(std::as_writable_bytes(std::span(gradient)), std::as_bytes(thereGradient));
  EXPECT_NEAR(actual.loss, expected.loss, 1e-11);
  EXPECT_EQ(actual.correct, expected.correct);
  for (std::size_t i = 0; i < gradient.size(); ++i) ASSERT_NEAR(gradient[i], expectedGradient[i], 1e-7) << i;
}

INSTANTIATE_TEST_SUITE_P(Classes, GpuLoss, testing::Values(2, 10, 33, 1001));

}  // namespace
}  // namespace slipstream::test
