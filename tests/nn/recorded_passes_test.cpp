// SPDX-License-Identifier: GPL-3.0-or-later
// When a pass is given call by call, when it is recorded, and what a recording refuses; on a device that writes down
// what it is given.
#include "engine/nn/recorded_passes.h"

#include <functional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/nn/scratch.h"
#include "tests/support/protected_device.h"

namespace slipstream {
namespace {

class RecordedPassesTest : public testing::Test {
 protected:
  /// A pass that adds 1 to what stands in the device's memory.
  void pass() {
    ++calls_;
    device_.give([counted = counted_->as<int>().data()] { ++*counted; });
  }
  void run(const PassKey& key, std::uint64_t placement = 0) {
    passes_.run(key, placement, [this] { pass(); });
  }
  int done() {
    int count = 0;
    device_.copyOut(std::as_writable_bytes(std::span(&count, 1)), counted_->bytes());
    return count;
  }

  MemoryMeter meter_;
  test::ProtectedDevice device_{meter_};
  std::unique_ptr<Buffer> counted_ = device_.allocate(sizeof(int), MemoryCategory::data);
  std::unique_ptr<Buffer> other_ = device_.allocate(sizeof(int), MemoryCategory::data);
  RecordedPasses passes_{device_};
  int calls_ = 0;  ///< of pass(), while it records too
};

TEST_F(RecordedPassesTest, AreGivenOnceAndRecordedOnceAndThenLaunched) {
  for (int time = 1; time <= 5; ++time) {
    run({.batch = 4});
    EXPECT_EQ(done(), time);
  }
  EXPECT_EQ(calls_, 2);
  EXPECT_EQ(device_.recordings(), 1);
  EXPECT_EQ(device_.launches(), 4);
}

TEST_F(RecordedPassesTest, AreToldApartByEveryPartOfTheKey) {
  const void* somewhere = other_->bytes().data();
  const PassKey one{.batch = 4};
  std::vector<PassKey> others(8, one);
  others[0].kind = PassKey::Kind::backward;
  others[1].batch = 3;
  others[2].input = somewhere;
  others[3].weights = somewhere;
  others[4].outputGradient = somewhere;
  others[5].gradients = somewhere;
  others[6].accumulate = true;
  others[7].firstTrainedLayer = 2;
  for (int time = 0; time < 2; ++time) run(one);
  for (const PassKey& other : others) run(other);
  EXPECT_EQ(device_.recordings(), 1);
  for (const PassKey& other : others) run(other);
  EXPECT_EQ(device_.recordings(), 9);
}

TEST_F(RecordedPassesTest, AreForgottenWhenMemoryHasMoved) {
  for (int time = 0; time < 3; ++time) run({}, 1);
  EXPECT_EQ(calls_, 2);
  run({}, 2);
  EXPECT_EQ(calls_, 3) << "given anew";
  EXPECT_EQ(device_.launches(), 2);
  run({}, 2);
  EXPECT_EQ(device_.recordings(), 2);
  EXPECT_EQ(done(), 5);
}

TEST_F(RecordedPassesTest, ThatFailedTheFirstTimeAreGivenAnew) {
  EXPECT_THROW(passes_.run({}, 0, [] { throw Error("no plan"); }), Error);
  run({});
  EXPECT_EQ(device_.recordings(), 0);
  EXPECT_EQ(done(), 1);
}

/// Memory that grows gives up what it had before it asks for more: what was recorded with that is of no use, also where
/// there is no more.
TEST_F(RecordedPassesTest, AreForgottenWhenMemoryCouldNotGrow) {
  test::ProtectedDevice small(meter_, test::protectedKind(), 4096);
  Scratch scratch(small);
  scratch.take(1000);
  for (int time = 0; time < 3; ++time) run({}, scratch.moves());
  EXPECT_EQ(calls_, 2);
  EXPECT_THROW(scratch.take(8192), Error);
  EXPECT_EQ(scratch.size(), 0U);
  run({}, scratch.moves());
  EXPECT_EQ(calls_, 3) << "given anew";
  EXPECT_EQ(device_.launches(), 2);
  EXPECT_EQ(scratch.take(1000).size(), 1000U) << "what fitted fits again";
}

struct RefusedCall {
  const char* name;
  std::function<void(test::ProtectedDevice&, Buffer&)> call;
  const char* said;
};

class RefusedWhileRecording : public RecordedPassesTest, public testing::WithParamInterface<RefusedCall> {};

TEST_P(RefusedWhileRecording, NamesTheCallAndLeavesTheDeviceAsItWas) {
  int value = 7;
  const auto spoilt = [&] {
    pass();
    GetParam().call(device_, *other_);
  };
  passes_.run({.batch = 4}, 0, spoilt);
  EXPECT_THAT([&] { passes_.run({.batch = 4}, 0, spoilt); },
              testing::ThrowsMessage<Error>(
                  testing::AllOf(testing::HasSubstr("the pass forward in evaluation of 4 samples cannot be recorded"),
                                 testing::HasSubstr(GetParam().said),
                                 testing::HasSubstr("with SLIPSTREAM_RECORDING=off it is given call by call"))));
  EXPECT_EQ(done(), 1) << "nothing of the pass has happened";
  device_.copyIn(counted_->bytes(), std::as_bytes(std::span(&value, 1)));
  for (int time = 0; time < 3; ++time) run({.batch = 5});
  EXPECT_EQ(done(), 10) << "the device goes on";
}

INSTANTIATE_TEST_SUITE_P(
    Calls, RefusedWhileRecording,
    testing::Values(
        RefusedCall{"allocate", [](auto& device, Buffer&) { device.allocate(8, MemoryCategory::activations); },
                    "a device cannot allocate memory"},
        RefusedCall{"copy_in",
                    [](auto& device, Buffer& other) {
                      const int value = 1;
                      device.copyIn(other.bytes(), std::as_bytes(std::span(&value, 1)));
                    },
                    "a device cannot start a copy from the host"},
        RefusedCall{"copy_out",
                    [](auto& device, Buffer& other) {
                      int value = 0;
                      device.copyOut(std::as_writable_bytes(std::span(&value, 1)), other.bytes());
                    },
                    "a device cannot start a copy to the host"},
        RefusedCall{"staging", [](auto& device, Buffer&) { device.allocateStaging(8); },
                    "a device cannot pin memory of the host"},
        RefusedCall{"point", [](auto& device, Buffer&) { device.point(); }, "a device cannot mark a point"},
        RefusedCall{"synchronize", [](auto& device, Buffer&) { device.synchronize(); },
                    "a device cannot be waited for"},
        RefusedCall{"kernel_of_the_host", [](auto& device, Buffer&) { const test::Unprotected unlocked(device); },
                    "a device cannot run a kernel"},
        RefusedCall{"record", [](auto& device, Buffer&) { device.record([] {}); }, "a device cannot record"}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

TEST_F(RecordedPassesTest, CopiesInsideAreRecorded) {
  const auto copies = [&] {
    pass();
    device_.copyWithin(other_->bytes(), counted_->bytes());
  };
  for (int time = 0; time < 3; ++time) passes_.run({}, 0, copies);
  int copied = 0;
  device_.copyOut(std::as_writable_bytes(std::span(&copied, 1)), other_->bytes());
  EXPECT_EQ(copied, 3);
  EXPECT_EQ(device_.launches(), 2);
}

}  // namespace
}  // namespace slipstream
