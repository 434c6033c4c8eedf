// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/evaluate.h"

#include <array>
#include <cmath>
#include <numeric>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/flush_denormals.h"
#include "engine/data/loader.h"
#include "engine/train/running_statistics_guard.h"

namespace slipstream {
namespace {

/// Batch norms of different ranks have seen different samples: what is judged is their mean.
void averageOverRanks(const std::vector<NetworkState>& states, Communicator& communicator) {
  for (const NetworkState& state : states) {
    std::vector<float> values = state.read();
    communicator.allReduceSum(values);
    for (float& value : values) value /= static_cast<float>(communicator.size());
    state.write(values);
  }
}

/// One rank's part of the set, in passes: in each, all ranks together have the samples that come next. Every rank makes
/// as many: gathered weights are handed round in each.
class Share {
 public:
  Share(std::int64_t samples, std::int64_t batchSize, const Communicator& communicator)
      : samples_(samples),
        perPass_(batchSize * communicator.size()),
        rank_(communicator.rank()),
        ranks_(communicator.size()) {}

  std::int64_t passes() const { return (samples_ + perPass_ - 1) / perPass_; }

  /// Nothing where none is left for the rank.
  Selection selectionOf(std::int64_t pass) const {
    const std::int64_t first = pass * perPass_;
    const std::int64_t count = std::clamp<std::int64_t>(samples_ - first, 0, perPass_);
    const std::int64_t begin = first + count * rank_ / ranks_;
    std::vector<std::uint32_t> samples(static_cast<std::size_t>(first + count * (rank_ + 1) / ranks_ - begin));
    std::iota(samples.begin(), samples.end(), static_cast<std::uint32_t>(begin));
    return {std::move(samples), {}};
  }

 private:
  std::int64_t samples_;
  std::int64_t perPass_;
  std::int64_t rank_;
  std::int64_t ranks_;
};

/// The failure of one rank, told to all; empty where none has any.
std::string anyFailure(std::string mine, Communicator& communicator) {
  std::array<double, 1> teller{mine.empty() ? -1.0 : communicator.rank()};
  communicator.allReduceMax(teller);
  if (teller[0] < 0) return {};
  constexpr std::size_t mostLetters = 2000;
  mine.resize(mostLetters);
  communicator.broadcast(std::as_writable_bytes(std::span(mine)), static_cast<int>(teller[0]));
  return mine.c_str();
}

LoaderOptions optionsOf(const DatasetSpec& dataset, std::int64_t batchSize, std::int64_t passes) {
  LoaderOptions options = loaderOptions(dataset, batchSize, passes);
  options.standIns = false;
  return options;
}

/// One sample of zeros.
Batch blankOf(const SampleSource& source) {
  const auto elements = static_cast<std::size_t>(source.shape().elements());
  Batch blank;
  blank.count = 1;
  blank.labels.resize(1);
  if (source.floats()) {
    blank.inputs.resize(elements);
  } else {
    blank.pictures.resize(elements);
  }
  return blank;
}

/// One rank's samples. What cannot be read ends its reading, not the passes: the others wait in them.
class Reading {
 public:
  Reading(const SampleSource& source, const Share& share, std::int64_t batchSize, const DatasetSpec& dataset)
      : loader_(
            source, [share](std::int64_t pass) { return share.selectionOf(pass); },
            optionsOf(dataset, batchSize, share.passes())) {}

  /// Null where nothing is left to judge.
  const Batch* batchOf(std::int64_t pass) {
    if (!failure_.empty()) return nullptr;
    try {
      const Batch& batch = loader_.batchOf(pass);
      skipped_.insert(skipped_.end(), loader_.skipped().begin(), loader_.skipped().end());
      return batch.count == 0 ? nullptr : &batch;
    } catch (const Error& error) {
      failure_ = error.what();
      return nullptr;
    }
  }

  /// Places in the set of that batch.
  const std::vector<std::uint32_t>& samples() const { return loader_.samples(); }
  const std::vector<std::string>& skipped() const { return skipped_; }
  /// Empty: everything could be read.
  const std::string& failure() const { return failure_; }

 private:
  Loader loader_;
  std::vector<std::string> skipped_;
  std::string failure_;
};

/// Sums over the batches of all ranks; a batch of n samples has the weight n.
struct BatchSums {
  double correct = 0, samples = 0, loss = 0;
  double batches = 0, squaredWeights = 0, weightedLoss = 0, squaredLoss = 0;

  void add(const LossResult& result, double count) {
    correct += static_cast<double>(result.correct);
    samples += count;
    loss += count * result.loss;
    batches += 1;
    squaredWeights += count * count;
    weightedLoss += count * count * result.loss;
    squaredLoss += count * count * result.loss * result.loss;
  }
  double meanLoss() const { return loss / samples; }
  /// Standard error of the mean loss over the samples: of a ratio estimate from clusters (Cochran 1977, Sampling
  /// Techniques, 6.3). Nothing below 10 batches, where it would be too rough to count as known.
  std::optional<double> lossError() const {
    constexpr double fewestBatches = 10;
    if (batches < fewestBatches) return std::nullopt;
    const double mean = meanLoss();
    const double squares = squaredLoss - 2 * mean * weightedLoss + mean * mean * squaredWeights;
    return std::sqrt(std::max(0.0, squares) * batches / (batches - 1)) / samples;
  }
};

/// The values of all ranks, one after the other; on every rank.
template <class Value>
std::vector<Value> gathered(std::span<const Value> own, Communicator& communicator) {
  const auto ranks = static_cast<std::size_t>(communicator.size());
  const std::array<std::size_t, 1> bytes{own.size_bytes()};
  std::vector<std::size_t> sizes(ranks);
  communicator.allGather(std::as_bytes(std::span(bytes)), std::as_writable_bytes(std::span(sizes)));
  std::vector<std::size_t> offsets(ranks + 1);
  std::partial_sum(sizes.begin(), sizes.end(), offsets.begin() + 1);
  std::vector<Value> all(offsets.back() / sizeof(Value));
  const auto place =
      std::as_writable_bytes(std::span(all)).subspan(offsets[static_cast<std::size_t>(communicator.rank())]);
  std::ranges::copy(std::as_bytes(own), place.begin());
  communicator.allGatherInPlace(std::as_writable_bytes(std::span(all)), offsets);
  return all;
}

/// One pass of all ranks, in the order of the set: ranks follow each other there.
void handOver(const SampleOutputs& own, OutputSink& sink, Communicator& communicator) {
  if (communicator.size() == 1) return own.samples.empty() ? void() : sink.take(own);
  const auto samples = gathered(own.samples, communicator);
  const auto labels = gathered(own.labels, communicator);
  const auto logits = gathered(own.logits, communicator);
  if (communicator.rank() == 0 && !samples.empty()) sink.take({samples, labels, logits});
}

BatchSums overRanks(const BatchSums& own, Communicator& communicator) {
  std::array<double, 7> sums{own.correct,        own.samples,      own.loss,       own.batches,
                             own.squaredWeights, own.weightedLoss, own.squaredLoss};
  communicator.allReduceSum(sums);
  return {sums[0], sums[1], sums[2], sums[3], sums[4], sums[5], sums[6]};
}

}  // namespace

Evaluation evaluate(NetworkPasses& passes, ParameterStore& weights, const DatasetSpec& dataset,
                    const SampleSource& source, std::int64_t batchSize, Communicator& communicator, OutputSink* sink) {
  const FlushDenormals flush;
  const RunningStatisticsGuard kept(passes.network());
  averageOverRanks(kept.live(), communicator);
  const Share share(source.count(), batchSize, communicator);

  Reading reading(source, share, batchSize, dataset);
  const Batch blank = blankOf(source);
  BatchSums own;
  for (std::int64_t pass = 0; pass < share.passes(); ++pass) {
    const Batch* batch = reading.batchOf(pass);
    if (batch == nullptr) {  // takes part in the pass with a sample that is not judged
      passes.forward(wholeOf(blank), NetworkMode::evaluation, weights);
      if (sink != nullptr) handOver({}, *sink, communicator);
      continue;
    }
    passes.forward(wholeOf(*batch), NetworkMode::evaluation, weights);
    own.add(passes.loss(), static_cast<double>(batch->count));
    if (sink != nullptr) handOver({reading.samples(), batch->labels, passes.outputs()}, *sink, communicator);
  }
  const BatchSums all = overRanks(own, communicator);
  std::array<double, 1> unreadable{static_cast<double>(reading.skipped().size())};
  communicator.allReduceSum(unreadable);
  const std::string failure = anyFailure(reading.failure(), communicator);
  if (!failure.empty()) throw UnreadableSamples(failure);
  if (all.samples == 0) {
    throw UnreadableSamples(fmt::format("none of the {} samples to evaluate on can be read", source.count()));
  }
  return {all.correct / all.samples,   all.meanLoss(),   std::llround(all.samples), all.lossError(),
          std::llround(unreadable[0]), reading.skipped()};
}

}  // namespace slipstream
