// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/memory_pool.h"

#include <numeric>
#include <set>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/device/staged_copies.h"
#include "tests/support/protected_device.h"

namespace slipstream {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

constexpr std::size_t mebibyte = std::size_t{1} << 20;

/// A pool over memory that its test looks into.
struct Bench {
  explicit Bench(std::size_t room = 64 * mebibyte) : raw(new test::ProtectedMemory(room)) {}

  std::int64_t peak(MemoryCategory category) const { return meter.peak()[static_cast<std::size_t>(category)]; }

  MemoryMeter meter;
  test::ProtectedMemory* raw;
  MemoryPool pool{std::unique_ptr<RawMemory>(raw), meter, "cuda:0"};
};

TEST(BlockSize, WastesAtMostAnEighthAndFitsAgain) {
  EXPECT_EQ(blockSize(1), 512U);
  EXPECT_EQ(blockSize(512), 512U);
  EXPECT_EQ(blockSize(513), 1024U);
  std::set<std::size_t> sizes;
  for (std::size_t bytes = 8192; bytes < 3 * mebibyte; bytes += 977) {
    const std::size_t size = blockSize(bytes);
    EXPECT_GE(size, bytes);
    EXPECT_LE(size - bytes, bytes / 8 + 1);
    EXPECT_EQ(blockSize(size), size) << "a block of its own size";
    sizes.insert(size);
  }
  EXPECT_LE(sizes.size(), 8U * 9U) << "eight sizes for every doubling";
}

TEST(MemoryPool, GivesZeroedMemoryAlsoTheSecondTime) {
  Bench bench;
  const std::byte* first = nullptr;
  {
    const auto buffer = bench.pool.allocate(1000, MemoryCategory::boost);
    first = buffer->bytes().data();
    bench.raw->unlock();
    for (std::byte& value : buffer->bytes()) value = std::byte{7};
    bench.raw->lock();
  }
  const auto again = bench.pool.allocate(1010, MemoryCategory::boost);
  EXPECT_EQ(again->bytes().data(), first) << "the same block";
  EXPECT_EQ(again->bytes().size(), 1010U);
  EXPECT_EQ(bench.raw->takes(), 1);
  bench.raw->unlock();
  for (const std::byte value : again->bytes()) EXPECT_EQ(value, std::byte{0});
  bench.raw->lock();
}

TEST(MemoryPool, CountsWhatWasAskedForAndKnowsWhatItHolds) {
  Bench bench;
  auto one = bench.pool.allocate(1000, MemoryCategory::weights);
  auto other = bench.pool.allocate(3000, MemoryCategory::activations);
  EXPECT_EQ(bench.peak(MemoryCategory::weights), 1000);
  EXPECT_EQ(bench.peak(MemoryCategory::activations), 3000);
  EXPECT_EQ(bench.pool.heldBytes(), blockSize(1000) + blockSize(3000));
  one.reset();
  other.reset();
  EXPECT_EQ(bench.pool.heldBytes(), blockSize(1000) + blockSize(3000)) << "kept for the next";
  one = bench.pool.allocate(1000, MemoryCategory::weights);
  EXPECT_EQ(bench.peak(MemoryCategory::weights), 1000) << "what was given back counts no more";
  bench.pool.trim();
  EXPECT_EQ(bench.pool.heldBytes(), blockSize(1000)) << "what is in use stays";
}

TEST(MemoryPool, KnowsItsAddresses) {
  Bench bench;
  const auto buffer = bench.pool.allocate(1000, MemoryCategory::data);
  const std::byte* start = buffer->bytes().data();
  EXPECT_TRUE(bench.pool.holds(start));
  EXPECT_TRUE(bench.pool.holds(start + 999));
  EXPECT_FALSE(bench.pool.holds(start + blockSize(1000)));
  EXPECT_FALSE(bench.pool.holds(start - 1));
  EXPECT_FALSE(bench.pool.holds(&bench));
  EXPECT_FALSE(bench.pool.holds(nullptr));
  EXPECT_EQ(bench.pool.blockOf(start + 17).data(), start);
  EXPECT_EQ(bench.pool.blockOf(start + 17).size(), blockSize(1000));
}

TEST(MemoryPool, AnEmptyBufferTakesNothing) {
  Bench bench;
  EXPECT_TRUE(bench.pool.allocate(0, MemoryCategory::data)->bytes().empty());
  EXPECT_EQ(bench.raw->takes(), 0);
}

TEST(MemoryPool, GivesFreeBlocksBackBeforeItFails) {
  Bench bench(4 * mebibyte);
  bench.pool.allocate(3 * mebibyte, MemoryCategory::activations).reset();
  const auto other = bench.pool.allocate(2 * mebibyte, MemoryCategory::activations);
  EXPECT_EQ(bench.pool.heldBytes(), 2 * mebibyte);
  EXPECT_THAT([&] { bench.pool.allocate(3 * mebibyte, MemoryCategory::gradients); },
              ThrowsMessage<Error>(AllOf(HasSubstr("out of memory on cuda:0: 3.15 MB for gradients"),
                                         HasSubstr("2.10 MB of 4.19 MB are free"), HasSubstr("holds 2.10 MB"),
                                         HasSubstr("dataset.batch_size"))));
  EXPECT_EQ(bench.peak(MemoryCategory::gradients), 0) << "what failed is not counted";
  EXPECT_NO_THROW(bench.pool.allocate(2 * mebibyte, MemoryCategory::gradients)) << "the pool goes on";
}

TEST(MemoryPool, BuffersMayOutliveIt) {
  MemoryMeter meter;
  std::unique_ptr<Buffer> buffer;
  {
    MemoryPool pool(std::make_unique<test::ProtectedMemory>(mebibyte), meter, "cuda:0");
    buffer = pool.allocate(100, MemoryCategory::data);
  }
  buffer.reset();
  meter.add(MemoryCategory::data, 50);
  EXPECT_EQ(meter.peak()[static_cast<std::size_t>(MemoryCategory::data)], 100) << "counted until it went";
}

class StagedCopiesOfLength : public testing::TestWithParam<std::size_t> {};

TEST_P(StagedCopiesOfLength, ArriveWholeAndInOrder) {
  MemoryMeter meter;
  test::ProtectedDevice device(meter);
  StagedCopies copies(device, 64, 3);
  std::vector<std::byte> values(GetParam());
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::byte>(i * 7 + i / 64);
  const auto buffer = device.allocate(values.size(), MemoryCategory::data);
  const std::vector<std::byte> kept = values;
  copies.copyIn(buffer->bytes(), values);
  std::ranges::fill(values, std::byte{0});  // theirs no more
  copies.copyOut(values, buffer->bytes());
  EXPECT_EQ(values, kept);
}

INSTANTIATE_TEST_SUITE_P(Lengths, StagedCopiesOfLength, testing::Values(0, 1, 63, 64, 65, 192, 193, 1000));

TEST(StagedCopies, RefusesDifferentLengths) {
  MemoryMeter meter;
  test::ProtectedDevice device(meter);
  StagedCopies copies(device, 64, 2);
  std::vector<std::byte> values(10);
  const auto buffer = device.allocate(11, MemoryCategory::data);
  EXPECT_THROW(copies.copyIn(buffer->bytes(), values), Error);
  EXPECT_THROW(copies.copyOut(values, buffer->bytes()), Error);
}

}  // namespace
}  // namespace slipstream
