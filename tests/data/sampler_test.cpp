// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/data/dataset.h"

namespace slipstream {
namespace {

using Samples = std::vector<std::uint32_t>;

DatasetSpec specOf(std::int64_t batch, bool dropRemainder = true) {
  DatasetSpec spec;
  spec.batchSize = batch;
  spec.dropRemainder = dropRemainder;
  return spec;
}

/// What each rank sees in one epoch.
std::vector<Samples> epochOf(const DatasetSpec& spec, std::int64_t samples, int ranks, std::int64_t epoch) {
  std::vector<Samples> seen(static_cast<std::size_t>(ranks));
  for (int rank = 0; rank < ranks; ++rank) {
    Sampler sampler(spec, samples, 7, rank, ranks);
    const auto steps = sampler.stepsPerEpoch();
    for (auto step = epoch * steps; step < (epoch + 1) * steps; ++step) {
      const auto batch = sampler.samplesOf(step);
      EXPECT_FALSE(batch.empty());
      EXPECT_LE(std::ssize(batch), spec.batchSize);
      auto& all = seen[static_cast<std::size_t>(rank)];
      all.insert(all.end(), batch.begin(), batch.end());
    }
  }
  return seen;
}

Samples sortedUnion(const std::vector<Samples>& parts) {
  Samples all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::sort(all.begin(), all.end());
  return all;
}

Samples firstNumbers(std::int64_t count) {
  Samples numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0U);
  return numbers;
}

TEST(Sampler, RanksShareAnEpochWithoutOverlapOrGap) {
  for (const int ranks : {1, 2, 3, 4, 8}) {
    EXPECT_EQ(sortedUnion(epochOf(specOf(5), 240, ranks, 2)), firstNumbers(240)) << ranks << " ranks";
  }
}

TEST(Sampler, AShortLastStepIsDividedEvenlyAndNothingIsLeftOut) {
  for (const int ranks : {1, 2, 3, 7}) {
    const auto seen = epochOf(specOf(5, false), 103, ranks, 1);
    EXPECT_EQ(sortedUnion(seen), firstNumbers(103)) << ranks << " ranks";
    const auto [least, most] = std::minmax_element(
        seen.begin(), seen.end(), [](const Samples& a, const Samples& b) { return a.size() < b.size(); });
    EXPECT_LE(most->size() - least->size(), 1U);
  }
}

TEST(Sampler, FewerSamplesThanRanksInTheLastStepStillGiveEachRankOneAndCountOnce) {
  const auto all = sortedUnion(epochOf(specOf(1, false), 10, 8, 0));
  EXPECT_EQ(all.size(), 16U);
  Samples counted;
  for (int rank = 0; rank < 8; ++rank) {
    Sampler sampler(specOf(1, false), 10, 7, rank, 8);
    for (std::int64_t step = 0; step < 2; ++step) {
      const Selection selection = sampler.selectionOf(step);
      counted.insert(counted.end(), selection.samples.begin(), selection.samples.end() - selection.shares.standIns);
    }
  }
  EXPECT_EQ(sortedUnion({counted}), firstNumbers(10));
}

TEST(Sampler, AStepThatCannotBeSharedEvenlySaysWhatItsSamplesCountFor) {
  for (const int ranks : {2, 3, 4, 8}) {
    for (std::int64_t samples = 1; samples <= 3 * ranks; ++samples) {
      double counted = 0;
      for (int rank = 0; rank < ranks; ++rank) {
        Sampler sampler(specOf(3, false), samples, 7, rank, ranks);
        const Selection selection = sampler.selectionOf(0);
        const auto own = static_cast<double>(std::ssize(selection.samples) - selection.shares.standIns);
        const double mean = selection.shares.meanCount > 0 ? selection.shares.meanCount : own;
        EXPECT_DOUBLE_EQ(mean, static_cast<double>(samples) / ranks);
        counted += own;
      }
      EXPECT_EQ(counted, samples) << ranks << " ranks";
    }
  }
}

TEST(Sampler, DroppingTheRemainderGivesFullBatchesOnly) {
  const auto seen = epochOf(specOf(5), 103, 3, 0);
  for (const auto& rank : seen) EXPECT_EQ(rank.size(), 30U);
  const auto all = sortedUnion(seen);
  EXPECT_EQ(std::set<std::uint32_t>(all.begin(), all.end()).size(), 90U);
}

TEST(Sampler, EveryEpochHasAnOrderOfItsOwn) {
  const auto first = epochOf(specOf(10), 100, 1, 0);
  EXPECT_NE(first, epochOf(specOf(10), 100, 1, 1));
  EXPECT_EQ(first, epochOf(specOf(10), 100, 1, 0));
  EXPECT_NE(first[0], firstNumbers(100));
}

TEST(Sampler, SlicesOfAllRanksAreOnePermutation) {
  Sampler alone(specOf(12), 240, 7, 0, 1);
  const auto whole = alone.samplesOf(3);
  for (int rank = 0; rank < 4; ++rank) {
    Sampler sharer(specOf(3), 240, 7, rank, 4);
    const auto part = sharer.samplesOf(3);
    EXPECT_TRUE(std::equal(part.begin(), part.end(), whole.begin() + rank * 3));
  }
}

TEST(Sampler, AResumedSamplerGoesOnWhereItWas) {
  Sampler steady(specOf(7), 100, 7, 1, 2);
  for (std::int64_t step = 0; step < 30; ++step) {
    Sampler resumed(specOf(7), 100, 7, 1, 2);
    EXPECT_EQ(resumed.samplesOf(step), steady.samplesOf(step));
  }
}

TEST(Sampler, NotShardedEveryRankReadsTheWholeSetInAnOrderOfItsOwn) {
  auto spec = specOf(5);
  spec.shard = false;
  const auto seen = epochOf(spec, 50, 3, 0);
  for (const auto& rank : seen) EXPECT_EQ(sortedUnion({rank}), firstNumbers(50));
  EXPECT_NE(seen[0], seen[1]);
  EXPECT_NE(seen[1], seen[2]);
  EXPECT_NE(seen, epochOf(spec, 50, 3, 1));
  EXPECT_EQ(seen[0], epochOf(specOf(5), 50, 1, 0)[0]) << "one rank alone has nobody to share with";
}

TEST(Sampler, AStepOfSeveralBatchesIsTheStepsOfSingleOnes) {
  for (const bool shard : {true, false}) {
    auto spec = specOf(4, false);
    spec.shard = shard;
    for (int rank = 0; rank < 3; ++rank) {
      Sampler single(spec, 103, 7, rank, 3);
      Sampler several(spec, 103, 7, rank, 3, 4);
      EXPECT_EQ(several.stepsPerEpoch(), (single.stepsPerEpoch() + 3) / 4);
      for (std::int64_t epoch = 0; epoch < 2; ++epoch) {
        Samples expected;
        Samples taken;
        for (std::int64_t step = 0; step < single.stepsPerEpoch(); ++step) {
          const auto batch = single.samplesOf(epoch * single.stepsPerEpoch() + step);
          expected.insert(expected.end(), batch.begin(), batch.end());
        }
        for (std::int64_t step = 0; step < several.stepsPerEpoch(); ++step) {
          const auto batches = several.samplesOf(epoch * several.stepsPerEpoch() + step);
          taken.insert(taken.end(), batches.begin(), batches.end());
        }
        EXPECT_EQ(taken, expected);
      }
    }
  }
}

TEST(Sampler, SaysHowManySamplesAllRanksTakeAtAStep) {
  for (const bool shard : {true, false}) {
    for (const int ranks : {1, 2, 3, 8}) {
      for (const int batchesPerStep : {1, 4}) {
        auto spec = specOf(4, false);
        spec.shard = shard;
        std::vector<Sampler> samplers;
        for (int rank = 0; rank < ranks; ++rank) samplers.emplace_back(spec, 101, 7, rank, ranks, batchesPerStep);
        for (std::int64_t step = 0; step < 2 * samplers.front().stepsPerEpoch(); ++step) {
          std::int64_t taken = 0;
          for (Sampler& sampler : samplers) {
            const Selection selection = sampler.selectionOf(step);
            taken += std::ssize(selection.samples) - selection.shares.standIns;
          }
          EXPECT_EQ(samplers.front().countOfAllRanks(step), taken) << ranks << " ranks, step " << step;
        }
      }
    }
  }
}

TEST(Sampler, NotShuffledIsInOrder) {
  auto spec = specOf(5);
  spec.shuffle = false;
  EXPECT_EQ(epochOf(spec, 50, 1, 3)[0], firstNumbers(50));
}

TEST(Sampler, AnEpochWithoutAStepThrows) {
  EXPECT_THROW(Sampler(specOf(32), 31, 1, 0, 1), Error);
  EXPECT_THROW(Sampler(specOf(32, false), 0, 1, 0, 1), Error);
}

TEST(Sampler, FewerRanksGoOnWhereMoreWere) {
  constexpr std::int64_t samples = 960, whole = 96, lostAt = 4;
  std::map<std::uint32_t, int> seen;
  const auto count = [&](int ranks, std::int64_t from, std::int64_t end) {
    for (int rank = 0; rank < ranks; ++rank) {
      Sampler sampler(specOf(whole / ranks), samples, 7, rank, ranks);
      for (std::int64_t step = from; step < end; ++step) {
        for (const std::uint32_t sample : sampler.samplesOf(step)) ++seen[sample];
      }
    }
  };
  count(6, 0, lostAt);
  count(4, lostAt, samples / whole);
  EXPECT_EQ(std::ssize(seen), samples);
  EXPECT_TRUE(std::ranges::all_of(seen, [](const auto& entry) { return entry.second == 1; }));
}

}  // namespace
}  // namespace slipstream
