#include "engine/train/step_context.h"

#include <array>

#include "engine/device/cpu/flush_denormals.h"
#include "engine/train/kept_states.h"

namespace slipstream {

/// Without a loss scale nothing can overflow by design, and no rank asks: a NaN is then a failed run, not a skipped
/// step.
bool BatchContext::overflowVote() {
  return false;
}

double BatchContext::trialLoss() {
  const FlushDenormals flush;
  const KeptStates kept(network_);
  const std::int64_t classes = network_.shape().outputs.back().elements();
  const std::int64_t elements = network_.shape().input.elements();
  std::array<double, 1> loss{0};
  for (int microBatch = 0; microBatch < plan_.microBatches; ++microBatch) {
    const std::int64_t begin = batch_.count * microBatch / plan_.microBatches;
    const std::int64_t count = batch_.count * (microBatch + 1) / plan_.microBatches - begin;
    const auto inputs =
        std::span(batch_.inputs)
            .subspan(static_cast<std::size_t>(begin * elements), static_cast<std::size_t>(count * elements));
    const auto labels =
        std::span(batch_.labels).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
    const auto logits = network_.forward(inputs, count, NetworkMode::training, update_.weights(), nullptr);
    loss[0] += crossEntropy(loss_, logits, labels, classes, {}, 1.0).loss * static_cast<double>(count) /
               static_cast<double>(batch_.count);
  }
  communicator_.allReduceSum(loss);
  return loss[0] / communicator_.size();
}

}  // namespace slipstream
