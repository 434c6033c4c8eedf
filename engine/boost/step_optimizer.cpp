// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/step_optimizer.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "engine/base/clock.h"
#include "engine/record/metric_info.h"

namespace slipstream {
namespace {

OptimizerSpec optimizerSpecOf(const Experiment& experiment) {
  OptimizerSpec spec = experiment.optimizer;
  spec.lossScale = optimizerDivisor(experiment);
  return spec;
}

std::vector<SteppedRange> steppedRanges(std::span<const StepRange> ranges) {
  std::vector<SteppedRange> stepped;
  for (const StepRange& one : ranges) stepped.push_back({one.range, one.weights, one.gradients});
  return stepped;
}

/// As torch.nn.utils.clip_grad_norm_ has it: a norm that is no number leaves none in the gradient.
double clippingFactor(double most, double norm) {
  constexpr double aboveZero = 1e-6;
  const double factor = most / (norm + aboveZero);
  return factor > 1 ? 1 : factor;
}

}  // namespace

StepOptimizer::StepOptimizer(const UpdateContext& parts, const ParameterLayout& layout, Range owned,
                             NormSharers sharers)
    : optimizer_(optimizerSpecOf(parts.experiment), layout, owned, parts.stepsPerEpoch, parts.totalSteps, parts.device,
                 parts.kernels.of<OptimizerKernels>()),
      norms_(parts),
      sharers_(std::move(sharers)) {}

double StepOptimizer::prepare(std::span<const StepRange> ranges, const StepContext& context, StepOutcome& outcome) {
  const OptimizerSpec& spec = optimizer_.spec();
  const TrustRatio trust = infoOf(spec.kind).trust;
  scaling_ = {};
  exchangeSeconds_ = 0;
  if (spec.clipNorm > 0 || trust == TrustRatio::ofGradient) {
    const Squares squares = measure(ranges, trust == TrustRatio::ofGradient);
    if (spec.clipNorm > 0) {
      const double norm = std::sqrt(std::reduce(squares.of.begin(), squares.of.end())) / spec.lossScale;
      outcome.metrics[metric::gradientNorm] = norm;
      scaling_.gradients = clippingFactor(spec.clipNorm, norm);
    }
    if (trust == TrustRatio::ofGradient) computeTrustRatios(squares, scaling_.gradients / spec.lossScale);
  }
  if (trust == TrustRatio::ofDirection) {
    std::vector<std::span<float>> gradients;
    for (const StepRange& one : ranges) gradients.push_back(one.gradients);
    optimizer_.computeDirections(steppedRanges(ranges), gradients, context.updatesDone(), scaling_);
    computeTrustRatios(measure(ranges, true), 1);
  }
  return exchangeSeconds_;
}

void StepOptimizer::step(std::span<const StepRange> ranges, const StepContext& context) {
  optimizer_.update(steppedRanges(ranges), context.updatesDone(), scaling_);
}

std::vector<StateTensor> StepOptimizer::state(bool perRank, const StateSharding& sharding) {
  std::vector<StateTensor> all;
  for (const std::string& name : stateNames(optimizer_.spec())) {
    all.push_back({name, optimizer_.state(all.size()), perRank, sharding});
  }
  if (!optimizer_.updateCounts().empty()) all.push_back({"tensor_updates", optimizer_.updateCounts()});
  return all;
}

/// One a tensor, in the order of the layout.
std::vector<NormPart> StepOptimizer::partsOf(std::span<const StepRange> ranges,
                                             std::span<float> StepRange::*values) const {
  const auto& tensors = optimizer_.layout().tensors();
  std::vector<NormPart> parts;
  for (const StepRange& one : ranges) {
    if (one.range.size() == 0) continue;
    auto tensor = static_cast<std::size_t>(optimizer_.layout().tensorAt(one.range.begin));
    for (std::int64_t begin = one.range.begin; begin < one.range.end; ++tensor) {
      const std::int64_t end = std::min(one.range.end, tensors[tensor].range.end);
      parts.push_back({tensor, (one.*values)
                                   .subspan(static_cast<std::size_t>(begin - one.range.begin),
                                            static_cast<std::size_t>(end - begin))});
      begin = end;
    }
  }
  return parts;
}

StepOptimizer::Squares StepOptimizer::measure(std::span<const StepRange> ranges, bool weightsToo) {
  const std::size_t tensors = optimizer_.layout().tensors().size();
  std::vector<double> squares(weightsToo ? 2 * tensors : tensors);
  norms_.measure(partsOf(ranges, &StepRange::gradients), std::span(squares).first(tensors));
  if (weightsToo) norms_.measure(partsOf(ranges, &StepRange::weights), std::span(squares).subspan(tensors));
  if (sharers_.communicator != nullptr) {
    for (std::size_t k = 0; k < squares.size(); ++k) {
      if (!sharers_.counts(k % tensors)) squares[k] = 0;
    }
    const Stopwatch watch;
    sharers_.communicator->allReduceSum(squares);
    exchangeSeconds_ += watch.seconds();
  }
  const auto middle = squares.begin() + static_cast<std::ptrdiff_t>(tensors);
  return {{squares.begin(), middle}, {middle, squares.end()}};
}

/// `factor`: of what is stepped along, beyond what was measured.
void StepOptimizer::computeTrustRatios(const Squares& squares, double factor) {
  trust_.assign(squares.of.size(), 1);
  for (std::size_t t = 0; t < trust_.size(); ++t) {
    if (!optimizer_.usesTrustRatio(t)) continue;
    trust_[t] = trustRatio(optimizer_.spec(), optimizer_.weightDecay(t), std::sqrt(squares.ofWeights[t]),
                           factor * std::sqrt(squares.of[t]));
  }
  scaling_.trust = trust_;
}

}  // namespace slipstream
