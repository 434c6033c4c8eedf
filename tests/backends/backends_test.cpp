// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/backends.h"

#include <algorithm>
#include <array>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/device/cpu_device.h"
#include "engine/devices/open_device.h"

namespace slipstream {
namespace {

TEST(Backends, TheCpuHasEveryTable) {
  MemoryMeter meter;
  const auto device = openCpuDevice(meter);
  const KernelTables tables = kernelTables(*device);
  EXPECT_NE(tables.find<AdasumKernels<float>>(), nullptr);
  EXPECT_NE(tables.find<AdasumKernels<double>>(), nullptr);
  EXPECT_NO_THROW(trainingKernels(*device));
}

TEST(Backends, ADeviceAgreesWithItself) {
  MemoryMeter meter;
  const auto one = openCpuDevice(meter);
  const auto other = openCpuDevice(meter);
  const auto found = compareDevices(*one, *other);
  EXPECT_EQ(found.size(), 27U);
  for (const auto& kernel : found) EXPECT_EQ(kernel.largest, 0.0) << kernel.kernel;
}

/// Kernels that add up in an order of their own; a step is one of them for the means of its rows.
bool addsUp(const std::string& kernel) {
  constexpr std::array<const char*, 4> words{"dots", "project", "row means", "step"};
  if (kernel == "back-project" || kernel == "residual step") return false;
  return std::ranges::any_of(words, [&](const char* word) { return kernel.find(word) != std::string::npos; });
}

TEST(Backends, TheGpuAgreesWithTheCpu) {
  MemoryMeter meter;
  const auto gpu = openDevice(cudaKind(), 0, meter);
  if (!gpu) GTEST_SKIP() << toText(gpu.error());
  const auto cpu = openCpuDevice(meter);
  for (const auto& kernel : compareDevices(*cpu, **gpu)) {
    EXPECT_LE(kernel.largest, addsUp(kernel.kernel) ? 1e-6 : 0.0) << kernel.kernel;
  }
}

/// All but doubles, which an NPU does not compute with. Combinations are next to the CPU's.
TEST(Backends, AnEmulatedNpuAgreesWithTheCpu) {
  MemoryMeter meter;
  const auto npu = openDevice(npuTwinKind(), 0, meter);
  ASSERT_TRUE(npu) << toText(npu.error());
  const auto cpu = openCpuDevice(meter);
  const auto found = compareDevices(*cpu, **npu);
  EXPECT_EQ(found.size(), 21U);
  for (const auto& kernel : found) {
    const bool nextTo = kernel.kernel.find("combine") != std::string::npos || kernel.kernel == "back-project";
    EXPECT_LE(kernel.largest, addsUp(kernel.kernel) || nextTo ? 1e-6 : 0.0) << kernel.kernel;
  }
}

/// A device that has a name and does nothing.
class Named final : public Device {
 public:
  explicit Named(const DeviceKind& kind) : kind_(kind) {}
  const DeviceKind& kind() const override { return kind_; }
  std::unique_ptr<Buffer> allocate(std::size_t, MemoryCategory) override { return nullptr; }
  void copyIn(std::span<std::byte>, std::span<const std::byte>) override {}
  void copyOut(std::span<std::byte>, std::span<const std::byte>) override {}
  void copyWithin(std::span<std::byte>, std::span<const std::byte>) override {}
  void synchronize() override {}
  MemoryMeter& memory() override { return meter_; }

 private:
  const DeviceKind& kind_;
  MemoryMeter meter_;
};

/// Kernels are only asked for what they are, so that this needs no GPU.
TEST(Backends, AGpuHasEveryTableThatTrainingNeeds) {
  MemoryMeter meter;
  const auto gpu = openDevice(cudaKind(), 0, meter);
  if (!gpu && toText(gpu.error()).find("this build has no CUDA") != std::string::npos) {
    EXPECT_THROW(trainingKernels(Named(cudaKind())), Error);
    return;
  }
  const KernelTables tables = trainingKernels(Named(cudaKind()));
  EXPECT_NE(tables.find<AdasumKernels<double>>(), nullptr);
  EXPECT_NE(tables.of<DimReduceKernels>().addCentredGram, nullptr);
}

TEST(Backends, AnNpuHasEveryTableThatTrainingNeeds) {
  for (const DeviceKind* kind : {&npuKind(), &npuTwinKind()}) {
    const KernelTables tables = trainingKernels(Named(*kind));
    EXPECT_NE(tables.find<AdasumKernels<float>>(), nullptr);
    EXPECT_EQ(tables.find<AdasumKernels<double>>(), nullptr);
    EXPECT_NE(tables.of<DimReduceKernels>().addCentredGram, nullptr);
  }
}

TEST(Backends, AnUnknownDeviceIsAnError) {
  const DeviceKind abacus{.name = "abacus", .noun = "abacus"};
  EXPECT_THROW(kernelTables(Named(abacus)), Error);
  EXPECT_THROW(trainingKernels(Named(abacus)), Error);
}

}  // namespace
}  // namespace slipstream
