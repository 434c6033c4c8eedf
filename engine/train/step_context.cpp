#include "engine/train/step_context.h"

#include <array>
#include <vector>

#include "engine/device/cpu/flush_denormals.h"

namespace slipstream {
namespace {

/// Keeps what a forward pass in training mode changes, and puts it back.
class StateGuard {
 public:
  explicit StateGuard(Network& network) : states_(network.states()) {
    for (const NetworkState& state : states_) kept_.emplace_back(state.values.begin(), state.values.end());
  }
  StateGuard(const StateGuard&) = delete;
  StateGuard& operator=(const StateGuard&) = delete;
  ~StateGuard() {
    for (std::size_t i = 0; i < states_.size(); ++i)
      std::copy(kept_[i].begin(), kept_[i].end(), states_[i].values.begin());
  }

 private:
  std::vector<NetworkState> states_;
  std::vector<std::vector<float>> kept_;
};

}  // namespace

/// Without a loss scale nothing can overflow by design, and no rank asks: a NaN is then a failed run, not a skipped
/// step.
bool BatchContext::overflowVote() {
  return false;
}

double BatchContext::trialLoss() {
  const FlushDenormals flush;
  const StateGuard guard(network_);
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
