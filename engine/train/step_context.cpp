#include "engine/train/step_context.h"

#include <array>

#include "engine/device/cpu/flush_denormals.h"
#include "engine/train/kept_states.h"

namespace slipstream {

/// Where nobody checks, no rank asks: a NaN is then a failed run, not a skipped step.
bool BatchContext::overflowVote() {
  if (!sofar_.checksOverflow) return false;
  std::array<double, 1> vote{sofar_.overflow ? 1.0 : 0.0};
  communicator_.allReduceMax(vote);
  return vote[0] > 0;
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
  communicator_.allReduceSum(std::span(&loss, 1));
  return loss / communicator_.size();
}

}  // namespace slipstream
