#include "engine/backends/backends.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/device/cpu/cpu_device.h"
#include "engine/device/open_device.h"

namespace slipstream {
namespace {

TEST(Backends, TheCpuHasEveryTable) {
  const auto meter = makeMemoryMeter();
  const auto device = openCpuDevice(*meter);
  const KernelTables tables = kernelTables(*device);
  EXPECT_NE(tables.adasumFloat, nullptr);
  EXPECT_NE(tables.adasumDouble, nullptr);
  EXPECT_NO_THROW(trainingKernels(*device));
}

TEST(Backends, ADeviceAgreesWithItself) {
  const auto meter = makeMemoryMeter();
  const auto one = openCpuDevice(*meter);
  const auto other = openCpuDevice(*meter);
  const auto found = compareDevices(*one, *other);
  EXPECT_EQ(found.size(), 27U);
  for (const auto& kernel : found) EXPECT_EQ(kernel.largest, 0.0) << kernel.kernel;
}

TEST(Backends, TheGpuAgreesWithTheCpu) {
  const auto meter = makeMemoryMeter();
  const auto gpu = openDevice("cuda", 0, *meter);
  if (!gpu) GTEST_SKIP() << toText(gpu.error());
  const auto cpu = openCpuDevice(*meter);
  for (const auto& kernel : compareDevices(*cpu, **gpu)) EXPECT_LE(kernel.largest, 1e-6) << kernel.kernel;
}

/// A kind of device that no table was made for.
class Abacus final : public Device {
 public:
  std::string_view name() const override { return "abacus"; }
  std::unique_ptr<Buffer> allocate(std::size_t, MemoryCategory) override { return nullptr; }
  void copyIn(std::span<std::byte>, std::span<const std::byte>) override {}
  void copyOut(std::span<std::byte>, std::span<const std::byte>) override {}
  void synchronize() override {}
  MemoryMeter& memory() override { return *meter_; }

 private:
  std::unique_ptr<MemoryMeter> meter_ = makeMemoryMeter();
};

TEST(Backends, AnUnknownDeviceIsAnError) {
  EXPECT_THROW(kernelTables(Abacus()), Error);
  EXPECT_THROW(trainingKernels(Abacus()), Error);
}

}  // namespace
}  // namespace slipstream
