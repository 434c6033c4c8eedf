// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace emulated_gpu {

/// What the emulation leaves to chance: numbers that follow from SLIPSTREAM_EMULATED_SEED (1 where it is not set), so
/// that a run with one host thread can be repeated. To be used by the thread that holds the GPU (runtime/streams.h).
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15ULL + 1) {}

  /// From 0 to `end` - 1. Multiplicative congruential: of its 64 bits, only the upper half is used.
  std::uint32_t below(std::uint32_t end) {
    state_ = state_ * 6364136223846793005ULL + 1442695040888963407ULL;
    return static_cast<std::uint32_t>((state_ >> 32U) * end >> 32U);
  }
  bool oneIn(std::uint32_t times) { return below(times) == 0; }

  template <class T>
  void shuffle(std::vector<T>& values) {
    for (std::size_t left = values.size(); left > 1; --left) {
      std::swap(values[left - 1], values[below(static_cast<std::uint32_t>(left))]);
    }
  }

 private:
  std::uint64_t state_;
};

Draws& draws();

}  // namespace emulated_gpu
