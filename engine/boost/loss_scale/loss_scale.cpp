// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/loss_scale/loss_scale.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/boost/loss_scale/spec.h"
#include "engine/device/device.h"

namespace slipstream {
namespace {

constexpr int mostOverflowsInARow = 1000;

/// What the gradients are of.
struct Gradients {
  const ParameterLayout& layout;
  const LossScaleKernels& kernels;
  Device& device;
  std::size_t flags;  ///< that the forecast counts, at least one a scale
};

/// What all kinds have in common: one scale for each group of tensors, often one for all.
class ScaleOfGroups : public LossScale {
 public:
  /// `groupOfTensor`: one a tensor of the layout.
  ScaleOfGroups(const Gradients& gradients, std::vector<std::size_t> groupOfTensor, double scale)
      : kernels_(gradients.kernels),
        layout_(gradients.layout),
        device_(gradients.device),
        groupOfTensor_(std::move(groupOfTensor)),
        scales_(1 + *std::ranges::max_element(groupOfTensor_), scale),
        overflows_(scales_.size()),
        seen_(device_.allocate(gradients.flags * sizeof(float), MemoryCategory::boost)) {}

  /// The loss carries the smallest scale: what overflows at a larger one is then seen, tensor by tensor, without
  /// spoiling the signal for the groups below.
  void plan(std::int64_t, StepPlan& plan) final {
    plan.lossScale = smallest();
    static_cast<void>(overflowFlags());  // of a step that nobody asked about
    std::ranges::fill(overflows_, 0.0);
  }

  /// Neighbours of one group go together: all of a gradient at once where there is one scale.
  void apply(const StepPlan& plan, std::span<const FlatTensor> tensors, std::span<float> gradients) final {
    for (std::size_t first = 0; first < tensors.size();) {
      const std::size_t group = groupAt(tensors[first]);
      std::size_t end = first + 1;
      while (end < tensors.size() && groupAt(tensors[end]) == group) ++end;
      const auto run = runOf(tensors, gradients, first, end);
      const auto limit = static_cast<float>(std::numeric_limits<float>::max() / scales_[group]);
      kernels_.unscale(device_.queue(), run.data(), run.size(), plan.lossScale, limit,
                       seen_->as<float>().data() + group);
      first = end;
    }
    unread_ = true;
  }

  std::span<double> overflowFlags() final {
    if (!checksOverflows()) return {};
    if (!std::exchange(unread_, false)) return overflows_;
    const auto flags = seen_->as<float>().first(overflows_.size());
    const std::vector<float> seen = readValues(device_, flags);
    for (std::size_t group = 0; group < seen.size(); ++group) {
      if (seen[group] != 0) overflows_[group] = 1.0;
    }
    const bool any = std::ranges::any_of(seen, [](float flag) { return flag != 0; });
    if (any) writeValues(device_, flags, std::vector<float>(seen.size()));
    return overflows_;
  }

  void afterStep(const StepPlan&, StepOutcome& outcome) final {
    describe(outcome.metrics);
    if (!outcome.overflow) {
      overflowsInARow_ = 0;
    } else {
      ++skipped_;
      ++overflowsInARow_;
    }
    outcome.metrics[metric::skippedUpdates] = skipped_;
    if (overflowsInARow_ > mostOverflowsInARow) {
      throw Error(
          fmt::format("the gradient overflowed on more than {} steps in a row: the network has diverged; "
                      "lower the learning rate, or look for what makes its loss infinite",
                      mostOverflowsInARow));
    }
    const std::vector<double> before = scales_;
    rescale(outcome.overflow);
    outcome.retriesSmaller = outcome.overflow && shrankFromAboveOne(before);
  }

  std::vector<double> state() const final {
    std::vector<double> state{skipped_, static_cast<double>(overflowsInARow_), static_cast<double>(clean_)};
    state.insert(state.end(), scales_.begin(), scales_.end());
    return state;
  }

  void restore(std::span<const double> state) final {
    if (state.size() != 3 + scales_.size()) throw Error("the checkpoint holds another kind of loss scale");
    skipped_ = state[0];
    overflowsInARow_ = static_cast<int>(state[1]);
    clean_ = static_cast<std::int64_t>(state[2]);
    std::copy(state.begin() + 3, state.end(), scales_.begin());
  }

 protected:
  /// The scales of the next step; flags and word are those of all ranks.
  virtual void rescale(bool overflow) = 0;
  /// Whether overflows are looked for and voted on.
  virtual bool checksOverflows() const { return true; }

  std::vector<double>& scales() { return scales_; }
  std::span<const double> overflows() const { return overflows_; }

  std::int64_t clean_ = 0;  ///< steps without an overflow since the last change

 private:
  double smallest() const { return *std::ranges::min_element(scales_); }

  /// Whether a group has a smaller scale than before, and none of those had 1 or less: what overflows at such a scale
  /// is infinite without one. The other groups may have grown, also the one that has the smallest scale.
  bool shrankFromAboveOne(const std::vector<double>& before) const {
    bool any = false;
    for (std::size_t group = 0; group < scales_.size(); ++group) {
      if (scales_[group] >= before[group]) continue;
      if (before[group] <= 1) return false;
      any = true;
    }
    return any;
  }

  std::size_t groupAt(const FlatTensor& tensor) const {
    return groupOfTensor_[static_cast<std::size_t>(layout_.tensorAt(tensor.range.begin))];
  }

  /// What this step was scaled by.
  void describe(std::map<std::string, double>& metrics) const {
    if (scales_.size() == 1) metrics[metric::lossScale] = scales_.front();
    for (std::size_t group = 0; group < scales_.size() && scales_.size() > 1; ++group) {
      metrics[fmt::format("{}{}", metric::prefixOf(metric::lossScaleOfGroup), group)] = scales_[group];
    }
  }

  const LossScaleKernels& kernels_;
  const ParameterLayout& layout_;
  Device& device_;
  std::vector<std::size_t> groupOfTensor_;
  std::vector<double> scales_;     ///< one a group
  std::vector<double> overflows_;  ///< one a group, of the step at hand
  std::unique_ptr<Buffer> seen_;   ///< the same, on the device, where kernels write it
  bool unread_ = false;            ///< kernels may have written there since it was read
  double skipped_ = 0;
  int overflowsInARow_ = 0;
};

class FixedScale final : public ScaleOfGroups {
 public:
  FixedScale(const Gradients& gradients, std::vector<std::size_t> groups, const LossScaleSpec& spec)
      : ScaleOfGroups(gradients, std::move(groups), spec.scale), drops_(spec.dropOverflowUpdate) {}

 private:
  void rescale(bool) override {}
  bool checksOverflows() const override { return drops_; }

  bool drops_;
};

class DynamicScale final : public ScaleOfGroups {
 public:
  DynamicScale(const Gradients& gradients, std::vector<std::size_t> groups, const LossScaleSpec& spec)
      : ScaleOfGroups(gradients, std::move(groups), spec.scale), factor_(spec.factor), window_(spec.window) {}

 private:
  void rescale(bool overflow) override {
    double& scale = scales().front();
    if (overflow) {
      scale = std::max(scale / factor_, 1.0);
      clean_ = 0;
    } else if (++clean_ >= window_) {
      scale *= factor_;
      clean_ = 0;
    }
  }

  double factor_;
  std::int64_t window_;
};

/// MindSpore's group manager: every group shrinks by its own overflows and else grows a little at every step.
class GroupScale final : public ScaleOfGroups {
 public:
  using ScaleOfGroups::ScaleOfGroups;

 private:
  void rescale(bool) override {
    static const double shrink = 1.0 / std::sqrt(2.0);
    static const double grow = std::pow(2.0, 1.0 / 1000.0);
    for (std::size_t group = 0; group < scales().size(); ++group) {
      scales()[group] *= overflows()[group] > 0 ? shrink : grow;
    }
  }
};

/// One group for each of the optimizer's that owns a tensor, in their order, and one for all other tensors.
std::vector<std::size_t> groupsOf(const OptimizerSpec& optimizer, const ParameterLayout& layout) {
  std::vector<const ParameterGroupSpec*> owners;
  for (const FlatTensor& tensor : layout.tensors()) owners.push_back(groupOf(optimizer, tensor.spec.name));
  std::vector<const ParameterGroupSpec*> present;
  for (const ParameterGroupSpec& group : optimizer.groups) {
    if (std::ranges::find(owners, &group) != owners.end()) present.push_back(&group);
  }
  std::vector<std::size_t> groups;
  for (const auto* owner : owners) {
    groups.push_back(static_cast<std::size_t>(std::ranges::find(present, owner) - present.begin()));
  }
  return groups;
}

void check(const LossScaleSpec& spec) {
  if (!(spec.scale >= 1)) throw Error("a loss scale must be at least 1");
  if (!(spec.factor > 0)) throw Error("a loss scale's factor must be positive");
  if (spec.window < 1) throw Error("a loss scale's window must be a step at least");
}

}  // namespace

void LossScaleAlgorithm::fillSlots(StepSlots& slots, const UpdateContext& parts) {
  const Experiment& experiment = parts.experiment;
  if (experiment.lossScale.kind == LossScaleKind::none) return;
  const auto scale = makeLossScale(experiment.lossScale, experiment.optimizer, parts.layout,
                                   parts.kernels.of<LossScaleKernels>(), parts.device);
  slots.policies.push_back(scale);
  slots.gradientPasses.push_back(scale);
}

std::shared_ptr<LossScale> makeLossScale(const LossScaleSpec& spec, const OptimizerSpec& optimizer,
                                         const ParameterLayout& layout, const LossScaleKernels& kernels,
                                         Device& device) {
  check(spec);
  const Gradients gradients{layout, kernels, device, static_cast<std::size_t>(lossScaleFlags(spec, optimizer))};
  const std::vector<std::size_t> one(layout.tensors().size());
  if (spec.kind == LossScaleKind::fixed) return std::make_shared<FixedScale>(gradients, one, spec);
  if (spec.kind == LossScaleKind::dynamic) return std::make_shared<DynamicScale>(gradients, one, spec);
  return std::make_shared<GroupScale>(gradients, groupsOf(optimizer, layout), spec.scale);
}

}  // namespace slipstream
