#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "engine/base/failure.h"
#include "engine/plan/experiment.h"

namespace slipstream {

enum class Part { training, evaluation };

/// Pictures in memory, one byte a value, NHWC.
struct Images {
  SampleShape shape;
  std::int64_t classes = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::uint8_t> labels;
  std::int64_t count() const { return static_cast<std::int64_t>(labels.size()); }
};

/// Reads or generates one part of a data set. Failures name file and remedy: missing, truncated, wrong magic, counts
/// that differ, a label out of range.
Result<Images> loadImages(const DatasetSpec& spec, Part part, std::uint64_t seed);

/// One rank's share of one step.
struct Batch {
  std::vector<float> inputs;         ///< [count, elements], normalised
  std::vector<std::int32_t> labels;  ///< [count]
  std::int64_t count = 0;
};

/// The order in which a rank sees the samples: a fresh permutation each epoch, drawn from (seed, epoch) and so the same
/// on every rank; rank r of R takes positions [r*B, (r+1)*B) of each slice of R*B (all ranks the same where not
/// sharded). A shorter last slice is divided evenly; one of fewer samples than ranks gives some of them to several.
class Sampler {
 public:
  /// Throws Error where an epoch has no step.
  Sampler(const DatasetSpec& spec, std::int64_t samples, std::uint64_t seed, int rank, int ranks);
  std::int64_t stepsPerEpoch() const { return stepsPerEpoch_; }
  /// Sample numbers of this rank's batch at `step`, counted from 0 over all epochs.
  std::vector<std::uint32_t> samplesOf(std::int64_t step);

 private:
  DatasetSpec spec_;
  std::int64_t samples_;
  std::uint64_t seed_;
  int rank_;
  int ranks_;
  std::int64_t stepsPerEpoch_;
  std::int64_t epoch_ = -1;
  std::vector<std::uint32_t> order_;
};

Batch makeBatch(const DatasetSpec& spec, const Images& images, std::span<const std::uint32_t> samples);

}  // namespace slipstream
