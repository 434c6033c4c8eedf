// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/random.h"

#include <cmath>
#include <numbers>
#include <utility>

namespace slipstream {
namespace {

constexpr std::uint64_t goldenGamma = 0x9E3779B97F4A7C15ULL;

std::uint64_t mix(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
  return z ^ (z >> 31);
}

}  // namespace

Random::Random(std::uint64_t seed, RandomStream stream, std::uint64_t step)
    : state_(mix(mix(mix(seed + goldenGamma) ^ (static_cast<std::uint64_t>(stream) * 0xD1342543DE82EF95ULL)) ^
                 (step * 0x2545F4914F6CDD1DULL + goldenGamma))) {}

std::uint64_t Random::bits() {
  state_ += goldenGamma;
  return mix(state_);
}

double Random::uniform() {
  return static_cast<double>(bits() >> 11) * 0x1.0p-53;
}

double Random::uniform(double low, double high) {
  return low + (high - low) * uniform();
}

double Random::normal() {
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniform()));
  return radius * std::cos(2.0 * std::numbers::pi * uniform());
}

double Random::truncatedNormal(double bound) {
  while (true) {
    const double value = normal();
    if (std::abs(value) <= bound) return value;
  }
}

std::uint64_t Random::below(std::uint64_t limit) {
  const std::uint64_t rejected = (0 - limit) % limit;
  while (true) {
    const std::uint64_t value = bits();
    if (value >= rejected) return value % limit;
  }
}

void Random::shuffle(std::span<std::uint32_t> values) {
  for (std::size_t i = values.size(); i > 1; --i) std::swap(values[i - 1], values[below(i)]);
}

}  // namespace slipstream
