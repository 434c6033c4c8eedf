// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/base/number_type.h"
#include "engine/boost/kernel_tables.h"
#include "engine/device/device.h"

namespace slipstream {

/// How many numbers kernels are given, and what stands among them.
struct CheckInput {
  std::size_t elements = 100'003;  ///< odd: every tail is used
  std::size_t offset = 0;          ///< so many numbers behind an address that is aligned
  bool awkward = false;            ///< infinities, a NaN, zeros of both signs, denormals
};

/// Of 1 to 100,003 numbers: all of them from an aligned address, then fewer, drawn, from others, with awkward ones.
std::vector<CheckInput> checkInputs();

/// Up to ±size, always the same of the same seed.
std::vector<float> checkValues(const CheckInput& input, std::uint64_t seed, float size = 1);

/// What came out, by kernel.
using CheckResults = std::map<std::string, std::vector<double>>;

/// What kernels make of an input on one device, so that two devices can be compared kernel by kernel
/// (`devices --device check:`). Whoever has kernels runs each of them on vectors from here and keeps what comes of it
/// under a name in `results`; what its tables lack is left out.
class KernelCheck {
 public:
  KernelCheck(Device& device, const KernelTables& tables, const CheckInput& input);

  Device& device;
  DeviceQueue& queue;
  const KernelTables& tables;
  const CheckInput input;
  /// Of what is taken for a matrix.
  const std::size_t rows;
  const std::size_t columns;
  CheckResults results;

  /// A vector of the device, as long as the check lasts.
  template <class T>
  std::span<T> vectorOf(const std::vector<float>& values) {
    std::vector<T> held(input.offset);
    for (const float value : values) held.push_back(static_cast<T>(value));
    buffers_.push_back(device.allocate(held.size() * sizeof(T), MemoryCategory::boost));
    device.copyIn(buffers_.back()->bytes(), std::as_bytes(std::span(held)));
    return buffers_.back()->as<T>().subspan(input.offset);
  }
  /// One of checkValues(input, seed, size).
  std::span<float> drawn(std::uint64_t seed, float size = 1) { return vectorOf<float>(checkValues(input, seed, size)); }

  /// What the vector holds, once the device has got so far.
  std::vector<double> read(std::span<const float> vector) { return readAs<float>(std::as_bytes(vector)); }
  std::vector<double> read(std::span<const double> vector) { return readAs<double>(std::as_bytes(vector)); }
  /// The same of numbers in half the bits, which stand in the first half of the vector.
  template <class Half>
  std::vector<double> readHalves(std::span<const float> vector) {
    return readAs<Half>(std::as_bytes(vector).first(vector.size() * sizeof(Half)));
  }

 private:
  template <class T>
  std::vector<double> readAs(std::span<const std::byte> bytes) {
    std::vector<T> values(bytes.size() / sizeof(T));
    device.synchronize();
    device.copyOut(std::as_writable_bytes(std::span(values)), bytes);
    std::vector<double> read;
    for (const T value : values) {
      if constexpr (std::floating_point<T>) {
        read.push_back(value);
      } else {
        read.push_back(toFloat(value));
      }
    }
    return read;
  }

  std::vector<std::unique_ptr<Buffer>> buffers_;
};

/// Runs the kernels of every algorithm of a list (engine/boost/algorithms.h). One that has kernels has a check.
template <class List>
void checkAlgorithms(KernelCheck& check) {
  List::forEach([&]<class Algorithm>() {
    constexpr bool hasCheck = requires {
      Algorithm::checkKernels(check);
    };
    constexpr bool hasKernels = requires(KernelTables & tables) {
      Algorithm::addCpuKernels(tables);
    };
    static_assert(hasCheck || !hasKernels, "an algorithm with kernels says how two devices are compared by them");
    if constexpr (hasCheck) Algorithm::checkKernels(check);
  });
}

}  // namespace slipstream
