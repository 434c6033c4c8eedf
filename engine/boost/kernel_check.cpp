// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/kernel_check.h"

#include <algorithm>
#include <array>
#include <limits>

#include "engine/base/random.h"

namespace slipstream {
namespace {

/// Each once, at places that are drawn.
void plantAwkward(std::vector<float>& values, std::uint64_t seed) {
  using Limits = std::numeric_limits<float>;
  constexpr std::array<float, 7> awkward{Limits::infinity(),   -Limits::infinity(), Limits::quiet_NaN(), -0.0F, 0.0F,
                                         Limits::denorm_min(), Limits::min() / 3};
  if (values.size() < awkward.size()) return;
  Random random(seed, RandomStream::test, values.size());
  for (const float value : awkward) values[random.below(values.size())] = value;
}

}  // namespace

KernelCheck::KernelCheck(Device& of, const KernelTables& tablesOfDevice, const CheckInput& numbers)
    : device(of),
      queue(of.queue()),
      tables(tablesOfDevice),
      input(numbers),
      rows(std::min<std::size_t>(7, numbers.elements)),
      columns(numbers.elements / rows) {}

std::vector<CheckInput> checkInputs() {
  constexpr std::size_t most = CheckInput{}.elements;
  std::vector<CheckInput> inputs{{}, {1, 1}, {2, 3}};
  Random random(most, RandomStream::test);
  for (const std::size_t below : {std::size_t{100}, std::size_t{5000}, most, most}) {
    inputs.push_back({1 + random.below(below), 1 + random.below(3), true});
  }
  return inputs;
}

std::vector<float> checkValues(const CheckInput& input, std::uint64_t seed, float size) {
  Random random(seed, RandomStream::test);
  std::vector<float> values;
  for (std::size_t i = 0; i < input.elements; ++i) values.push_back(size * static_cast<float>(random.uniform(-1, 1)));
  if (input.awkward) plantAwkward(values, seed);
  return values;
}

}  // namespace slipstream
