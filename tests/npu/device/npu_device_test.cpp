// SPDX-License-Identifier: GPL-3.0-or-later
// The NPU's device on a fake CANN, which ends the process where it is called wrongly (tests/npu/fake_cann).
#include "engine/npu/npu_device.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "tests/npu/fake_cann/fake_runtime.h"

namespace slipstream {
namespace {

using testing::HasSubstr;
using testing::ThrowsMessage;

/// Small devices: what fills their memory takes no time.
const int smallDevices = ::setenv("FAKE_CANN_MEBIBYTES", "64", 1);

class OnAnNpu : public testing::Test {
 protected:
  OnAnNpu() { ::setenv("SLIPSTREAM_NPU_KERNELS", SLIPSTREAM_SMALL_KERNELS, 1); }

  std::unique_ptr<Buffer> holding(const std::vector<float>& values) {
    auto buffer = device_->allocate(values.size() * sizeof(float), MemoryCategory::data);
    device_->copyIn(buffer->bytes(), std::as_bytes(std::span(values)));
    return buffer;
  }
  std::vector<float> read(Buffer& buffer) {
    std::vector<float> values(buffer.bytes().size() / sizeof(float));
    device_->copyOut(std::as_writable_bytes(std::span(values)), buffer.bytes());
    return values;
  }

  MemoryMeter meter_;
  std::unique_ptr<Device> device_ = std::move(openNpuDevice(1, meter_).value());
};

constexpr NpuKernel addBlocks{"addBlocks", nullptr, 3};
constexpr NpuKernel twice{"twice", nullptr, 1};

TEST_F(OnAnNpu, IsDescribed) {
  const auto npus = listNpus();
  ASSERT_TRUE(npus);
  ASSERT_EQ(smallDevices, 0);
  ASSERT_EQ(npus->size(), 8U);
  EXPECT_EQ((*npus)[3].number, 3);
  EXPECT_EQ((*npus)[3].model, "fake Ascend");
  EXPECT_EQ((*npus)[3].memoryBytes, std::int64_t{64} << 20);
  EXPECT_EQ(&device_->kind(), &npuKind());
  EXPECT_FALSE(device_->usesHostMemory());
  EXPECT_TRUE(fakeCannIsDeterministic());
}

TEST_F(OnAnNpu, OfAnUnknownNumberIsAFailureWithARemedy) {
  const auto none = openNpuDevice(8, meter_);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error()[0].value, "npu:8");
  EXPECT_THAT(none.error()[0].remedy, HasSubstr("use 0 to 7"));
}

TEST_F(OnAnNpu, MemoryIsZeroedAlsoTheSecondTime) {
  for (const std::size_t bytes : std::vector<std::size_t>{1, 511, 4096, 1'000'003}) {
    for (int time = 0; time < 3; ++time) {
      const auto buffer = device_->allocate(bytes, MemoryCategory::data);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->bytes().data()) % 512, 0U);
      std::vector<std::byte> values(bytes, std::byte{1});
      device_->copyOut(values, buffer->bytes());
      EXPECT_EQ(values, std::vector<std::byte>(bytes)) << bytes;
      device_->copyIn(buffer->bytes(), std::vector<std::byte>(bytes, std::byte{255}));
    }
  }
}

/// Longer than all staging chunks.
TEST_F(OnAnNpu, LongCopiesArrive) {
  std::vector<float> values(3'000'003);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::sin(static_cast<float>(i));
  const auto there = holding(values);
  const auto copy = device_->allocate(there->bytes().size(), MemoryCategory::data);
  device_->copyWithin(copy->bytes(), there->bytes());
  EXPECT_EQ(read(*copy), values);
}

TEST_F(OnAnNpu, WhatIsCopiedInMayChangeAtOnce) {
  std::vector<float> values(1000, 3.0F);
  const auto there = holding(values);
  values.assign(values.size(), 4.0F);
  EXPECT_EQ(read(*there), std::vector<float>(1000, 3.0F));
}

/// The runtime copies between multiples of 64 bytes only. Neighbours stay as they are.
TEST_F(OnAnNpu, CopiesBeginAnywhere) {
  ::setenv("SLIPSTREAM_NPU_KERNELS", SLIPSTREAM_ALL_KERNELS, 1);
  constexpr std::size_t most = 100'000;
  for (const auto& [start, bytes] : std::vector<std::pair<std::size_t, std::size_t>>{
           {1, 1}, {4, 60}, {60, 8}, {63, 65}, {64, 31}, {100, 32'768}, {12, 70'001}}) {
    std::vector<std::byte> expected(most, std::byte{7});
    std::vector<std::byte> values(bytes);
    for (std::size_t i = 0; i < bytes; ++i) values[i] = static_cast<std::byte>(i * 31 + start);
    const auto there = device_->allocate(most, MemoryCategory::data);
    device_->copyIn(there->bytes(), expected);
    device_->copyIn(there->bytes().subspan(start, bytes), values);
    std::ranges::copy(values, expected.begin() + static_cast<std::ptrdiff_t>(start));
    std::vector<std::byte> all(most);
    device_->copyOut(all, there->bytes());
    EXPECT_EQ(all, expected) << start << ", " << bytes;
    std::vector<std::byte> back(bytes);
    device_->copyOut(back, there->bytes().subspan(start, bytes));
    EXPECT_EQ(back, values) << start << ", " << bytes;
    const auto other = device_->allocate(most, MemoryCategory::data);
    device_->copyWithin(other->bytes().subspan(3, bytes), there->bytes().subspan(start, bytes));
    device_->copyOut(back, other->bytes().subspan(3, bytes));
    EXPECT_EQ(back, values) << start << ", " << bytes;
  }
}

TEST_F(OnAnNpu, StartedCopiesBeginAnywhere) {
  ::setenv("SLIPSTREAM_NPU_KERNELS", SLIPSTREAM_ALL_KERNELS, 1);
  const auto there = holding({1, 2, 3, 4, 5});
  const auto staging = device_->allocateStaging(200);
  std::ranges::fill(staging->bytes(), std::byte{9});
  const auto place = staging->bytes().subspan(13, 8);
  device_->startCopyOut(place, there->bytes().subspan(4, 8))->wait();
  std::array<float, 2> got{};
  std::ranges::copy(place, std::as_writable_bytes(std::span(got)).begin());
  EXPECT_EQ(got, (std::array<float, 2>{2, 3}));
  EXPECT_EQ(std::ranges::count(staging->bytes(), std::byte{9}), 192) << "nothing else was written";
  device_->startCopyIn(there->bytes().subspan(12, 8), place);
  EXPECT_EQ(read(*there), (std::vector<float>{1, 2, 3, 2, 3}));
}

TEST_F(OnAnNpu, MemoryOfItsQueueIsCounted) {
  AclQueue& queue = aclQueueOf(*device_);
  queue.scratch(1'000'000);
  const auto table = queue.allocate(2'000'000);
  EXPECT_EQ(meter_.peak()[static_cast<std::size_t>(MemoryCategory::boost)], 3'000'000);
}

/// Two devices of a thread: each call is of its own.
TEST_F(OnAnNpu, TwoDevicesTakeTurns) {
  MemoryMeter meter;
  const auto other = std::move(openNpuDevice(2, meter).value());
  const auto there = holding({1});
  aclQueueOf(*other).clear(other->allocate(4, MemoryCategory::data)->bytes().data(), 4);
  aclQueueOf(*device_).launch(twice, 1, std::vector<NpuArgument>{there->as<float>().data()});
  aclQueueOf(*other).scratch(100);
  aclQueueOf(*device_).clear(aclQueueOf(*device_).scratch(100), 100);
  EXPECT_EQ(read(*there), std::vector<float>{2});
}

TEST_F(OnAnNpu, KernelsMayRunWhileTheDeviceGoes) {
  const auto there = holding({1});
  aclQueueOf(*device_).launch(twice, 1, std::vector<NpuArgument>{there->as<float>().data()});
  device_.reset();
}

TEST_F(OnAnNpu, CopiesOfDifferentSizesAreRefused) {
  const auto one = holding({1, 2, 3});
  const auto other = holding({1, 2});
  EXPECT_THROW(device_->copyWithin(one->bytes(), other->bytes()), Error);
  std::vector<float> longer(3);
  EXPECT_THROW(device_->copyOut(std::as_writable_bytes(std::span(longer)), other->bytes()), Error);
}

TEST_F(OnAnNpu, TooMuchMemoryIsRefusedWithARemedy) {
  EXPECT_THAT([&] { device_->allocate(std::size_t{1} << 40, MemoryCategory::activations); },
              ThrowsMessage<Error>(AllOf(HasSubstr("out of memory on npu:1"), HasSubstr("for activations"),
                                         HasSubstr("of 67.11 MB are free"))));
  EXPECT_NO_THROW(device_->allocate(1000, MemoryCategory::activations)) << "the device goes on";
}

TEST_F(OnAnNpu, FreeMemoryGoesBackToTheRuntimeBeforeAnythingFails) {
  device_->allocate(std::size_t{48} << 20, MemoryCategory::activations).reset();
  EXPECT_NO_THROW(device_->allocate(std::size_t{32} << 20, MemoryCategory::weights));
}

TEST_F(OnAnNpu, KnowsItsAddresses) {
  const auto there = holding({1, 2, 3});
  EXPECT_TRUE(device_->holds(there->bytes().data()));
  EXPECT_FALSE(device_->holds(&meter_));
  EXPECT_FALSE(device_->holds(device_->allocateStaging(100)->bytes().data()));
}

TEST_F(OnAnNpu, AStartedCopyComesBehindItsPointOnly) {
  const auto there = holding({1});
  const auto staging = device_->allocateStaging(2 * sizeof(float));
  const auto point = device_->point();
  aclQueueOf(*device_).launch(twice, 1, std::vector<NpuArgument>{there->as<float>().data()});
  const auto all = device_->startCopyOut(staging->bytes().last(sizeof(float)), there->bytes());
  const auto before = device_->startCopyOut(staging->bytes().first(sizeof(float)), there->bytes(), point.get());
  all->wait();
  EXPECT_EQ(staging->as<float>()[1], 2.0F) << "behind the kernel";
  before->wait();
  EXPECT_TRUE(before->done());
}

TEST_F(OnAnNpu, AStartedCopyInwardIsInOrderWithEverything) {
  const auto there = holding({1});
  const auto staging = device_->allocateStaging(sizeof(float));
  AclQueue& queue = aclQueueOf(*device_);
  staging->as<float>()[0] = 5;
  queue.launch(twice, 1, std::vector<NpuArgument>{there->as<float>().data()});
  const auto copy = device_->startCopyIn(there->bytes(), staging->bytes());
  queue.launch(twice, 1, std::vector<NpuArgument>{there->as<float>().data()});
  EXPECT_EQ(read(*there), std::vector<float>{10});
  EXPECT_TRUE(copy->done());
}

TEST_F(OnAnNpu, ACopyThatIsOnlyAskedForEndsToo) {
  const auto there = holding({7});
  const auto staging = device_->allocateStaging(sizeof(float));
  const auto copy = device_->startCopyOut(staging->bytes(), there->bytes());
  int asked = 1;
  while (!copy->done()) ++asked;
  EXPECT_GT(asked, 1) << "it was under way";
  EXPECT_EQ(staging->as<float>()[0], 7.0F);
}

TEST_F(OnAnNpu, EventsOfManyCopiesGoWhenTheyWerePassed) {
  const auto there = holding({7});
  const auto staging = device_->allocateStaging(sizeof(float));
  for (int i = 0; i < 1000; ++i) device_->startCopyOut(staging->bytes(), there->bytes(), device_->point().get());
  EXPECT_LT(fakeCannWaitingTasks(), 1000U);
  device_->synchronize();
  EXPECT_EQ(fakeCannWaitingTasks(), 0U);
}

TEST_F(OnAnNpu, BuffersMayGoWhileWorkUsesThemAndOutliveTheDevice) {
  const std::size_t before = fakeCannLiveAllocations();
  auto there = holding({1});
  aclQueueOf(*device_).launch(twice, 1, std::vector<NpuArgument>{there->as<float>().data()});
  there.reset();
  auto other = holding({2});
  device_.reset();
  other.reset();
  EXPECT_EQ(fakeCannLiveAllocations(), before) << "all memory went back";
}

TEST_F(OnAnNpu, AnotherThreadIsRefused) {
  std::thread([&] {
    EXPECT_THAT([&] { device_->synchronize(); }, ThrowsMessage<Error>(HasSubstr("another thread")));
  }).join();
}

TEST_F(OnAnNpu, LaunchesKernelsInOrderWithTheirArguments) {
  const auto there = holding(std::vector<float>(5, 1.0F));
  AclQueue& queue = aclQueueOf(*device_);
  EXPECT_EQ(queue.vectorCores(), 8U);
  float* values = there->as<float>().data();
  queue.launch(addBlocks, 3, std::vector<NpuArgument>{values, std::uint32_t{5}, 0.5F});
  queue.launch(twice, 1, std::vector<NpuArgument>{values + 1});
  EXPECT_EQ(read(*there), (std::vector<float>{1.5F, 5.0F, 3.5F, 1.5F, 2.5F}));
  queue.launch(twice, 0, std::vector<NpuArgument>{values});
  EXPECT_EQ(read(*there)[0], 1.5F) << "no block";
}

TEST_F(OnAnNpu, AKernelThatIsNotThereIsAnError) {
  AclQueue& queue = aclQueueOf(*device_);
  EXPECT_THAT(
      [&] {
        queue.launch({"thrice", nullptr, 0}, 1, {});
      },
      ThrowsMessage<Error>(HasSubstr("find the kernel thrice: there is no kernel thrice")));
  EXPECT_THAT([&] { queue.launch(twice, 1, {}); }, ThrowsMessage<Error>(HasSubstr("another number of arguments")));
}

TEST_F(OnAnNpu, KernelsThatAreNotThereAreAFailureWithARemedy) {
  ::setenv("SLIPSTREAM_NPU_KERNELS", "/nowhere/kernels.o", 1);
  const auto named = npuKernelFile();
  ASSERT_FALSE(named);
  EXPECT_EQ(named.error()[0].where, "SLIPSTREAM_NPU_KERNELS");
  EXPECT_EQ(named.error()[0].value, "/nowhere/kernels.o");
  ::unsetenv("SLIPSTREAM_NPU_KERNELS");
  const auto beside = npuKernelFile();
  ASSERT_FALSE(beside);
  EXPECT_THAT(beside.error()[0].value, HasSubstr("bin/slipstream_npu_kernels.o"));
  EXPECT_THAT(beside.error()[0].remedy, HasSubstr("-DSLIPSTREAM_CANN=DIR"));
  EXPECT_THAT([&] { aclQueueOf(*device_).launch(twice, 1, std::vector<NpuArgument>{std::uint64_t{0}}); },
              ThrowsMessage<Error>(HasSubstr("the kernels for NPUs are not there")));
}

TEST_F(OnAnNpu, ScratchMemoryIsAlignedAndStaysUntilItGrows) {
  AclQueue& queue = aclQueueOf(*device_);
  std::byte* first = queue.scratch(1000);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(first) % 512, 0U);
  EXPECT_EQ(queue.scratch(10), first);
  queue.clear(first, 1000);
  std::byte* larger = queue.scratch(100'000);
  queue.clear(larger, 100'000);
  device_->synchronize();
}

TEST_F(OnAnNpu, TablesComeAndGo) {
  AclQueue& queue = aclQueueOf(*device_);
  const std::vector<float> values{1, 2, 3};
  const auto table = queue.allocate(values.size() * sizeof(float));
  const auto copy = queue.allocate(values.size() * sizeof(float));
  queue.upload(table->data(), std::as_bytes(std::span(values)));
  queue.copyWithin(copy->data(), table->data(), values.size() * sizeof(float));
  std::vector<float> back(3);
  queue.download(std::as_writable_bytes(std::span(back)), copy->data());
  EXPECT_EQ(back, values);
  EXPECT_EQ(queue.allocate(0)->data(), nullptr);
  queue.clear(table->data(), 12);  // and the table goes before that has run
}

TEST_F(OnAnNpu, CodeOfTheHostThatTouchesItsMemoryIsFound) {
  const auto there = holding({1, 2, 3});
  EXPECT_DEATH(std::printf("%f", static_cast<double>(there->as<float>()[1])),
               "code of the host touches memory of a device");
}

}  // namespace
}  // namespace slipstream
