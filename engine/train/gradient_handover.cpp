// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/gradient_handover.h"

#include <algorithm>
#include <limits>

#include "engine/base/clock.h"
#include "engine/record/metric_info.h"
#include "engine/train/pass_check.h"

namespace slipstream {
namespace {

/// The metric of a gradient pass's time.
std::string secondsOfPass(const std::string& name) {
  return std::string(metric::prefixOf(metric::passSeconds)) + name;
}

}  // namespace

void GradientHandover::afterWholeBackward() {
  handOver(tensorsOf(target_.plan.firstTrainedLayer, std::numeric_limits<int>::max()));
}

/// Of the layers from `first` to `last`. They follow one another, the last layer's in front.
std::span<const FlatTensor> GradientHandover::tensorsOf(int first, int last) const {
  const auto& all = target_.layout.tensors();
  const auto begin = std::ranges::find_if(all, [&](const FlatTensor& tensor) { return tensor.spec.layer <= last; });
  const auto end = std::find_if(begin, all.end(), [&](const FlatTensor& tensor) { return tensor.spec.layer < first; });
  return {begin, end};
}

void GradientHandover::handOver(std::span<const FlatTensor> tensors) {
  Update& update = *target_.slots.update;
  const bool passes = place_.completesGradients && !target_.slots.gradientPasses.empty();
  if (passes && !tensors.empty()) applyPasses(tensors);
  for (const FlatTensor& tensor : tensors) update.gradientReady(tensor.range, place_.microBatch, place_.isLast);
  update.progress();
}

void GradientHandover::applyPasses(std::span<const FlatTensor> tensors) {
  const auto& passes = target_.slots.gradientPasses;
  const Range range{tensors.front().range.begin, tensors.back().range.end};
  ParameterStore& store = target_.slots.update->gradients();
  const std::span<float> gradients = store.acquire(range);
  for (std::size_t pass = 0; pass < passes.size(); ++pass) {
    const PassCheck check(target_.device, gradients);
    const Stopwatch watch;
    passes[pass]->apply(target_.plan, tensors, gradients);
    target_.passSeconds[pass] += watch.seconds();
    check.verify(passes[pass]->name());
  }
  store.release(range);
}

std::map<std::string, double> secondsOfSlots(const StepSlots& slots, double policies,
                                             std::span<const double> passSeconds, const StepOutcome& outcome) {
  std::map<std::string, double> seconds{{metric::updateSeconds, outcome.updateSeconds}};
  if (!slots.policies.empty()) seconds[metric::policySeconds] = policies;
  for (std::size_t pass = 0; pass < passSeconds.size(); ++pass) {
    seconds[secondsOfPass(slots.gradientPasses[pass]->name())] = passSeconds[pass];
  }
  if (outcome.centralizationSeconds > 0) seconds[secondsOfPass("grad_centralization")] = outcome.centralizationSeconds;
  return seconds;
}

}  // namespace slipstream
