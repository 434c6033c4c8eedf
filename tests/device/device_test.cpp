// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <cstdint>
#include <limits>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/flush_denormals.h"
#include "engine/device/opening_thread.h"
#include "engine/devices/open_device.h"

namespace slipstream {
namespace {

TEST(MemoryMeter, KeepsThePeakOfEachCategory) {
  MemoryMeter meter;
  meter.add(MemoryCategory::weights, 100);
  meter.add(MemoryCategory::weights, -60);
  meter.add(MemoryCategory::weights, 50);
  meter.add(MemoryCategory::boost, 7);
  const auto peak = meter.peak();
  EXPECT_EQ(peak[static_cast<std::size_t>(MemoryCategory::weights)], 100);
  EXPECT_EQ(peak[static_cast<std::size_t>(MemoryCategory::boost)], 7);
  EXPECT_EQ(peak[static_cast<std::size_t>(MemoryCategory::data)], 0);
}

TEST(CpuDevice, GivesAlignedZeroedMemoryAndCountsIt) {
  MemoryMeter meter;
  const auto device = openDevice(cpuKind(), 0, meter);
  ASSERT_TRUE(device);
  {
    const auto buffer = (*device)->allocate(1000, MemoryCategory::activations);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(buffer->bytes().data()) % 64, 0U);
    EXPECT_EQ(buffer->as<float>().size(), 250U);
    for (const float value : buffer->as<float>()) EXPECT_EQ(value, 0.0F);
    const auto empty = (*device)->allocate(0, MemoryCategory::activations);
    EXPECT_TRUE(empty->bytes().empty());
  }
  const auto again = (*device)->allocate(400, MemoryCategory::activations);
  EXPECT_EQ(meter.peak()[static_cast<std::size_t>(MemoryCategory::activations)], 1000);
}

TEST(CpuDevice, CopiesInAndOut) {
  MemoryMeter meter;
  const auto device = openDevice(cpuKind(), 0, meter);
  const auto buffer = (*device)->allocate(12, MemoryCategory::data);
  const std::vector<float> in{1, 2, 3};
  std::vector<float> out(3);
  (*device)->copyIn(buffer->bytes(), std::as_bytes(std::span(in)));
  (*device)->copyOut(std::as_writable_bytes(std::span(out)), buffer->bytes());
  EXPECT_EQ(out, in);
  EXPECT_THROW((*device)->copyIn(buffer->bytes().first(8), std::as_bytes(std::span(in))), Error);
}

TEST(OpenDevice, AnUnknownKindIsAFailureWithARemedy) {
  MemoryMeter meter;
  const auto device = openDevice(DeviceKind{.name = "abacus", .noun = "abacus"}, 0, meter);
  ASSERT_FALSE(device);
  EXPECT_EQ(device.error()[0].where, "device");
  EXPECT_EQ(device.error()[0].value, "abacus");
  EXPECT_NE(device.error()[0].remedy.find("cpu"), std::string::npos);
}

/// Runs everywhere: a GPU opens and works, or the failure says what to do.
TEST(OpenDevice, CudaWorksOrSaysWhyNot) {
  MemoryMeter meter;
  const auto device = openDevice(cudaKind(), 0, meter);
  if (!device) {
    EXPECT_EQ(device.error()[0].where, "device");
    EXPECT_NE(device.error()[0].remedy.find("use cpu"), std::string::npos);
    return;
  }
  const auto buffer = (*device)->allocate(12, MemoryCategory::data);
  const std::vector<float> in{1, 2, 3};
  std::vector<float> out(3);
  (*device)->copyIn(buffer->bytes(), std::as_bytes(std::span(in)));
  (*device)->synchronize();
  (*device)->copyOut(std::as_writable_bytes(std::span(out)), buffer->bytes());
  EXPECT_EQ(out, in);
}

TEST(OpeningThread, RefusesAllOthers) {
  const OpeningThread opener;
  opener.refuseOthers("cuda", 3);
  const OpeningThread copied = opener;
  std::thread([&] {
    EXPECT_THAT([&] { copied.refuseOthers("cuda", 3); },
                testing::ThrowsMessage<Error>(testing::HasSubstr("cuda:3 is used by another thread")));
  }).join();
}

/// Computed when the test runs, not by the compiler.
float half(float value) {
  volatile float kept = value;
  return kept * 0.5F;
}

#if defined(__x86_64__)
constexpr bool processorFlushes = true;
#else
constexpr bool processorFlushes = false;
#endif

TEST(FlushDenormals, HoldsInsideItsScopeOnly) {
  const float smallest = std::numeric_limits<float>::min();
  EXPECT_GT(half(smallest), 0.0F);
  {
    const FlushDenormals flush;
    EXPECT_EQ(half(smallest) == 0.0F, processorFlushes);
  }
  EXPECT_GT(half(smallest), 0.0F);
}

}  // namespace
}  // namespace slipstream
