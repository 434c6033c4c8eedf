// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/device/tensor_segments.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/random.h"

namespace slipstream {
namespace {

/// That chunks hold every element of their parts once, in order, cross no part and cut no row.
void expectEveryElementOnce(const std::vector<TensorSegment>& segments) {
  const ChunkTable table = chunksOf(segments);
  ASSERT_EQ(table.first.size(), segments.size() + 1);
  EXPECT_EQ(table.first.front(), 0U);
  EXPECT_EQ(table.first.back(), table.chunks.size());
  for (std::size_t p = 0; p < segments.size(); ++p) {
    std::size_t next = segments[p].start;
    for (std::uint32_t c = table.first[p]; c < table.first[p + 1]; ++c) {
      const Chunk& chunk = table.chunks[c];
      EXPECT_EQ(chunk.segment, p);
      EXPECT_EQ(chunk.row, segments[p].row);
      EXPECT_EQ(chunk.start, next);
      EXPECT_GT(chunk.elements, 0U);
      EXPECT_LE(chunk.elements, std::max(chunkElements, segments[p].row));
      if (segments[p].row > 0) {
        EXPECT_EQ(chunk.elements % segments[p].row, 0U);
      }
      next += chunk.elements;
    }
    EXPECT_EQ(next, segments[p].start + segments[p].elements) << "part " << p;
  }
}

TEST(TensorParts, ChunksOfPartsByHand) {
  const ChunkTable table = chunksOf(std::vector<TensorSegment>{{5, 16'385, 0}, {20'000, 0, 1}, {20'000, 3, 2}});
  ASSERT_EQ(table.chunks.size(), 3U);
  EXPECT_EQ(table.first, (std::vector<std::uint32_t>{0, 2, 2, 3}));
  EXPECT_EQ(table.chunks[1].start, 5 + 16'384U);
  EXPECT_EQ(table.chunks[1].elements, 1U);
  EXPECT_EQ(table.chunks[2].segment, 2U);
}

TEST(TensorParts, RowsStayWhole) {
  // 111 rows of 147 fit into a chunk, one of 20,001 does not.
  const ChunkTable table = chunksOf(std::vector<TensorSegment>{{0, 64 * 3 * 147, 0, 147}, {28'224, 40'002, 1, 20'001}});
  ASSERT_EQ(table.chunks.size(), 4U);
  EXPECT_EQ(table.chunks[0].elements, 111 * 147U);
  EXPECT_EQ(table.chunks[1].elements, 81 * 147U);
  EXPECT_EQ(table.chunks[2].elements, 20'001U);
  EXPECT_EQ(table.chunks[3].elements, 20'001U);
}

TEST(TensorParts, EveryElementIsInOneChunk) {
  expectEveryElementOnce({});
  expectEveryElementOnce({{0, 0, 0}});
  Random random(1, RandomStream::test);
  for (int turn = 0; turn < 200; ++turn) {
    std::vector<TensorSegment> segments;
    std::size_t start = random.below(5);
    for (std::uint64_t p = random.below(20); p > 0; --p) {
      const std::size_t row = random.below(3) == 0 ? 1 + random.below(30'000) : 0;
      const std::size_t elements = row > 0 ? row * random.below(40) : random.below(60'000);
      segments.push_back({start, elements, p, row});
      start += elements + random.below(7);
    }
    expectEveryElementOnce(segments);
  }
}

TEST(TensorParts, WhatCannotBeCutIsAnError) {
  EXPECT_THROW(chunksOf(std::vector<TensorSegment>{{0, 10, 0, 3}}), Error);
  constexpr std::size_t tooLong = std::size_t{1} << 32U;
  EXPECT_THROW(chunksOf(std::vector<TensorSegment>{{0, tooLong, 0, tooLong}}), Error);
}

TEST(TensorParts, APlanKeepsItsParts) {
  const std::vector<TensorSegment> segments{{1, 2, 3}, {4, 5, 6, 5}};
  const auto plan = makeSegmentPlan(hostQueue(), segments);
  ASSERT_EQ(plan->segments().size(), 2U);
  EXPECT_EQ(plan->segments()[1].start, 4U);
  EXPECT_EQ(plan->segments()[1].row, 5U);
}

}  // namespace
}  // namespace slipstream
