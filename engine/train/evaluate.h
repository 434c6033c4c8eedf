// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/comm/communicator.h"
#include "engine/data/sample_source.h"
#include "engine/train/network_passes.h"

namespace slipstream {

struct Evaluation {
  double accuracy = 0;                    ///< share of the samples that were judged, 0..1
  double loss = 0;                        ///< mean over them
  std::int64_t samples = 0;               ///< that were judged
  std::optional<double> lossError = {};   ///< standard error of the loss, from its spread over the batches
  std::int64_t unreadable = 0;            ///< that were not: all others of the set
  std::vector<std::string> skipped = {};  ///< what was said of this rank's unreadable samples
};

/// What a network gave for some samples: a row of `logits` for each.
struct SampleOutputs {
  std::span<const std::uint32_t> samples;  ///< places in the set
  std::span<const std::int32_t> labels;
  std::span<const float> logits;  ///< [samples, outputs]
};

/// Takes what an evaluation judges, a part at a time: samples come in the order of the set, each once.
class OutputSink {
 public:
  virtual ~OutputSink() = default;
  virtual void take(const SampleOutputs& outputs) = 0;
};

/// A sample that was not to be skipped cannot be read, or none can. Thrown on every rank alike: they can go on
/// together.
class UnreadableSamples : public UnreadableSample {
 public:
  using UnreadableSample::UnreadableSample;
};

/// Every sample once, shared out over the ranks; running statistics are averaged over the ranks for it and put back.
/// Where the data set has unreadable samples skipped, nothing stands in for them. Collective; but for `skipped` the
/// same result on every rank. With a sink, which all ranks have or none, rank 0's is given what all ranks' networks
/// gave. Throws UnreadableSamples.
Evaluation evaluate(NetworkPasses& passes, ParameterStore& weights, const DatasetSpec& dataset,
                    const SampleSource& source, std::int64_t batchSize, Communicator& communicator,
                    OutputSink* sink = nullptr);

}  // namespace slipstream
