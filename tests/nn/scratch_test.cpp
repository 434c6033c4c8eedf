// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/scratch.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "tests/nn/host.h"

namespace slipstream {
namespace {

struct Listed {
  float* values;
  double* sums;
  std::byte* nothing;
};

Listed list(CpuParts& parts) {
  return {parts.take<float>(3), parts.take<double>(9), parts.take<std::byte>(0)};
}

std::int64_t activations(const test::Host& host) {
  return host.meter.peak()[static_cast<std::size_t>(MemoryCategory::activations)];
}

TEST(AlignedParts, AreCountedWithoutMemory) {
  CpuParts counted;
  const Listed listed = list(counted);
  EXPECT_EQ(counted.bytes(), 64U + 128U);
  EXPECT_EQ(listed.values, nullptr);
  EXPECT_EQ(listed.sums, nullptr);
}

TEST(AlignedParts, StandBehindEachOther) {
  alignas(64) std::byte memory[192];
  CpuParts parts(memory);
  const Listed listed = list(parts);
  EXPECT_EQ(parts.bytes(), sizeof(memory));
  EXPECT_EQ(reinterpret_cast<std::byte*>(listed.values), memory);
  EXPECT_EQ(reinterpret_cast<std::byte*>(listed.sums), memory + 64);
  EXPECT_EQ(listed.nothing, memory + 192);
}

TEST(Scratch, TakesWhatWasReservedAtOnceAndOnlyThen) {
  const test::Host host;
  Scratch scratch(*host.device);
  scratch.takeReserved();
  EXPECT_EQ(scratch.moves(), 0U) << "nothing was reserved";
  scratch.reserve(100);
  scratch.reserve<CpuParts>(list);
  scratch.reserve(150);
  EXPECT_EQ(scratch.reserved(), 192U);
  EXPECT_EQ(scratch.size(), 0U);
  EXPECT_EQ(activations(host), 0);
  scratch.takeReserved();
  EXPECT_EQ(scratch.size(), 192U);
  EXPECT_EQ(activations(host), 192);
  EXPECT_NE(scratch.place<CpuParts>(list).sums, nullptr);
  scratch.takeReserved();
  EXPECT_EQ(scratch.moves(), 1U) << "the calls that were noted fit";
}

TEST(Scratch, GrowsForACallThatWasNotReserved) {
  const test::Host host;
  Scratch scratch(*host.device);
  scratch.reserve(100);
  scratch.takeReserved();
  EXPECT_NE(scratch.place<CpuParts>(list).values, nullptr);
  EXPECT_EQ(scratch.size(), 192U);
  EXPECT_EQ(scratch.moves(), 2U);
}

}  // namespace
}  // namespace slipstream
