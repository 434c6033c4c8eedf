// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace slipstream {

/// What a random stream is for. The number is part of the result: never renumber.
enum class RandomStream : std::uint64_t {
  initialization = 1,
  shuffle = 2,
  digits = 3,
  augmentation = 4,
  freezeSchedule = 5,
  dropout = 6,
  split = 7,
  test = 99,
};

/// Counter-based random numbers: the same (seed, stream, step) gives the same sequence on every rank, device and
/// resume, and different ones are independent. Based on SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom
/// number generators, OOPSLA 2014).
class Random {
 public:
  Random(std::uint64_t seed, RandomStream stream, std::uint64_t step = 0);

  std::uint64_t bits();
  /// Uniform in [0, 1), 53 bits.
  double uniform();
  double uniform(double low, double high);
  /// Standard normal (Box and Muller 1958).
  double normal();
  /// Normal, redrawn until it lies within `bound` standard deviations.
  double truncatedNormal(double bound);
  /// Uniform integer in [0, limit), without modulo bias; limit > 0.
  std::uint64_t below(std::uint64_t limit);
  /// Fisher and Yates shuffle.
  void shuffle(std::span<std::uint32_t> values);

 private:
  std::uint64_t state_;
};

}  // namespace slipstream
