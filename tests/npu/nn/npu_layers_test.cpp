// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of an NPU beside the CPU's, on a fake CANN that computes by definition and checks each call
// (tests/npu/fake_cann).
#include <cmath>
#include <cstdlib>
#include <limits>
#include <tuple>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/nn/npu/npu_backend.h"
#include "engine/npu/npu_device.h"
#include "tests/nn/support/device_bench.h"
#include "tests/nn/layers.h"
#include "tests/nn/support/network_fixture.h"
#include "tests/npu/fake_cann/descriptors.h"
#include "tests/npu/fake_cann/operator_call.h"

namespace slipstream::test {
namespace {

struct OpenedNpuDevice {
  MemoryMeter meter;
  std::unique_ptr<Device> device = std::move(openNpuDevice(0, meter).value());
};

/// Where `pad_mode` same pads one side more than the other, which Ascend's operators do not.
LayerCase unevenPadding() {
  return {"UnevenPadding",
          {"layers",
           {same(conv("a", 4, 3, 2)), relu(), same(pool(LayerKind::maxPool, 3, 2)), same(conv("b", 5, 4, 3)), flatten(),
            dense("head", 3)}},
          {14, 16, 3},
          3};
}

std::vector<LayerCase> casesOfNpu() {
  std::vector<LayerCase> cases = layerCases();
  cases.push_back(unevenPadding());
  return cases;
}

DeviceBench benchOf(const LayerCase& of, NumberType pictures, Device& device) {
  return {of.network, of.input, of.batch, pictures, device, makeNpuBackend(device)};
}

class NpuLayers : public testing::TestWithParam<std::tuple<LayerCase, NumberType>> {
 protected:
  const LayerCase& layers() const { return std::get<0>(GetParam()); }
  NumberType pictures() const { return std::get<1>(GetParam()); }
  OpenedNpuDevice npu_;
};

TEST_P(NpuLayers, AreLikeTheCpus) {
  const std::size_t executors = fakeCannUnusedExecutors();
  const std::size_t descriptors = fakeCannLiveDescriptors();
  auto tested = benchOf(layers(), pictures(), *npu_.device);
  expectLikeTheCpu(layers(), pictures(), tested);
  EXPECT_EQ(fakeCannUnusedExecutors(), executors);
  EXPECT_EQ(fakeCannLiveDescriptors(), descriptors);
}

TEST_P(NpuLayers, LeaveAloneWhatIsNotTrained) {
  auto tested = benchOf(layers(), pictures(), *npu_.device);
  expectUntrainedLeftAlone(layers(), tested);
}

INSTANTIATE_TEST_SUITE_P(Layers, NpuLayers,
                         testing::Combine(testing::ValuesIn(casesOfNpu()),
                                          testing::Values(NumberType::float32, NumberType::bfloat16,
                                                          NumberType::float16)),
                         nameOfCase);

class NpuLayersInFp32 : public testing::TestWithParam<LayerCase> {};

TEST_P(NpuLayersInFp32, AreLikeTheReferenceAndItsDifferences) {
  OpenedNpuDevice npu;
  auto tested = benchOf(GetParam(), NumberType::float32, *npu.device);
  expectLikeTheReference(GetParam(), tested);
}

INSTANTIATE_TEST_SUITE_P(Layers, NpuLayersInFp32, testing::ValuesIn(casesOfNpu()),
                         [](const auto& instance) { return instance.param.name; });

TEST(NpuNetwork, ANanStaysOne) {
  OpenedNpuDevice npu;
  const LayerCase of{"nan",
                     {"layers",
                      {conv("a", 4, 3, 1, 1), batchNorm("n"), relu(), pool(LayerKind::maxPool, 2, 2), globalAvgPool(),
                       dense("head", 3)}},
                     {6, 6, 2},
                     2};
  auto tested = benchOf(of, NumberType::float32, *npu.device);
  auto samples = drawn(2 * 72, 2);
  samples[40] = std::numeric_limits<float>::quiet_NaN();
  for (const float value : tested.forward(samples, 2, NetworkMode::training)) EXPECT_TRUE(std::isnan(value));
}

TEST(NpuNetwork, AMeanOfUnevenWindowsIsRefused) {
  OpenedNpuDevice npu;
  const LayerCase of{
      "uneven", {"layers", {same(pool(LayerKind::avgPool, 3, 2)), flatten(), dense("head", 3)}}, {14, 14, 2}, 2};
  EXPECT_THAT([&] { benchOf(of, NumberType::float32, *npu.device); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("is not there on NPUs")));
}

class NpuLoss : public testing::TestWithParam<std::int64_t> {};

TEST_P(NpuLoss, IsTheCpus) {
  OpenedNpuDevice npu;
  const std::int64_t classes = GetParam();
  const std::vector<std::int32_t> labels{0, static_cast<std::int32_t>(classes - 1), 0};
  auto logits = drawn(3 * classes, 7);
  for (float& logit : logits) logit *= 10;
  const auto size = logits.size() * sizeof(float);
  const auto there = npu.device->allocate(size, MemoryCategory::data);
  const auto gradient = npu.device->allocate(size, MemoryCategory::data);
  npu.device->copyIn(there->bytes(), std::as_bytes(std::span(logits)));
  const auto loss = makeNpuLoss(*npu.device);
  for (const LossKind kind : {LossKind::crossEntropy, LossKind::crossEntropySmooth}) {
    const LossSpec spec{.kind = kind, .smoothFactor = 0.1};
    std::vector<float> expected(logits.size());
    const LossResult onCpu = crossEntropy(spec, logits, labels, classes, expected, 1024);
    const LossResult result =
        lossOf(*loss, spec, there->as<const float>(), labels, classes, gradient->as<float>(), 1024);
    EXPECT_NEAR(result.loss, onCpu.loss, 1e-5 * (1 + std::abs(onCpu.loss)));
    EXPECT_EQ(result.correct, onCpu.correct);
    const auto made = readValues(*npu.device, std::span<const float>(gradient->as<float>()));
    for (std::size_t i = 0; i < made.size(); ++i) ASSERT_NEAR(made[i], expected[i], 1e-6 * 1024) << i;
    EXPECT_EQ(lossOf(*loss, spec, there->as<const float>(), labels, classes, {}, 1).correct, onCpu.correct);
  }
}

INSTANTIATE_TEST_SUITE_P(Classes, NpuLoss, testing::Values(2, 10, 1001));

TEST(NpuLoss, ANanIsNoCorrectClass) {
  OpenedNpuDevice npu;
  const std::vector<float> logits{1, std::numeric_limits<float>::quiet_NaN(), 3, 1};
  const auto there = npu.device->allocate(logits.size() * sizeof(float), MemoryCategory::data);
  npu.device->copyIn(there->bytes(), std::as_bytes(std::span(logits)));
  const LossResult result = lossOf(*makeNpuLoss(*npu.device), {}, there->as<const float>(), {0, 0}, 2, {}, 1);
  EXPECT_TRUE(std::isnan(result.loss));
  EXPECT_EQ(result.correct, 1);
}

TEST(NpuLoss, RefusesWhatDoesNotFit) {
  OpenedNpuDevice npu;
  const auto loss = makeNpuLoss(*npu.device);
  const auto values = npu.device->allocate(24, MemoryCategory::data);
  EXPECT_THROW(loss->take(std::vector<std::int32_t>{2}, 2), Error);
  EXPECT_THROW(loss->take(std::vector<std::int32_t>{}, 2), Error);
  loss->take(std::vector<std::int32_t>{1, 0}, 2);
  EXPECT_THROW(loss->start({}, values->as<const float>(), {}, 1), Error);
  EXPECT_THROW(loss->start({}, values->as<const float>().first(4), values->as<float>(), 1), Error);
}

class NpuPictureInput : public testing::TestWithParam<NumberType> {};

TEST_P(NpuPictureInput, NormalizesAsTheHost) {
  OpenedNpuDevice npu;
  std::vector<std::uint8_t> pictures;
  for (int i = 0; i < 3 * 1000; ++i) pictures.push_back(static_cast<std::uint8_t>(i % 251));
  const std::vector<float> mean{120, 110, 100};
  const std::vector<float> deviation{64, 32, 16};
  const auto bytes = npu.device->allocate(pictures.size(), MemoryCategory::data);
  const auto result = npu.device->allocate(pictures.size() * sizeof(float), MemoryCategory::data);
  npu.device->copyIn(bytes->bytes(), std::as_bytes(std::span(pictures)));
  const auto input =
      makeNpuImageInput(*npu.device, {{120.0 / 255, 110.0 / 255, 100.0 / 255}, {64.0 / 255, 32.0 / 255, 16.0 / 255}});
  const Activation to(GetParam(), result->bytes().data(), pictures.size());
  input->normalize(bytes->as<const std::uint8_t>(), to);
  std::vector<float> there(pictures.size());
  const auto whole = npu.device->allocate(there.size() * sizeof(float), MemoryCategory::data);
  makeNpuBackend(*npu.device)->convert(to, {NumberType::float32, whole->bytes().data(), there.size()});
  npu.device->copyOut(std::as_writable_bytes(std::span(there)), whole->bytes());
  for (std::size_t i = 0; i < there.size(); ++i) {
    const float expected = (static_cast<float>(pictures[i]) - mean[i % 3]) / deviation[i % 3];
    ASSERT_NEAR(there[i], expected, GetParam() == NumberType::float32 ? 0.0 : 0.005) << i;
  }
  EXPECT_THROW(input->normalize(bytes->as<const std::uint8_t>().first(5), to), Error);
}

INSTANTIATE_TEST_SUITE_P(Types, NpuPictureInput, testing::Values(NumberType::float32, NumberType::float16),
                         [](const auto& instance) { return std::string(nameOf(instance.param)); });

TEST(NpuLibraries, AreThere) {
  EXPECT_TRUE(missingNpuLibraries().empty());
}

}  // namespace
}  // namespace slipstream::test
