// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/cache_lines.h"
#include "engine/base/failure.h"
#include "engine/spec/experiment.h"

namespace slipstream {

/// Samples in memory, NHWC: images of one byte a value, or floats as they come.
struct Images {
  SampleShape shape;
  std::int64_t classes = 0;
  std::vector<std::uint8_t> pixels = {};  ///< empty where they are floats
  std::vector<std::int32_t> labels = {};
  std::vector<float> floats = {};
  std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

/// Reads or generates one part of a data set that is kept in memory. Failures name file and remedy: missing, truncated,
/// wrong magic, counts that differ, a label out of range.
Result<Images> loadImages(const DatasetSpec& spec, DataPart part, std::uint64_t seed);

/// What a rank's samples of a step count for, where the ranks have different numbers of them: the last batch of an
/// epoch may be short. As it is made by default, every rank has as many.
struct SampleShares {
  double meanCount = 0;         ///< samples a rank has on average, those that count; 0: as many as this rank
  std::int64_t standIns = 0;    ///< of the last samples, that count for nothing: a rank that has none still takes part
  std::int64_t mostOfLast = 0;  ///< samples of the step's last batch on the rank that has most; 0: as on this rank
};

/// One rank's share of one step.
struct Batch {
  CacheLineBytes pictures;           ///< [count, elements], NHWC: normalised where the network is
  CacheLineFloats inputs;            ///< of samples that are no images: as the network reads them
  std::vector<std::int32_t> labels;  ///< [count]
  std::int64_t count = 0;
  std::int64_t batchSize = 0;  ///< more samples than that are several batches of one step; 0: it is one batch
  SampleShares shares = {};
};

/// What the random draws of a sample depend on beside seed and sample, so that they are the same whoever prepares it,
/// and when.
struct DrawKey {
  std::int64_t epoch = 0;    ///< below 2^20
  std::uint64_t reader = 0;  ///< of the rank where each has an order of its own, below 2^12; else 0
};

/// Samples of one step, and the key of their random draws.
struct Selection {
  std::vector<std::uint32_t> samples;
  DrawKey drawKey;
  SampleShares shares = {};
};

/// The order in which a rank sees the samples: a fresh permutation each epoch. Sharded, it is drawn from (seed, epoch)
/// and so the same on every rank; rank r of R takes positions [r*B, (r+1)*B) of each slice of R*B. Not sharded, every
/// rank draws one of its own from (seed, epoch, rank) and takes all of it, B samples at a time. A step is
/// `batchesPerStep` such batches, an epoch's last step may be fewer. A shorter last slice is divided as evenly as it
/// goes; where it has fewer samples than ranks, those that get none have a stand-in, which counts for nothing.
class Sampler {
 public:
  /// Throws Error where an epoch has no step.
  Sampler(const DatasetSpec& spec, std::int64_t samples, std::uint64_t seed, int rank, int ranks,
          int batchesPerStep = 1);
  std::int64_t stepsPerEpoch() const { return stepsPerEpoch_; }
  /// Sample numbers of this rank's batches at `step`, counted from 0 over all epochs.
  std::vector<std::uint32_t> samplesOf(std::int64_t step);
  Selection selectionOf(std::int64_t step);
  /// How many samples all ranks together take at `step`, stand-ins left out.
  std::int64_t countOfAllRanks(std::int64_t step) const;

 private:
  void shuffle();
  struct Batches {
    std::int64_t begin, end;
  };
  /// Of the step, counted inside its epoch.
  Batches batchesOf(std::int64_t step) const;
  /// Samples of the slice that starts at `first`: the last slice of an epoch may be short.
  std::int64_t sliceFrom(std::int64_t first) const;
  SampleShares sharesOf(std::int64_t step) const;
  void append(std::vector<std::uint32_t>& chosen, std::int64_t first) const;

  DatasetSpec spec_;
  std::int64_t samples_;
  std::uint64_t seed_;
  int rank_;  ///< among those that share an order
  int ranks_;
  int orders_;            ///< that are read side by side: one where all ranks share it
  std::uint64_t stream_;  ///< of the rank's order: 0 where all share one
  int batchesPerStep_;
  std::int64_t stepsPerEpoch_;
  std::int64_t epoch_ = -1;
  std::vector<std::uint32_t> order_;
};

}  // namespace slipstream
