#include "engine/boost/grad_centralization/grad_centralization.h"

#include <algorithm>
#include <array>

namespace slipstream {
namespace {

bool isSpared(const std::string& name) {
  constexpr std::array<const char*, 3> words{"beta", "gamma", "bias"};
  return std::ranges::any_of(words, [&](const char* word) { return name.find(word) != std::string::npos; });
}

bool isNormalizedHead(const NetworkSpec& network, const TensorSpec& tensor) {
  const auto layer = static_cast<std::size_t>(tensor.layer);
  return layer < network.layers.size() && network.layers[layer].kind == LayerKind::normalizedDense;
}

/// How many ranks' gradients are added into one, where they are not averaged.
double summedRanks(const UpdateParts& parts) {
  const Experiment& experiment = parts.experiment;
  const bool flat = experiment.boost.adasum && experiment.boost.adasumOptions.scope != AdasumScope::servers;
  if (experiment.parallel.gradientsMean || flat) return 1;
  if (!experiment.boost.adasum) return parts.communicator.size();
  const int mine = parts.serverOfRank[static_cast<std::size_t>(parts.communicator.rank())];
  return static_cast<double>(std::ranges::count(parts.serverOfRank, mine));
}

/// What the optimizer will add for each unit of weight, in a local gradient's units. SGD adds its decay after
/// centralisation, and where another algorithm owns the update nobody adds any.
double decayOf(const UpdateParts& parts, const std::string& tensor) {
  const OptimizerSpec& optimizer = parts.experiment.optimizer;
  if (optimizer.kind != OptimizerKind::momentum || parts.experiment.boost.dimReduce) return 0;
  return weightDecayOf(optimizer, tensor) * optimizer.lossScale / summedRanks(parts);
}

class GradCentralization final : public GradientPass {
 public:
  GradCentralization(const UpdateParts& parts, ParameterStore& weights)
      : kernels_(*parts.kernels.gradCentralization), layout_(parts.layout), weights_(weights) {
    for (const FlatTensor& tensor : layout_.tensors()) {
      const bool on = centralizes(parts.experiment, tensor.spec);
      rules_.push_back({on, on ? decayOf(parts, tensor.spec.name) : 0});
    }
  }

  std::string name() const override { return "grad_centralization"; }

  void apply(const StepPlan&, std::span<const FlatTensor> tensors, std::span<float> gradients, bool last) override {
    for (std::size_t t = 0; t < tensors.size(); ++t) {
      centralize(tensors[t], runOf(tensors, gradients, t, t + 1), last);
    }
  }

 private:
  struct Rule {
    bool on;
    double decay;
  };

  void centralize(const FlatTensor& tensor, std::span<float> gradient, bool last) {
    const Rule& rule = rules_[static_cast<std::size_t>(layout_.tensorAt(tensor.range.begin))];
    if (!rule.on) return;
    const auto rows = static_cast<std::size_t>(tensor.spec.shape.front());
    const std::size_t columns = gradient.size() / rows;
    kernels_.subtractRowMeans(gradient.data(), gradient.data(), rows, columns, 1.0);
    if (last && rule.decay != 0) {
      const std::span<float> weights = weights_.acquire(tensor.range);
      kernels_.subtractRowMeans(gradient.data(), weights.data(), rows, columns, rule.decay);
      weights_.release(tensor.range);
    }
  }

  const GradCentralizationKernels& kernels_;
  const ParameterLayout& layout_;
  ParameterStore& weights_;
  std::vector<Rule> rules_;  ///< one a tensor, in layout order
};

}  // namespace

bool centralizes(const Experiment& experiment, const TensorSpec& tensor) {
  if (tensor.shape.size() < 2 || isNormalizedHead(experiment.network, tensor)) return false;
  const ParameterGroupSpec* group = groupOf(experiment.optimizer, tensor.name);
  if (group != nullptr && group->gradCentralization) return *group->gradCentralization;
  const bool byLessBn = experiment.boost.lessBn && experiment.boost.gcFlag && !isSpared(tensor.name);
  return experiment.optimizer.gradCentralization || byLessBn;
}

std::unique_ptr<GradientPass> makeGradCentralization(const UpdateParts& parts, ParameterStore& weights) {
  return std::make_unique<GradCentralization>(parts, weights);
}

}  // namespace slipstream
