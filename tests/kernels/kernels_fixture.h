// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "engine/devices/open_device.h"

namespace slipstream::test {

/// Lengths that end inside a pack of four, a warp, a block or a chunk, and a little behind it.
inline constexpr std::array<std::size_t, 9> oddSizes{1, 3, 4, 5, 33, 255, 1027, 16'385, 40'003};

/// A kernel's test on one device, named by the parameter: skipped, with the reason, where it cannot be opened. The
/// CPU's tables go through the same tests, so that these are known to hold before they meet a GPU.
class Kernels : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    nameInLaunches();
    auto opened = openDevice(*parseDeviceName(GetParam(), "parameter")->kind, 0, meter_);
    if (!opened) GTEST_SKIP() << toText(opened.error());
    device_ = std::move(*opened);
  }

  template <class Table>
  const Table& tableOf(const Table& (*cpu)(), const Table& (*cuda)(), const Table& (*npu)()) const {
    if (&device_->kind() == &cudaKind()) return cuda();
    return onNpu() ? npu() : cpu();
  }

  /// Whether sums are kept in floats, and have other last digits than the CPU's (npuAdasumKernels).
  bool onNpu() const { return &device_->kind() == &npuKind() || &device_->kind() == &npuTwinKind(); }
  /// How far sums of products may lie from the exact ones, as a share of the sum of magnitudes: `tolerance`, or what an
  /// NPU promises.
  double promised(double tolerance) const { return onNpu() ? std::max(tolerance, 1e-12) : tolerance; }

  Device& device() { return *device_; }
  DeviceQueue& queue() { return device_->queue(); }

 private:
  /// Names the test where the twin of an NPU is to write down which kernels it launches (twin_queue.h).
  static void nameInLaunches() {
    const char* file = std::getenv("SLIPSTREAM_TWIN_LAUNCHES");
    if (file == nullptr) return;
    const testing::TestInfo& test = *testing::UnitTest::GetInstance()->current_test_info();
    std::ofstream(file, std::ios::app) << "test " << test.test_suite_name() << "." << test.name() << "\n";
  }

  MemoryMeter meter_;
  std::unique_ptr<Device> device_;
};

/// A vector of the device between two stretches of poison, which check() finds untouched. `offset` moves it away from
/// the multiple of 16 bytes that devices hand out.
template <class T>
class DeviceVector {
 public:
  DeviceVector(Device& device, const std::vector<T>& values, std::size_t offset = 0)
      : device_(device), size_(values.size()), before_(margin + offset) {
    std::vector<T> all(before_ + size_ + margin, poison());
    std::copy(values.begin(), values.end(), all.begin() + static_cast<std::ptrdiff_t>(before_));
    buffer_ = device.allocate(all.size() * sizeof(T), MemoryCategory::boost);
    device.copyIn(buffer_->bytes(), std::as_bytes(std::span(all)));
  }

  T* data() { return buffer_->as<T>().data() + before_; }
  std::span<T> span() { return {data(), size_}; }

  /// What the vector holds; fails the test where something was written beside it.
  std::vector<T> read() {
    std::vector<T> all(before_ + size_ + margin);
    device_.synchronize();
    device_.copyOut(std::as_writable_bytes(std::span(all)), buffer_->bytes());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (i >= before_ && i < before_ + size_) continue;
      EXPECT_EQ(all[i], poison()) << "written " << (i < before_ ? "before" : "behind") << " a vector of " << size_;
    }
    const auto begin = all.begin() + static_cast<std::ptrdiff_t>(before_);
    return {begin, begin + static_cast<std::ptrdiff_t>(size_)};
  }

 private:
  static constexpr std::size_t margin = 16;
  static constexpr T poison() { return static_cast<T>(-7777); }

  Device& device_;
  std::size_t size_;
  std::size_t before_;
  std::unique_ptr<Buffer> buffer_;
};

template <class T = float>
std::vector<T> randomValues(std::size_t count, std::uint64_t seed, double low = -1, double high = 1) {
  Random random(seed, RandomStream::test, count);
  std::vector<T> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(static_cast<T>(random.uniform(low, high)));
  return values;
}

/// Among random values stand some that arithmetic stumbles over.
inline std::vector<float> awkwardValues(std::size_t count, std::uint64_t seed) {
  auto values = randomValues(count, seed);
  using Limits = std::numeric_limits<float>;
  const std::array<float, 8> awkward{Limits::quiet_NaN(),  Limits::infinity(), -Limits::infinity(), -0.0F, 0.0F,
                                     Limits::denorm_min(), Limits::max(),      Limits::min() / 3};
  Random random(seed + 1, RandomStream::test, count);
  for (const float value : awkward) values[random.below(count)] = value;
  return values;
}

/// Equal to the last bit, but that all NaN are one: whose bits survive, no device promises.
template <class T>
void expectSameBits(const std::vector<T>& found, const std::vector<T>& expected, const std::string& of) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(found[i]) && std::isnan(expected[i])) continue;
    ASSERT_EQ(std::memcmp(&found[i], &expected[i], sizeof(T)), 0)
        << of << ", element " << i << " of " << found.size() << ": " << found[i] << " instead of " << expected[i];
  }
}

/// Equal, or floats next to each other. What is smaller than any normal float may differ by `smallest` of the smallest.
inline void expectNextTo(const std::vector<float>& found, const std::vector<float>& expected, std::size_t smallest,
                         const std::string& of) {
  ASSERT_EQ(found.size(), expected.size());
  const float tiny = static_cast<float>(smallest) * std::numeric_limits<float>::denorm_min();
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (std::isnan(found[i]) && std::isnan(expected[i])) continue;
    if (std::abs(found[i] - expected[i]) <= tiny) continue;
    constexpr float largest = std::numeric_limits<float>::infinity();
    ASSERT_TRUE(found[i] == expected[i] || found[i] == std::nextafter(expected[i], largest) ||
                found[i] == std::nextafter(expected[i], -largest))
        << of << ", element " << i << " of " << found.size() << ": " << found[i] << " instead of " << expected[i];
  }
}

/// Tests on an emulated NPU are those of NPUs everywhere; those through Ascend's runtime want CANN, or what stands in
/// for it (tests/npu/kernels).
inline std::string nameOfTested(const std::string& device) {
  if (device == "npu") return "ascend";
  return device == "npu-twin" ? "npu" : device;
}

}  // namespace slipstream::test

/// The same tests on the CPU, on an emulated NPU and, where there is one, on a GPU and on an NPU.
#define SLIPSTREAM_ON_ALL_DEVICES(suite)                                                 \
  INSTANTIATE_TEST_SUITE_P(On, suite, testing::Values("cpu", "cuda", "npu-twin", "npu"), \
                           [](const auto& device) { return slipstream::test::nameOfTested(device.param); })
