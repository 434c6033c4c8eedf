// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/stage_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

std::string scheduleText(const ScheduleSpec& schedule) {
  constexpr std::array words{"constant", "linear", "poly", "cosine", "steps", "step", "warmup_cosine"};
  if (schedule.mode == ScheduleMode::constant) return fmt::format("learning rate {:g}", schedule.maximum);
  std::string text =
      fmt::format("learning rate {} up to {:g}", words.at(static_cast<std::size_t>(schedule.mode)), schedule.maximum);
  if (schedule.totalEpochs > 0) text += fmt::format(" in {:g} epochs", schedule.totalEpochs);
  if (schedule.warmupEpochs > 0) text += fmt::format(", warm-up {:.3g}", schedule.warmupEpochs);
  return text;
}

/// Asked for, but without effect in this run.
bool isOff(const BoostConfig& boost, const std::string& algorithm) {
  return std::any_of(boost.decisions.begin(), boost.decisions.end(), [&](const Decision& decision) {
    return decision.subject == algorithm && decision.state == "off";
  });
}

/// What less_bn changed in the network and the gradients. Read from the network and the flags, because records of
/// earlier versions say "off" where only a part of it acted.
std::vector<std::string> partsOfLessBn(const Experiment& experiment) {
  const BoostConfig& boost = experiment.boost;
  const bool head = boost.fnFlag && std::ranges::any_of(experiment.network.layers, [](const LayerSpec& layer) {
                      return layer.kind == LayerKind::normalizedDense;
                    });
  std::vector<std::string> parts;
  if (boost.removedBatchNorms > 0) parts.push_back(counted(boost.removedBatchNorms, "batch norm") + " fewer");
  if (head) parts.emplace_back("normalised head");
  if (boost.gcFlag) parts.emplace_back("centralised gradients");
  return parts;
}

void addLessBn(const Experiment& experiment, std::vector<std::string>& names) {
  if (!experiment.boost.lessBn) return;
  const auto parts = partsOfLessBn(experiment);
  if (!parts.empty()) names.push_back("less_bn (" + join(parts, ", ") + ")");
}

/// The optimizer's own; that of less_bn stands with it.
bool centralizesGradients(const OptimizerSpec& optimizer) {
  return optimizer.gradCentralization || std::ranges::any_of(optimizer.groups, [](const ParameterGroupSpec& group) {
           return group.gradCentralization == true;
         });
}

std::string epochsText(double epochs) {
  return epochs == 1 ? "1 epoch" : fmt::format("{:g} epochs", epochs);
}

}  // namespace

std::string startText(const StagePlan& stage) {
  const StageStart& start = stage.start;
  const std::string& file = stage.experiment.preTrained.file;
  if (start.stage.empty()) return file.empty() ? "random weights" : "the weights of " + file;
  if (start.wantsMean()) return "the mean of the snapshots of " + start.stage;
  return start.continues ? start.stage + ", going on" : start.stage;
}

std::string lengthText(const StagePlan& stage, int ranks) {
  const std::string refreshing = "a pass that refreshes statistics";
  const bool refreshes = stage.experiment.train.refreshStatistics;
  if (refreshes && stage.updates() == 0) return refreshing;
  const Experiment& asked = stage.experiment;
  const std::string epochs = asked.train.steps ? "" : epochsText(asked.train.epochs.value_or(0)) + " = ";
  const int batches = batchesPerStep(asked);
  return fmt::format("{}{} of {}{}{}{}", epochs, counted(stage.updates(), "update"),
                     ranks > 1 ? fmt::format("{} × ", ranks) : "", batches > 1 ? fmt::format("{} × ", batches) : "",
                     counted(asked.dataset.batchSize, "sample"), refreshes ? ", then " + refreshing : "");
}

std::string optimizerText(const StagePlan& stage) {
  if (stage.updates() == 0) return "–";
  if (stage.experiment.boost.dimReduce) return "dim_reduce's own steps";
  const OptimizerSpec& optimizer = stage.experiment.optimizer;
  std::string text = optimizer.kind == OptimizerKind::sgd ? "SGD" : fmt::format("momentum {:g}", optimizer.momentum);
  if (optimizer.kind == OptimizerKind::sgd && optimizer.momentum > 0) {
    text += fmt::format(" with momentum {:g}", optimizer.momentum);
  }
  if (optimizer.weightDecay > 0) text += fmt::format(", weight decay {:g}", optimizer.weightDecay);
  text += ", " + scheduleText(optimizer.schedule);
  if (!optimizer.groups.empty()) text += fmt::format(", {}", counted(std::ssize(optimizer.groups), "parameter group"));
  return text;
}

std::string algorithmsText(const Experiment& experiment) {
  std::vector<std::string> names;
  for (const BoostAlgorithm& algorithm : boostAlgorithms()) {
    if (algorithm.flag == &BoostConfig::lessBn) {
      addLessBn(experiment, names);
    } else if (experiment.boost.*algorithm.flag && !isOff(experiment.boost, algorithm.key)) {
      names.push_back(algorithm.key);
    }
  }
  if (centralizesGradients(experiment.optimizer)) names.push_back("grad_centralization");
  if (const ShardingLevel level = experiment.parallel.optimizerParallel.level; level != ShardingLevel::off) {
    names.push_back(fmt::format("optimizer_parallel level {}", static_cast<int>(level)));
  }
  constexpr std::array kinds{"", "fixed", "dynamic", "grouped"};
  if (const LossScaleKind kind = experiment.lossScale.kind; kind != LossScaleKind::none) {
    names.push_back(fmt::format("{} loss scale", kinds.at(static_cast<std::size_t>(kind))));
  }
  return names.empty() ? "none" : join(names, ", ");
}

std::string decisionsText(const RunPlan& plan) {
  constexpr std::size_t widest = 14;  // a longer state (a path) moves the reason of its own line only
  const std::vector<Decision> decisions = allDecisions(plan);
  std::size_t subject = 0;
  std::size_t state = 0;
  for (const Decision& decision : decisions) {
    subject = std::max(subject, decision.subject.size());
    if (decision.state.size() <= widest) state = std::max(state, decision.state.size());
  }
  std::string text;
  for (const Decision& decision : decisions) {
    text += fmt::format("  {:<{}}  {:<{}}  {}\n", decision.subject, subject, printable(decision.state), state,
                        printable(decision.why));
  }
  return text;
}

}  // namespace slipstream
