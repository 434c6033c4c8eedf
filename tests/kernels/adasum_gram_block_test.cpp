// SPDX-License-Identifier: GPL-3.0-or-later
// What one block of a GPU's threads does for Adasum's dot products, its threads one after the other on the host.
#include <map>
#include <set>

#include "engine/boost/adasum/gram_block.h"
#include "tests/kernels/kernels_fixture.h"

namespace slipstream {
namespace {

using namespace test;

/// Leaves whose first element stands `offset` values behind a multiple of 16 bytes, between NaN.
template <class T>
class HostLeaves {
 public:
  HostLeaves(std::size_t count, std::size_t elements, const std::vector<std::size_t>& offsets) {
    for (std::size_t leaf = 0; leaf < count; ++leaf) {
      const std::size_t before = 4 + offsets[leaf % offsets.size()];
      values.push_back(randomValues<T>(elements, leaf + 1));
      Memory& memory = memories_.emplace_back((before + elements + 8) * sizeof(T) / sizeof(Sixteen) + 1);
      T* at = reinterpret_cast<T*>(memory.data());
      std::fill_n(at, memory.size() * sizeof(Sixteen) / sizeof(T), std::numeric_limits<T>::quiet_NaN());
      std::copy(values.back().begin(), values.back().end(), at + before);
      pointers.push_back(at + before);
    }
  }
  std::vector<std::vector<T>> values;
  std::vector<const T*> pointers;

 private:
  struct alignas(mostAtOnce) Sixteen {
    std::array<std::byte, mostAtOnce> bytes;
  };
  using Memory = std::vector<Sixteen>;
  std::vector<Memory> memories_;
};

/// What a GPU asks of a copy: two addresses that are multiples of its size.
struct CheckedCopy {
  template <class T>
  void operator()(T* to, const T* from, std::size_t bytes) const {
    ASSERT_TRUE(bytes == mostAtOnce || bytes == sizeof(T)) << bytes;
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(to) % bytes, 0);
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(from) % bytes, 0);
    std::memcpy(to, from, bytes);
  }
};

/// As warpSum() adds up lanes.
double sumOfLanes(std::array<double, warpThreads> lanes) {
  for (unsigned apart = warpThreads / 2; apart > 0; apart /= 2) {
    const auto before = lanes;
    for (unsigned lane = 0; lane < warpThreads; ++lane) lanes[lane] = before[lane] + before[lane ^ apart];
  }
  return lanes[0];
}

/// The sums of one block, which are called with their places in the Gram matrix. Shared memory holds NaN before a stage
/// is brought there and after it was used: what is added too early, too late or beside the leaves spoils the sums.
template <class T, class Form, class Each>
void runBlock(const GramBlock<T, Form>& block, const Each& each) {
  using Block = GramBlock<T, Form>;
  struct alignas(mostAtOnce) Stage {
    std::array<T, Block::stageValues> values;
    void spoil() { values.fill(std::numeric_limits<T>::quiet_NaN()); }
  };
  std::vector<Stage> staged(gramStages);
  const auto bring = [&](unsigned stage) {
    Stage& to = staged[stage % gramStages];
    to.spoil();
    if (stage >= block.stages()) return;
    for (unsigned thread = 0; thread < gramThreads; ++thread) {
      block.copyStage(thread, stage, to.values.data(), CheckedCopy{});
    }
  };
  double sums[gramThreads][Form::sums] = {};
  for (unsigned stage = 0; stage < gramStages - 1; ++stage) bring(stage);
  for (unsigned stage = 0; stage < block.stages(); ++stage) {
    bring(stage + gramStages - 1);
    for (unsigned thread = 0; thread < gramThreads; ++thread) {
      block.addStage(thread, stage, staged[stage % gramStages].values.data(), sums[thread]);
    }
  }
  const auto ofWarp = [&](unsigned warp, unsigned which) {
    std::array<double, warpThreads> lanes;
    for (unsigned lane = 0; lane < warpThreads; ++lane) lanes[lane] = sums[warp * warpThreads + lane][which];
    return sumOfLanes(lanes);
  };
  for (unsigned thread = 0; thread < gramThreads; ++thread) {
    const unsigned warp = thread / warpThreads;
    if (warp % Form::warpsOfTile != 0) continue;
    block.forPairs(thread, [&](unsigned which, std::size_t pair) {
      double sum = 0;
      for (unsigned w = 0; w < Form::warpsOfTile; ++w) sum += ofWarp(warp + w, which);
      each(pair, sum);
    });
  }
}

constexpr double untouched = -7777;

/// The dot products of a chunk, packed, between two that nobody may touch.
template <class T>
std::vector<double> dotsOf(const HostLeaves<T>& leaves, const Chunk& chunk, bool together) {
  const std::size_t count = leaves.pointers.size();
  std::vector<double> found(gramSize(count) + 2, untouched);
  withForms(count, [&]<class Form>(Form) {
    for (unsigned b = 0; b < Form::blocksOf(count); ++b) {
      const auto leafCount = static_cast<unsigned>(count);
      const GramBlock<T, Form> block{leaves.pointers.data(), leafCount, together, Form::sidesOf(b, leafCount), chunk};
      runBlock(block, [&](std::size_t pair, double sum) {
        ASSERT_LT(pair, gramSize(count));
        EXPECT_EQ(found[pair + 1], untouched) << "pair " << pair << " of " << count << " leaves a second time";
        found[pair + 1] = sum;
      });
    }
  });
  return found;
}

template <class T>
void expectDots(const HostLeaves<T>& leaves, const Chunk& chunk, const std::vector<double>& found) {
  const std::size_t count = leaves.pointers.size();
  EXPECT_EQ(found.front(), untouched);
  EXPECT_EQ(found.back(), untouched);
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i; j < count; ++j) {
      long double expected = 0;
      for (std::size_t k = chunk.start; k < chunk.start + chunk.elements; ++k) {
        expected += static_cast<long double>(leaves.values[i][k]) * leaves.values[j][k];
      }
      ASSERT_NEAR(found[1 + gramIndex(i, j, count)], static_cast<double>(expected), chunk.elements * 1e-15)
          << "leaves " << i << ", " << j << " of " << count << ", " << chunk.elements << " elements from "
          << chunk.start;
    }
  }
}

/// Lengths that end inside a quad, a warp or a stage, at its end, and behind several rounds of all stages.
constexpr std::array<std::uint32_t, 11> lengths{1, 2, 3, 5, 31, 64, 127, 128, 129, 1027, 5003};

template <class T>
void dotsAreThoseOfAReferenceWithBitsOfNoAddress() {
  for (const std::size_t count : {1U, 2U, 3U, 4U, 5U, 8U, 9U, 11U, 12U, 13U, 16U, 17U, 25U}) {
    for (const std::uint32_t length : lengths) {
      const Chunk chunk{3, length, 0, 0};
      std::vector<double> first;
      for (const std::size_t offset : {0U, 1U, 2U, 3U}) {
        const HostLeaves<T> leaves(count, length + 3, {offset});
        const auto found = dotsOf(leaves, chunk, true);
        if (offset == 0) expectDots(leaves, chunk, first = found);
        EXPECT_EQ(found, first) << count << " leaves, offset " << offset << ", length " << length;
      }
      const HostLeaves<T> apart(count, length + 3, {2, 0, 1, 3, 3});
      EXPECT_EQ(dotsOf(apart, chunk, false), first) << count << " leaves that begin apart, length " << length;
    }
  }
}

TEST(AdasumGramBlock, DotsAreThoseOfAReferenceWithBitsOfNoAddress) {
  dotsAreThoseOfAReferenceWithBitsOfNoAddress<float>();
  dotsAreThoseOfAReferenceWithBitsOfNoAddress<double>();
}

TEST(AdasumGramBlock, AWholeChunkGoesRoundItsStages) {
  for (const std::size_t count : {2U, 16U}) {
    const HostLeaves<float> leaves(count, chunkElements, {2});
    const Chunk chunk{0, chunkElements, 0, 0};
    expectDots(leaves, chunk, dotsOf(leaves, chunk, true));
  }
}

TEST(AdasumGramBlock, FormsHaveEveryPairOnceAndOneIsEnoughForSixteen) {
  for (std::size_t count = 1; count <= 64; ++count) {
    std::vector<int> times(gramSize(count));
    int forms = 0;
    withForms(count, [&]<class Form>(Form) {
      ++forms;
      for (unsigned b = 0; b < Form::blocksOf(count); ++b) {
        const auto leafCount = static_cast<unsigned>(count);
        const GramBlock<float, Form> block{nullptr, leafCount, true, Form::sidesOf(b, leafCount), {}};
        for (unsigned thread = 0; thread < gramThreads; ++thread) {
          if (thread / warpThreads % Form::warpsOfTile != 0) continue;
          block.forPairs(thread, [&](unsigned which, std::size_t pair) {
            EXPECT_LT(which, Form::sums);
            ++times.at(pair);
          });
        }
      }
    });
    EXPECT_EQ(forms, count <= 16 ? 1 : 2);
    EXPECT_EQ(std::ranges::count(times, 1), static_cast<std::ptrdiff_t>(times.size())) << count << " leaves";
  }
}

/// Copies by their size: [bytes] = how many.
template <class Form>
std::map<std::size_t, std::size_t> copiesOf(std::size_t offset, std::uint32_t length, bool together) {
  const HostLeaves<float> leaves(Form::leaves, length, {offset});
  const GramBlock<float, Form> block{leaves.pointers.data(), Form::leaves, together, Form::sidesOf(0, Form::leaves),
                                     Chunk{0, length, 0, 0}};
  std::map<std::size_t, std::size_t> copies;
  std::set<const float*> read;
  alignas(mostAtOnce) std::array<float, GramBlock<float, Form>::stageValues> staged{};
  for (unsigned stage = 0; stage < block.stages(); ++stage) {
    for (unsigned thread = 0; thread < gramThreads; ++thread) {
      block.copyStage(thread, stage, staged.data(), [&](float* to, const float* from, std::size_t bytes) {
        EXPECT_TRUE(to >= staged.data() && to + bytes / sizeof(float) <= staged.data() + staged.size());
        ++copies[bytes];
        for (std::size_t k = 0; k < bytes / sizeof(float); ++k) {
          EXPECT_TRUE(read.insert(from + k).second) << "read twice";
        }
      });
    }
  }
  EXPECT_EQ(read.size(), Form::leaves * length);
  for (const float* leaf : leaves.pointers) {
    EXPECT_TRUE(read.contains(leaf) && read.contains(leaf + length - 1)) << "something beside a leaf was read";
  }
  return copies;
}

using Copies = std::map<std::size_t, std::size_t>;

/// 16 leaves have 128 elements a stage: 32 quads, or 31 with a head and a tail of four together.
TEST(AdasumGramBlock, ReadsQuadsWhereverATensorBegins) {
  using Form = PairsOfTwoSides<8>;
  EXPECT_EQ(copiesOf<Form>(0, 512, true), (Copies{{16, 16 * 128}}));
  for (const std::size_t offset : {1U, 2U, 3U}) {
    EXPECT_EQ(copiesOf<Form>(offset, 512, true), (Copies{{16, 16 * 124}, {4, 16 * 16}})) << offset;
  }
  EXPECT_EQ(copiesOf<Form>(2, 512, false), (Copies{{4, 16 * 512}})) << "leaves that do not begin alike";
  EXPECT_EQ(copiesOf<Form>(3, 128 + 6, true), (Copies{{16, 16 * (31 + 1)}, {4, 16 * (4 + 2)}})) << "1 and 3, 1 and 1";
  EXPECT_EQ(copiesOf<Form>(1, 2, true), (Copies{{4, 16 * 2}})) << "ends before the first quad";
  EXPECT_EQ((copiesOf<PairsWithin<2>>(2, 1024, true)), (Copies{{16, 2 * 255}, {4, 2 * 4}}));
  EXPECT_EQ((copiesOf<PairsOfTwoSides<6>>(0, 256, true)), (Copies{{16, 12 * 64}}));
}

/// A leaf that is not there is not read, and neither is another instead of it.
TEST(AdasumGramBlock, ReadsNoLeafBehindTheLast) {
  const HostLeaves<float> leaves(9, 128, {0});
  const GramBlock<float, PairsOfTwoSides<6>> block{leaves.pointers.data(), 9, true, {0, 6}, Chunk{0, 128, 0, 0}};
  alignas(mostAtOnce) std::array<float, decltype(block)::stageValues> staged{};
  std::size_t bytesRead = 0;
  for (unsigned thread = 0; thread < gramThreads; ++thread) {
    block.copyStage(thread, 0, staged.data(), [&](float*, const float*, std::size_t bytes) { bytesRead += bytes; });
  }
  EXPECT_EQ(bytesRead, 9 * 128 * sizeof(float));
}

/// One bad value spoils the pairs of its own leaf only, wherever leaves share registers, stages and blocks.
TEST(AdasumGramBlock, ABadValueSpoilsItsOwnPairsOnly) {
  for (const std::size_t count : {9U, 16U, 20U}) {
    HostLeaves<float> leaves(count, 130, {1});
    const_cast<float*>(leaves.pointers[7])[129] = std::numeric_limits<float>::quiet_NaN();
    const auto found = dotsOf(leaves, {0, 130, 0, 0}, true);
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = i; j < count; ++j) {
        EXPECT_EQ(std::isnan(found[1 + gramIndex(i, j, count)]), i == 7 || j == 7) << i << ", " << j << " of " << count;
      }
    }
  }
}

}  // namespace
}  // namespace slipstream
