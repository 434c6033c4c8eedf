// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/data/dataset.h"

namespace slipstream {

Sampler::Sampler(const DatasetSpec& spec, std::int64_t samples, std::uint64_t seed, int rank, int ranks,
                 int batchesPerStep)
    : spec_(spec),
      samples_(samples),
      seed_(seed),
      rank_(spec.shard ? rank : 0),
      ranks_(spec.shard ? ranks : 1),
      orders_(spec.shard ? 1 : ranks),
      stream_(spec.shard ? 0 : static_cast<std::uint64_t>(rank)),
      batchesPerStep_(batchesPerStep),
      stepsPerEpoch_(slipstream::stepsPerEpoch(spec, samples, ranks, batchesPerStep)),
      order_(static_cast<std::size_t>(samples)) {
  if (stepsPerEpoch_ == 0) throw Error("an epoch of " + std::to_string(samples) + " samples has no whole step");
}

std::vector<std::uint32_t> Sampler::samplesOf(std::int64_t step) {
  if (const auto epoch = step / stepsPerEpoch_; epoch != epoch_) {
    epoch_ = epoch;
    shuffle();
  }
  const auto whole = samplesPerBatch(spec_, ranks_);
  const auto [begin, end] = batchesOf(step);
  std::vector<std::uint32_t> chosen;
  for (auto batch = begin; batch < end; ++batch) append(chosen, batch * whole);
  return chosen;
}

Selection Sampler::selectionOf(std::int64_t step) {
  return {samplesOf(step), {step / stepsPerEpoch_, stream_}, sharesOf(step)};
}

std::int64_t Sampler::countOfAllRanks(std::int64_t step) const {
  const auto whole = samplesPerBatch(spec_, ranks_);
  const auto [begin, end] = batchesOf(step);
  std::int64_t count = 0;
  for (auto batch = begin; batch < end; ++batch) count += sliceFrom(batch * whole);
  return count * orders_;
}

SampleShares Sampler::sharesOf(std::int64_t step) const {
  const auto last = batchesOf(step).end - 1;
  const auto here = sliceFrom(last * samplesPerBatch(spec_, ranks_));
  if (here % ranks_ == 0) return {};
  const bool hasNone = here * rank_ / ranks_ == here * (rank_ + 1) / ranks_;
  return {static_cast<double>(countOfAllRanks(step)) / ranks_, hasNone ? 1 : 0, (here + ranks_ - 1) / ranks_};
}

Sampler::Batches Sampler::batchesOf(std::int64_t step) const {
  const auto batches = slipstream::stepsPerEpoch(spec_, samples_, ranks_);
  const auto begin = step % stepsPerEpoch_ * batchesPerStep_;
  return {begin, std::min(begin + batchesPerStep_, batches)};
}

std::int64_t Sampler::sliceFrom(std::int64_t first) const {
  return std::min(samplesPerBatch(spec_, ranks_), samples_ - first);
}

void Sampler::shuffle() {
  std::iota(order_.begin(), order_.end(), 0U);
  if (!spec_.shuffle) return;
  // Far more epochs than anybody trains are below the rank's number.
  const auto epochOfRank = static_cast<std::uint64_t>(epoch_) + (stream_ << 40U);
  Random(seed_, RandomStream::shuffle, epochOfRank).shuffle(order_);
}

/// This rank's part of the slice that starts at `first`.
void Sampler::append(std::vector<std::uint32_t>& chosen, std::int64_t first) const {
  const auto here = sliceFrom(first);
  // A short last slice of an epoch is divided as evenly as it goes. A rank that gets nothing takes a stand-in.
  auto begin = here * rank_ / ranks_;
  auto end = here * (rank_ + 1) / ranks_;
  if (begin == end) {
    begin = rank_ % here;
    end = begin + 1;
  }
  chosen.insert(chosen.end(), order_.begin() + first + begin, order_.begin() + first + end);
}

}  // namespace slipstream
