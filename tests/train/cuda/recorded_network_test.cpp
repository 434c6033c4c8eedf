// SPDX-License-Identifier: GPL-3.0-or-later
// A network's passes from recordings: the same bits as call by call, for every kind of layer, and only where nobody
// listens and nothing moves.
#include <tuple>

#include <gtest/gtest.h>

#include "tests/nn/support/device_bench.h"
#include "tests/nn/support/network_fixture.h"
#include "tests/train/cuda/protected_gpu.h"

namespace slipstream {
namespace {

using test::DeviceBench;
using test::LayerCase;
using test::ProtectedDevice;

class RecordedNetwork : public testing::TestWithParam<std::tuple<LayerCase, NumberType>> {
 protected:
  const LayerCase& layers() const { return std::get<0>(GetParam()); }
  DeviceBench bench(ProtectedDevice& device) const {
    return {layers().network,        layers().input, layers().batch,
            std::get<1>(GetParam()), device,         test::makeProtectedBackend(device)};
  }

  MemoryMeter meter_;
};

/// What comes out of passes of each sort, one after the other and all of them four times, each time of other samples.
std::vector<std::vector<float>> resultsOf(DeviceBench& tested, const LayerCase& of) {
  std::vector<std::vector<float>> results;
  std::uint64_t seed = 10;
  for (int time = 0; time < 4; ++time) {
    for (const std::int64_t batch : {of.batch, of.batch - 1}) {
      const auto samples = [&] { return test::drawn(batch * of.input.elements(), ++seed); };
      for (const bool accumulate : {false, true}) {
        results.push_back(tested.forward(samples(), batch, NetworkMode::training));
        results.push_back(tested.backward(test::drawn(std::ssize(results.back()), ++seed), batch, accumulate));
      }
      const int lastLayer = static_cast<int>(of.network.layers.size()) - 1;
      results.push_back(tested.forward(samples(), batch, NetworkMode::training));
      results.push_back(tested.backward(test::drawn(std::ssize(results.back()), ++seed), batch, false, lastLayer));
      results.push_back(tested.forward(samples(), batch, NetworkMode::evaluation));
      results.push_back(tested.states());
    }
  }
  return results;
}

TEST_P(RecordedNetwork, PassesWithTheSameBits) {
  ProtectedDevice callByCall(meter_);
  callByCall.neverRecord();
  auto expected = bench(callByCall);
  ProtectedDevice recording(meter_);
  auto tested = bench(recording);
  EXPECT_EQ(resultsOf(tested, layers()), resultsOf(expected, layers()));
  EXPECT_EQ(callByCall.recordings(), 0);
  EXPECT_GE(recording.recordings(), 5 * 2) << "of each of two batches";
  EXPECT_GE(recording.launches(), 2 * 5 * 2);
}

INSTANTIATE_TEST_SUITE_P(Layers, RecordedNetwork,
                         testing::Combine(testing::ValuesIn(test::layerCases()),
                                          testing::Values(NumberType::float32, NumberType::float16)),
                         [](const auto& instance) {
                           return std::get<0>(instance.param).name + "_" +
                                  std::string(nameOf(std::get<1>(instance.param)));
                         });

/// Whole batches have fused plans, smaller ones have not: what a convolution did for its batch norms in one pass is not
/// taken for done in the next.
TEST(RecordedFusedNetwork, TakesBatchesWithPlansAndWithoutInTurn) {
  for (const LayerCase& of : test::layerCases()) {
    if (!of.name.starts_with("Fusing")) continue;
    SCOPED_TRACE(of.name);
    MemoryMeter meter;
    const auto results = [&](ProtectedDevice& device, const test::HostFusing& fusing) {
      DeviceBench bench(of.network, of.input, of.batch, NumberType::float16, device,
                        test::makeProtectedBackend(device, fusing));
      return resultsOf(bench, of);
    };
    ProtectedDevice callByCall(meter), recording(meter), alwaysFused(meter);
    callByCall.neverRecord();
    const auto expected = results(callByCall, {.leastBatch = of.batch});
    EXPECT_EQ(results(recording, {.leastBatch = of.batch}), expected);
    EXPECT_GE(recording.recordings(), 5 * 2);
    EXPECT_NE(results(alwaysFused, {}), expected) << "smaller batches were fused";
  }
}

/// As WholeParameterStore, but does not promise to stay.
class MovingStore final : public ParameterStore {
 public:
  explicit MovingStore(ParameterStore& store) : store_(store) {}
  std::span<float> acquire(Range range) override { return store_.acquire(range); }
  void release(Range range) override { store_.release(range); }
  std::vector<PinnedRange> kept() override { return store_.kept(); }

 private:
  ParameterStore& store_;
};

class WhatIsRecorded : public testing::Test {
 protected:
  WhatIsRecorded() {
    const LayerCase& of = test::layerCases().front();
    network_ =
        makeNetwork(of.network, of.input, of.batch, NumberType::float32, device_, test::makeProtectedBackend(device_));
    input_ = device_.allocate(static_cast<std::size_t>(of.input.elements()) * sizeof(float), MemoryCategory::data);
    const auto classes = static_cast<std::size_t>(network_->shape().outputs.back().elements());
    direction_ = device_.allocate(classes * sizeof(float), MemoryCategory::data);
    weights_ = std::make_unique<WholeParameterStore>(device_, network_->layout().size(), MemoryCategory::weights);
    gradients_ = std::make_unique<WholeParameterStore>(device_, network_->layout().size(), MemoryCategory::gradients);
  }

  /// How many recordings three passes make, forward and backward.
  int recordings(ParameterStore& weights, ParameterStore& gradients, LayerObserver* forward, LayerObserver* backward) {
    const int before = device_.recordings();
    for (int time = 0; time < 3; ++time) {
      network_->forward(input_->as<float>(), 1, NetworkMode::training, weights, forward);
      network_->backward(direction_->as<float>(), 1, weights, gradients, false, 0, backward);
    }
    return device_.recordings() - before;
  }

  MemoryMeter meter_;
  ProtectedDevice device_{meter_};
  std::unique_ptr<Network> network_;
  std::unique_ptr<Buffer> input_, direction_;
  std::unique_ptr<WholeParameterStore> weights_, gradients_;
};

TEST_F(WhatIsRecorded, ArePassesThatNobodyObserves) {
  LayerObserver listener;
  EXPECT_EQ(recordings(*weights_, *gradients_, &listener, &listener), 0);
  EXPECT_EQ(recordings(*weights_, *gradients_, nullptr, &listener), 1);
  EXPECT_EQ(recordings(*weights_, *gradients_, nullptr, nullptr), 1) << "and backward";
}

TEST_F(WhatIsRecorded, ArePassesBetweenPermanentStores) {
  MovingStore weights(*weights_);
  MovingStore gradients(*gradients_);
  EXPECT_EQ(recordings(weights, *gradients_, nullptr, nullptr), 0);
  EXPECT_EQ(recordings(*weights_, gradients, nullptr, nullptr), 1) << "forward reads no gradients";
}

TEST_F(WhatIsRecorded, IsNothingWhereTheDeviceGainsNothing) {
  device_.neverRecord();
  EXPECT_EQ(recordings(*weights_, *gradients_, nullptr, nullptr), 0);
}

}  // namespace
}  // namespace slipstream
