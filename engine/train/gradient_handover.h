// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <span>
#include <string>

#include "engine/nn/network.h"
#include "engine/train/compose.h"

namespace slipstream {

/// The position of one micro-batch in its step.
struct PassPosition {
  int microBatch;
  bool isLast;
  bool completesGradients;  ///< on this rank
};

/// What a step's gradients are handed over to.
struct HandoverTarget {
  const ParameterLayout& layout;
  Device& device;
  StepSlots& slots;
  const StepPlan& plan;
  std::span<double> passSeconds;  ///< one a gradient pass, added to
};

/// Hands each tensor's gradient over to the Update when it is complete.
class GradientHandover final : public LayerObserver {
 public:
  GradientHandover(const HandoverTarget& target, PassPosition place) : target_(target), place_(place) {}

  void afterBackward(int layer) override { handOver(tensorsOf(layer, layer)); }
  /// Of a pass that nobody observed: the same, of all layers that it trained.
  void afterWholeBackward();

 private:
  std::span<const FlatTensor> tensorsOf(int first, int last) const;
  void handOver(std::span<const FlatTensor> tensors);
  void applyPasses(std::span<const FlatTensor> tensors);

  HandoverTarget target_;
  PassPosition place_;
};

/// What a step spent in its slots, as the metrics that StepResult::slotSeconds names; `policies` in seconds.
std::map<std::string, double> secondsOfSlots(const StepSlots& slots, double policies,
                                             std::span<const double> passSeconds, const StepOutcome& outcome);

}  // namespace slipstream
