// SPDX-License-Identifier: GPL-3.0-or-later
// Convolutions that apply the batch norms before them, run in loops on the host, beside those that do not.
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/plan/network_memory.h"
#include "tests/nn/cuda/host_ops.h"
#include "tests/nn/host.h"
#include "tests/nn/layers.h"
#include "tests/nn/support/device_bench.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::HasSubstr;
using testing::Not;

const LayerCase& caseNamed(const std::string& name) {
  return *std::ranges::find(layerCases(), name, &LayerCase::name);
}

using Values = std::vector<std::vector<float>>;

/// A network in fp16 on the host, and what it makes.
struct FusedBench : DeviceBench {
  FusedBench(const LayerCase& of, const HostFusing& fusing, Host& host)
      : DeviceBench(of.network, of.input, of.batch, NumberType::float16, *host.device, makeHostBackend(false, fusing)),
        samples(drawn(of.batch * of.input.elements(), 2)),
        direction(drawn(of.batch * network().shape().outputs.back().elements(), 3)) {}

  /// Outputs, and the gradient of each tensor.
  Values trained(std::int64_t batch, bool accumulate = false, int firstTrainedLayer = 0) {
    const std::int64_t most = std::ssize(samples) / network().shape().input.elements();
    const auto some = [&](const std::vector<float>& values) {
      return std::vector<float>(values.begin(), values.begin() + std::ssize(values) / most * batch);
    };
    Values all{forward(some(samples), batch, NetworkMode::training)};
    const auto gradients = backward(some(direction), batch, accumulate, firstTrainedLayer);
    for (const auto& tensor : network().layout().tensors()) {
      all.emplace_back(gradients.begin() + tensor.range.begin, gradients.begin() + tensor.range.end);
    }
    return all;
  }
  std::vector<float> evaluated(std::int64_t batch) { return forward(samples, batch, NetworkMode::evaluation); }

  std::vector<float> samples;
  std::vector<float> direction;
};

/// What a training pass makes, one with a smaller batch whose gradients are added, running statistics, and outputs in
/// evaluation.
Values resultsOf(const LayerCase& of, const HostFusing& fusing) {
  Host host;
  FusedBench bench(of, fusing, host);
  Values all = bench.trained(of.batch);
  std::ranges::move(bench.trained(of.batch - 1, true), std::back_inserter(all));
  all.push_back(bench.states());
  all.push_back(bench.evaluated(of.batch));
  return all;
}

/// Each differs by no more than rounding scale and bias to fp16 may move it, and ReLUs that cut otherwise for it.
void expectClose(const Values& actual, const Values& expected, double share = 0.05) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i < actual.size(); ++i) {
    ASSERT_EQ(actual[i].size(), expected[i].size());
    EXPECT_LE(distance(wide(actual[i]), wide(expected[i])), share * length(wide(expected[i]))) << i;
  }
}

class FusedConvolutions : public testing::TestWithParam<const char*> {
 protected:
  const LayerCase& layers() const { return caseNamed(GetParam()); }
};

TEST_P(FusedConvolutions, MakeWhatPlainOnesMake) {
  const auto fused = resultsOf(layers(), {});
  const auto plain = resultsOf(layers(), fusesNothing);
  EXPECT_NE(fused, plain) << "nothing was fused";
  expectClose(fused, plain);
}

TEST_P(FusedConvolutions, WithoutPlansAreThePlainOnesToTheBit) {
  EXPECT_EQ(resultsOf(layers(), lacksPlans), resultsOf(layers(), fusesNothing));
}

TEST_P(FusedConvolutions, FallBackPatternByPattern) {
  const auto plain = resultsOf(layers(), fusesNothing);
  for (const ConvolutionPattern pattern : lacksPlans.lacking) {
    SCOPED_TRACE(static_cast<int>(pattern));
    HostFusing allBut;
    HostFusing only = lacksPlans;
    allBut.lacking = {pattern};
    std::erase(only.lacking, pattern);
    for (const HostFusing& fusing : {allBut, only}) expectClose(resultsOf(layers(), fusing), plain);
  }
}

/// Backward may stop at every layer.
TEST_P(FusedConvolutions, LeaveAloneWhatIsNotTrained) {
  Host host;
  FusedBench fused(layers(), {}, host);
  FusedBench plain(layers(), fusesNothing, host);
  const auto whole = fused.trained(layers().batch);
  plain.trained(layers().batch);
  for (int first = static_cast<int>(layers().network.layers.size()) - 1; first > 0; --first) {
    SCOPED_TRACE(first);
    expectClose(fused.trained(layers().batch, true, first), plain.trained(layers().batch, true, first));
  }
  expectClose(fused.trained(layers().batch), whole, 0.0);
}

TEST_P(FusedConvolutions, RunTheirPlans) {
  Host host;
  FusedBench bench(layers(), {}, host);
  const auto names = bench.network().kernels();
  for (const char* pattern : {"activated forward", "activated weight gradient"}) {
    EXPECT_THAT(names, Contains(HasSubstr(std::string(pattern) + ", fp16")));
  }
  FusedBench plain(layers(), fusesNothing, host);
  EXPECT_THAT(plain.network().kernels(), Each(Not(HasSubstr("activated"))));
}

TEST_P(FusedConvolutions, KeepANan) {
  Host host;
  FusedBench bench(layers(), {}, host);
  bench.samples[40] = std::numeric_limits<float>::quiet_NaN();
  for (const auto mode : {NetworkMode::evaluation, NetworkMode::training}) {
    const auto outputs = bench.forward(bench.samples, layers().batch, mode);
    EXPECT_TRUE(std::ranges::any_of(outputs, [](float value) { return std::isnan(value); }));
  }
}

/// What is planned is what is taken: images that are deferred have no memory, and plans that are there need none.
TEST_P(FusedConvolutions, TakeTheMemoryThatIsPlanned) {
  const auto activations = [&](const HostFusing& fusing) {
    Host host;
    FusedBench bench(layers(), fusing, host);
    bench.trained(layers().batch);
    bench.evaluated(layers().batch);
    return host.meter.peak()[static_cast<std::size_t>(MemoryCategory::activations)];
  };
  const NetworkShape shape = networkShape(layers().network, layers().input).value();
  const auto planned = [&](Convolutions convolutions) {
    return layers().batch * planMemory(layers().network, shape, NumberType::float16, convolutions).bytes();
  };
  const std::int64_t saved = planned(Convolutions::plain) - planned(Convolutions::fused);
  EXPECT_GT(saved, 0);
  // Lines of channels, and larger scratch for them.
  const std::int64_t little = 100'000;
  EXPECT_NEAR(static_cast<double>(activations(fusesNothing) - activations({})), static_cast<double>(saved), little);
}

/// The last batch of an epoch may lack what the others have: each is then as where all have it or none.
TEST_P(FusedConvolutions, TakeBatchesWithPlansAndWithoutInTurn) {
  const std::int64_t whole = layers().batch, smaller = whole - 1;
  Host host;
  FusedBench tested(layers(), {.leastBatch = whole}, host);
  FusedBench fused(layers(), {}, host);
  FusedBench plain(layers(), fusesNothing, host);
  for (int time = 0; time < 3; ++time) {
    EXPECT_EQ(tested.trained(whole), fused.trained(whole));
    EXPECT_EQ(tested.trained(smaller), plain.trained(smaller));
    fused.trained(smaller);
    plain.trained(whole);
    expectClose({tested.states(), tested.evaluated(whole)}, {plain.states(), plain.evaluated(whole)});
    EXPECT_EQ(tested.trained(smaller), plain.trained(smaller));
    fused.trained(smaller);
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, FusedConvolutions, testing::Values("FusingBasicBlocks", "FusingBottlenecks"),
                         [](const auto& instance) { return std::string(instance.param); });

/// What differs is how its batch norms are applied.
const LayerCase applied{"Applied",
                        {"layers",
                         {conv("a", 8, 1, 1, 0, true), batchNorm("an"), relu(), conv("b", 8, 1, 1, 0, true),
                          batchNorm("bn"), relu(), globalAvgPool(), dense("head", 3)}},
                        {16, 16, 8},
                        4};

using Change = std::function<void(FusedBench&)>;

/// But for gradients of biases in front of batch norms, which are zero but for rounding.
Values withoutBiases(FusedBench& bench, const Values& trained) {
  Values rest{trained.front()};
  const auto& tensors = bench.network().layout().tensors();
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const std::string& name = tensors[i].spec.name;
    if (name != "a.bias" && name != "b.bias") rest.push_back(trained[i + 1]);
  }
  return rest;
}

/// Of a network with fused plans and without any, both changed first.
void expectAppliedAlike(const Change& change, double share = 0.05) {
  Host host;
  FusedBench fused(applied, {}, host);
  FusedBench plain(applied, lacksPlans, host);
  for (FusedBench* bench : {&fused, &plain}) change(*bench);
  for (int time = 0; time < 2; ++time) {
    const auto actual = withoutBiases(fused, fused.trained(4));
    const auto expected = withoutBiases(plain, plain.trained(4));
    for (const auto& values : actual) {
      for (const float value : values) ASSERT_TRUE(std::isfinite(value));
    }
    expectClose(actual, expected, share);
  }
  expectClose({fused.evaluated(4)}, {plain.evaluated(4)}, share);
}

/// One channel of `a` is so for all samples; its mean is far more deviations away than fp16 has numbers.
void makeConstant(FusedBench& bench, float value) {
  auto weights = bench.weights("a.weight");
  auto biases = bench.weights("a.bias");
  std::fill_n(weights.begin(), 8, 0.0F);
  biases[0] = value;
  bench.setWeights("a.weight", weights);
  bench.setWeights("a.bias", biases);
  auto beta = bench.weights("an.beta");
  auto gamma = bench.weights("an.gamma");
  beta[0] = 0.75F;
  gamma[0] = 1.0F;
  bench.setWeights("an.beta", beta);
  bench.setWeights("an.gamma", gamma);
}

TEST(FusedLines, OfAConstantChannelAreItsBeta) {
  for (const float value : {500.0F, -500.0F}) {
    SCOPED_TRACE(value);
    expectAppliedAlike([&](FusedBench& bench) { makeConstant(bench, value); });
  }
}

/// The scale is 1e-5: fewer digits than others have in fp16.
TEST(FusedLines, OfASmallGammaAndALargeDeviationKeepTwoDigits) {
  for (const float offset : {0.0F, 1000.0F}) {
    SCOPED_TRACE(offset);
    expectAppliedAlike([&](FusedBench& bench) {
      auto weights = bench.weights("a.weight");
      for (float& weight : weights) weight *= 100.0F;
      bench.setWeights("a.weight", weights);
      bench.setWeights("a.bias", std::vector<float>(8, offset));
      bench.setWeights("an.gamma", std::vector<float>(8, 1e-3F));
      bench.setWeights("an.beta", std::vector<float>(8, 0.0F));
    });
  }
}

}  // namespace
}  // namespace slipstream::test
