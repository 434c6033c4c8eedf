// SPDX-License-Identifier: GPL-3.0-or-later
// The emulated NPU as a device: beside other ranks' in one process, and what its queue refuses.
#include "npu_kernels/grad_centralization.h"
#include "npu_kernels/vectors.h"

#include <array>
#include <bit>
#include <cmath>
#include <memory>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/devices/open_device.h"
#include "engine/npu/npu_tiles.h"
#include "engine/npu/twin/twin_queue.h"
#include "tests/support/environment_variable.h"
#include "tests/support/error_of.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

std::unique_ptr<Device> opened(MemoryMeter& meter) {
  return std::move(*openDevice(npuTwinKind(), 0, meter));
}

TEST(TwinDevice, ComputesInTheHostsMemoryAndSaysThatItIsEmulated) {
  MemoryMeter meter;
  const auto device = opened(meter);
  EXPECT_EQ(device->kind().name, "npu-twin");
  EXPECT_EQ(device->kind().emulates, "NPU");
  EXPECT_TRUE(device->usesHostMemory());
  const auto buffer = device->allocate(1024, MemoryCategory::boost);
  EXPECT_EQ(meter.peak()[static_cast<std::size_t>(MemoryCategory::boost)], 1024);
  EXPECT_FALSE(device->holds(buffer->bytes().data()));
}

/// Ranks are threads of one process, each with a device of its own.
TEST(TwinDevice, RanksDoNotMeet) {
  constexpr std::size_t size = 30'000;
  const std::vector<float> a(size, 0.5F);
  const auto dotOf = [&](float factor) {
    MemoryMeter meter;
    const auto device = opened(meter);
    const std::vector<float> b(size, factor);
    const std::array<const float*, 2> leaves{a.data(), b.data()};
    std::array<double, 3> sums{};
    for (int turn = 0; turn < 20; ++turn) {
      npuAdasumKernels().dots(device->queue(), leaves.data(), 2, size, sums.data());
    }
    return sums[1];
  };
  std::array<double, 4> found{};
  {
    std::vector<std::jthread> threads;
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
      threads.emplace_back([&, rank] { found[rank] = dotOf(static_cast<float>(rank + 1)); });
    }
  }
  for (std::size_t rank = 0; rank < found.size(); ++rank) {
    EXPECT_EQ(found[rank], 0.5 * static_cast<double>(size * (rank + 1)));
  }
}

TEST(TwinQueue, RefusesArgumentsThatAreNotTheKernels) {
  MemoryMeter meter;
  const auto device = opened(meter);
  NpuQueue& queue = npuQueue(device->queue());
  std::array<float, 8> values{1, 2, 3, 4, 5, 6, 7, 8};
  const std::array<NpuArgument, 2> few{values.data(), std::uint64_t{8}};
  EXPECT_THROW(queue.launch(npu_kernels::vectors_scale, 1, few), Error);
  const std::array<NpuArgument, 3> narrow{values.data(), std::uint32_t{8}, 2.0F};
  EXPECT_THROW(queue.launch(npu_kernels::vectors_scale, 1, narrow), Error);
  const std::array<NpuArgument, 3> right{values.data(), std::uint64_t{8}, 2.0F};
  EXPECT_THROW(queue.launch(npu_kernels::vectors_scale, 0, right), Error);
  queue.launch(npu_kernels::vectors_scale, 1, right);
  EXPECT_EQ(values[7], 16);
}

/// A tile's beginning has 64 bits: of a vector that no machine of ours holds, the four elements that are there.
TEST(TwinQueue, TilesMayBeginBeyond32Bits) {
  constexpr std::uint64_t start = std::uint64_t{5} << 32U;
  MemoryMeter meter;
  const auto device = opened(meter);
  NpuQueue& queue = npuQueue(device->queue());
  std::array<float, 4> values{1, 2, 3, 4};
  const NpuTile tile{start, 4, std::bit_cast<std::uint32_t>(0.5F)};
  const auto vector = reinterpret_cast<std::uintptr_t>(values.data()) - start * sizeof(float);
  const std::array<NpuArgument, 3> arguments{reinterpret_cast<const void*>(vector), &tile, std::uint32_t{1}};
  queue.launch(npu_kernels::subtract_means, 1, arguments);
  EXPECT_EQ(values, (std::array<float, 4>{0.5F, 1.5F, 2.5F, 3.5F}));
}

TEST(TwinQueue, ScratchMemoryIsForgotten) {
  MemoryMeter meter;
  const auto device = opened(meter);
  NpuQueue& queue = npuQueue(device->queue());
  auto* values = reinterpret_cast<float*>(queue.scratch(64));
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(values) % 512, 0);
  values[0] = 1;
  EXPECT_TRUE(std::isnan(reinterpret_cast<const float*>(queue.scratch(32))[0]));
}

TEST(TwinQueue, TheSeedIsAWholeNumber) {
  for (const char* seed : {"x", "7 ", " 7", "-1", "+1", "0x10", "1.5", "18446744073709551616"}) {
    const test::EnvironmentVariable set("SLIPSTREAM_TWIN_SEED", seed);
    EXPECT_EQ(test::errorOf([] { TwinQueue(); }),
              "SLIPSTREAM_TWIN_SEED: is not a whole number from 0 to 18446744073709551615 (found " + std::string(seed) +
                  "); set it to such a number, or unset it");
  }
  for (const char* seed : {"0", "7", "18446744073709551615", ""}) {
    const test::EnvironmentVariable set("SLIPSTREAM_TWIN_SEED", seed);
    EXPECT_NO_THROW(TwinQueue()) << seed;
  }
}

TEST(TwinQueue, WritesDownWhatItLaunchesOrSaysThatItCannot) {
  const test::TemporaryFolder folder;
  std::array<float, 3> values{1, 2, 3};
  const std::array<NpuArgument, 3> arguments{values.data(), std::uint64_t{3}, 2.0F};
  const auto launch = [&](TwinQueue& queue) { queue.launch(npu_kernels::vectors_scale, 1, arguments); };
  const auto file = folder.path() / "launches";
  {
    const test::EnvironmentVariable set("SLIPSTREAM_TWIN_LAUNCHES", file.string());
    TwinQueue queue;
    launch(queue);
    launch(queue);
    EXPECT_EQ(readFile(file).value(), "slipstream_vectors_scale\n");
  }
  for (const std::string& bad : {(folder.path() / "none" / "launches").string(), folder.path().string()}) {
    const test::EnvironmentVariable set("SLIPSTREAM_TWIN_LAUNCHES", bad);
    TwinQueue queue;
    EXPECT_NE(test::errorOf([&] { launch(queue); }), "");
    const std::string again = test::errorOf([&] { launch(queue); });
    EXPECT_EQ(again, "SLIPSTREAM_TWIN_LAUNCHES: the names of launched kernels cannot be written there (found " + bad +
                         "); name a file that you may write to, or unset it");
  }
}

/// What stands in for CANN's runtime in tests loads the kernels as a library.
TEST(KernelsOnHost, AreFoundByName) {
  void* library = dlopen(SLIPSTREAM_KERNELS_ON_HOST, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  auto* run = reinterpret_cast<int (*)(const char*, unsigned, const void*, unsigned)>(
      dlsym(library, "slipstream_run_npu_kernel"));
  ASSERT_NE(run, nullptr);
  EXPECT_NE(run("slipstream_nothing", 0, nullptr, 0), 0);
  EXPECT_EQ(run("slipstream_vectors_scale", 0, nullptr, 0), 0);
  std::array<float, 3> values{1, 2, 3};
  const std::array<NpuArgument, 3> arguments{values.data(), std::uint64_t{3}, 2.0F};
  EXPECT_EQ(run("slipstream_vectors_scale", 2, arguments.data(), 3), 0);
  EXPECT_EQ(values, (std::array<float, 3>{2, 4, 6}));
  EXPECT_NE(run("slipstream_vectors_scale", 2, arguments.data(), 2), 0);
  dlclose(library);
}

TEST(NpuTables, RefuseMoreThan64Vectors) {
  MemoryMeter meter;
  const auto device = opened(meter);
  const std::vector<const float*> many(65);
  std::vector<float*> results(1);
  std::vector<double> sums(65 * 33);
  EXPECT_THROW(npuVectorKernels().sum(device->queue(), many, results, 1, 1.0F, false), Error);
  EXPECT_THROW(npuAdasumKernels().dots(device->queue(), many.data(), 65, 1, sums.data()), Error);
}

}  // namespace
}  // namespace slipstream
