#include "engine/train/step_context.h"

#include <algorithm>
#include <array>

#include "engine/device/cpu/flush_denormals.h"
#include "engine/train/kept_states.h"

namespace slipstream {

/// Where nobody checks, no rank asks: a NaN is then a failed run, not a skipped step.
bool BatchContext::overflowVote() {
  if (!sofar_.checksOverflow) return false;
  std::vector<double> votes{sofar_.overflow ? 1.0 : 0.0};
  for (const auto flags : sofar_.flags) votes.insert(votes.end(), flags.begin(), flags.end());
  const Stopwatch watch;
  communicator_.allReduceMax(votes);
  exchangeSeconds_ += watch.seconds();
  auto voted = votes.begin() + 1;
  for (const auto flags : sofar_.flags) {
    std::copy_n(voted, flags.size(), flags.begin());
    voted += std::ssize(flags);
  }
  return votes.front() > 0;
}

double BatchContext::trialLoss() {
  const FlushDenormals flush;
  const KeptStates kept(network_);
  const std::int64_t classes = network_.shape().outputs.back().elements();
  double loss = 0;
  for (const MicroBatch& part : sofar_.microBatches) {
    const auto logits = network_.forward(part.inputs, part.count, NetworkMode::training, update_.weights(), nullptr);
    loss += crossEntropy(loss_, logits, part.labels, classes, {}, 1.0).loss * part.share;
  }
  return meanOverRanks(loss);
}

double BatchContext::meanOverRanks(double loss) {
  const Stopwatch watch;
  communicator_.allReduceSum(std::span(&loss, 1));
  exchangeSeconds_ += watch.seconds();
  return loss / communicator_.size();
}

}  // namespace slipstream
