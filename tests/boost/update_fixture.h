// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "engine/boost/step_slots.h"
#include "engine/device/cpu_device.h"

namespace slipstream::test {

using MakeUpdate = std::unique_ptr<Update> (*)(const UpdateContext&);

/// A layout of vectors of these lengths, in layout order: tensor t is named "t<t>".
ParameterLayout layoutOf(const std::vector<std::int64_t>& lengths);

/// One rank of a run without a network: gradients are handed in, weights are read.
class UpdateRank {
 public:
  UpdateRank(Communicator& communicator, const ParameterLayout& layout, std::vector<Bucket> buckets,
             const Experiment& experiment, std::vector<int> serverOfRank, MakeUpdate make,
             WeightSnapshots* snapshots = nullptr, const HostLayout& hosts = {});

  std::span<float> weights() { return update_->weights().acquire(whole_); }
  Update& update() { return *update_; }
  MemoryMeter& meter() { return meter_; }

  /// One step: writes the gradient as backward does, tensor by tensor, and finishes. Tensors of layers below the plan's
  /// first trained one are left out; tensor t of layoutOf(n lengths) is of layer n - 1 - t. `usesWeights`: asks for
  /// each tensor's weights before its gradient, as layers do.
  StepOutcome step(const std::vector<float>& gradient, bool overflow = false, const StepPlan& plan = {},
                   bool usesWeights = false);
  /// Of this rank, with these weights; what the context's losses are the mean of. Without it they are 0.
  std::function<double(std::span<const float> weights)> loss;

 private:
  Communicator& communicator_;
  const ParameterLayout& layout_;
  const Experiment& experiment_;
  Range whole_;
  MemoryMeter meter_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Update> update_;
  std::int64_t steps_ = 0;
};

/// sgd of learning rate 1 without anything else: weights are start - update.
Experiment plainExperiment();

/// Reproducible values in (-1, 1), different for every (rank, step).
std::vector<float> randomGradient(std::int64_t length, int rank, int step);

}  // namespace slipstream::test
