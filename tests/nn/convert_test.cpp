// SPDX-License-Identifier: GPL-3.0-or-later
// Values between types: the same bits on whatever processor.
#include "engine/nn/convert.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

#include "engine/nn/convert_loops.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream::test {
namespace {

constexpr std::size_t someCount = 100'003;  // several chunks, and no whole number of vectors

/// Values of every size, what is not finite, ties, and denormals.
std::vector<float> everyKind() {
  std::vector<float> values = drawn(someCount, 1);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::ldexp(values[i], static_cast<int>(i % 290) - 149);
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> special{0.0F,
                                   -0.0F,
                                   infinity,
                                   -infinity,
                                   std::numeric_limits<float>::quiet_NaN(),
                                   std::bit_cast<float>(0x7F800001U),
                                   std::bit_cast<float>(0xFFFFFFFFU),
                                   std::numeric_limits<float>::max(),
                                   std::numeric_limits<float>::denorm_min(),
                                   0x1.01p+0F,
                                   0x1.03p+0F};
  for (std::size_t i = 0; i < values.size(); i += 7) values[i] = special[i / 7 % special.size()];
  return values;
}

std::vector<std::uint16_t> everyBfloat16() {
  std::vector<std::uint16_t> all(1U << 16U);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::uint16_t>(i);
  return all;
}

void narrowPlainly(const float* from, Bfloat16* to, std::size_t count) {
  convertLoop(from, to, count);
}
void widenPlainly(const Bfloat16* from, float* to, std::size_t count) {
  convertLoop(from, to, count);
}
[[gnu::target("arch=x86-64-v3")]] void narrowWithAvx2(const float* from, Bfloat16* to, std::size_t count) {
  convertLoop(from, to, count);
}
[[gnu::target("arch=x86-64-v3")]] void widenWithAvx2(const Bfloat16* from, float* to, std::size_t count) {
  convertLoop(from, to, count);
}
[[gnu::target("arch=x86-64-v4")]] void narrowWithAvx512(const float* from, Bfloat16* to, std::size_t count) {
  convertLoop(from, to, count);
}
[[gnu::target("arch=x86-64-v4")]] void widenWithAvx512(const Bfloat16* from, float* to, std::size_t count) {
  convertLoop(from, to, count);
}

struct InstructionSet {
  const char* name;
  bool here;  ///< the processor has it
  std::function<void(const float*, Bfloat16*, std::size_t)> narrow;
  std::function<void(const Bfloat16*, float*, std::size_t)> widen;
};

std::vector<InstructionSet> instructionSets() {
  return {{"baseline", true, narrowPlainly, widenPlainly},
          {"AVX2", __builtin_cpu_supports("x86-64-v3") != 0, narrowWithAvx2, widenWithAvx2},
          {"AVX-512", __builtin_cpu_supports("x86-64-v4") != 0, narrowWithAvx512, widenWithAvx512}};
}

std::vector<std::uint16_t> narrowed(const std::vector<float>& values, const InstructionSet& set) {
  std::vector<Bfloat16> result(values.size());
  set.narrow(values.data(), result.data(), result.size());
  std::vector<std::uint16_t> bits(result.size());
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = result[i].bits;
  return bits;
}

std::vector<std::uint32_t> widened(const std::vector<std::uint16_t>& values, const InstructionSet& set) {
  std::vector<Bfloat16> from(values.size());
  for (std::size_t i = 0; i < from.size(); ++i) from[i].bits = values[i];
  std::vector<float> result(values.size());
  set.widen(from.data(), result.data(), result.size());
  std::vector<std::uint32_t> bits(result.size());
  for (std::size_t i = 0; i < bits.size(); ++i) bits[i] = std::bit_cast<std::uint32_t>(result[i]);
  return bits;
}

/// Of the program: whatever clone it has taken.
InstructionSet chosen() {
  const auto view = [](auto* values, std::size_t count, NumberType type) {
    return BasicActivation(type, reinterpret_cast<std::byte*>(values), count);
  };
  return {"chosen", true,
          [view](const float* from, Bfloat16* to, std::size_t count) {
            convert(activationOf({from, count}), view(to, count, NumberType::bfloat16));
          },
          [view](const Bfloat16* from, float* to, std::size_t count) {
            convert(view(const_cast<Bfloat16*>(from), count, NumberType::bfloat16),
                    view(to, count, NumberType::float32));
          }};
}

TEST(Convert, EveryInstructionSetAndTheChosenOneGiveTheBitsOfOneValueAfterTheOther) {
  const auto wide = everyKind();
  const auto narrow = everyBfloat16();
  std::vector<std::uint16_t> expectedNarrow(wide.size());
  std::vector<std::uint32_t> expectedWide(narrow.size());
  for (std::size_t i = 0; i < wide.size(); ++i) expectedNarrow[i] = fromFloat<Bfloat16>(wide[i]).bits;
  for (std::size_t i = 0; i < narrow.size(); ++i) expectedWide[i] = std::uint32_t{narrow[i]} << 16U;
  auto sets = instructionSets();
  sets.push_back(chosen());
  for (const InstructionSet& set : sets) {
    if (!set.here) continue;
    std::printf("%s\n", set.name);
    EXPECT_EQ(narrowed(wide, set), expectedNarrow) << set.name;
    EXPECT_EQ(widened(narrow, set), expectedWide) << set.name;
  }
}

}  // namespace
}  // namespace slipstream::test
