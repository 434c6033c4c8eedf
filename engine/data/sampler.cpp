#include <algorithm>
#include <numeric>

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/data/dataset.h"

namespace slipstream {

Sampler::Sampler(const DatasetSpec& spec, std::int64_t samples, std::uint64_t seed, int rank, int ranks)
    : spec_(spec),
      samples_(samples),
      seed_(seed),
      rank_(spec.shard ? rank : 0),
      ranks_(spec.shard ? ranks : 1),
      stepsPerEpoch_(slipstream::stepsPerEpoch(spec, samples, ranks)),
      order_(static_cast<std::size_t>(samples)) {
  if (stepsPerEpoch_ == 0) throw Error("an epoch of " + std::to_string(samples) + " samples has no whole step");
}

std::vector<std::uint32_t> Sampler::samplesOf(std::int64_t step) {
  if (const auto epoch = step / stepsPerEpoch_; epoch != epoch_) {
    std::iota(order_.begin(), order_.end(), 0U);
    if (spec_.shuffle) Random(seed_, RandomStream::shuffle, static_cast<std::uint64_t>(epoch)).shuffle(order_);
    epoch_ = epoch;
  }
  const auto whole = samplesPerStep(spec_, ranks_);
  const auto first = step % stepsPerEpoch_ * whole;
  const auto here = std::min(whole, samples_ - first);
  // The last step of an epoch may be short: it is divided evenly, and every rank gets at least one sample.
  auto begin = here * rank_ / ranks_;
  auto end = here * (rank_ + 1) / ranks_;
  if (begin == end) {
    begin = rank_ % here;
    end = begin + 1;
  }
  return {order_.begin() + first + begin, order_.begin() + first + end};
}

}  // namespace slipstream
