// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/stage_text.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/boost/algorithms.h"

namespace slipstream {
namespace {

Text scheduleText(const ScheduleSpec& schedule) {
  constexpr std::array modes{"constant", "linear", "poly", "cosine", "steps", "step", "warmup_cosine"};
  const std::string maximum = fmt::format("{:g}", schedule.maximum);
  if (schedule.mode == ScheduleMode::constant) return phrase("learning rate {}", {maximum});
  Text text = phrase("learning rate {} up to {}", {modes.at(static_cast<std::size_t>(schedule.mode)), maximum});
  if (schedule.totalEpochs > 0) text = phrase("{} in {} epochs", {text, fmt::format("{:g}", schedule.totalEpochs)});
  if (schedule.warmupEpochs > 0) text = phrase("{}, warm-up {}", {text, fmt::format("{:.3g}", schedule.warmupEpochs)});
  return text;
}

/// Asked for, but without effect in this run.
bool isOff(const BoostConfig& boost, const std::string& algorithm) {
  return std::any_of(boost.decisions.begin(), boost.decisions.end(),
                     [&](const Decision& decision) { return decision.subject == algorithm && !decision.acts(); });
}

/// What less_bn changed in the network and the gradients. Read from the network and the flags, because records of
/// earlier versions say "off" where only a part of it acted.
std::vector<Text> partsOfLessBn(const Experiment& experiment) {
  const auto& options = experiment.boost.of<LessBnOptions>();
  const bool head = options.fnFlag && std::ranges::any_of(experiment.network.layers, [](const LayerSpec& layer) {
                      return layer.kind == LayerKind::normalizedDense;
                    });
  std::vector<Text> parts;
  if (options.removedBatchNorms > 0) {
    parts.push_back(phrase("{} fewer", {countedText(options.removedBatchNorms, "batch norm")}));
  }
  if (head) parts.push_back(phrase("normalised head"));
  if (options.gcFlag) parts.push_back(phrase("centralised gradients"));
  return parts;
}

void addLessBn(const Experiment& experiment, std::vector<Text>& names) {
  if (!experiment.boost.isOn<LessBnOptions>()) return;
  std::vector<Text> parts = partsOfLessBn(experiment);
  if (!parts.empty()) names.push_back(phrase("less_bn ({})", {joined(std::move(parts), ", ")}));
}

/// The optimizer's own; that of less_bn is named with it.
bool centralizesGradients(const OptimizerSpec& optimizer) {
  return optimizer.gradCentralization || std::ranges::any_of(optimizer.groups, [](const ParameterGroupSpec& group) {
           return group.gradCentralization == true;
         });
}

Text epochsText(double epochs) {
  return epochs == 1 ? phrase("1 epoch") : phrase("{} epochs", {fmt::format("{:g}", epochs)});
}

/// "2 × 3 × 32 samples": ranks, batches and samples of one update.
Text samplesText(const Experiment& experiment, int ranks) {
  const int batches = batchesPerStep(experiment);
  std::string factors = ranks > 1 ? fmt::format("{} × ", ranks) : "";
  if (batches > 1) factors += fmt::format("{} × ", batches);
  return joined({std::move(factors), countedText(experiment.dataset.batchSize, "sample")}, "");
}

}  // namespace

Text startText(const StagePlan& stage) {
  if (isImported(stage.experiment)) return phrase("unknown");
  const StageStart& start = stage.start;
  const std::string& file = stage.experiment.preTrained.file;
  const bool ofProgram = file.empty() && stage.experiment.network.isProgram();
  if (start.stage.empty() && ofProgram) return phrase("what the program writes");
  if (start.stage.empty()) return file.empty() ? phrase("random weights") : phrase("the weights of {}", {file});
  if (start.wantsMean()) return phrase("the mean of the snapshots of {}", {start.stage});
  return start.continues ? phrase("{}, going on", {start.stage}) : Text(start.stage);
}

Text lengthText(const StagePlan& stage, int ranks) {
  if (isImported(stage.experiment)) return countedText(stage.endStep, "step");
  const bool refreshes = stage.experiment.train.refreshStatistics;
  const Text refreshing = phrase("a pass that refreshes statistics");
  if (refreshes && stage.updates() == 0) return refreshing;
  const Experiment& asked = stage.experiment;
  Text text = phrase("{0} of {1}", {countedText(stage.updates(), "update"), samplesText(asked, ranks)});
  if (!asked.train.steps) text = joined({epochsText(asked.train.epochs.value_or(0)), text}, " = ");
  return refreshes ? phrase("{}, then {}", {text, refreshing}) : text;
}

namespace {

/// With its momentum, or its betas.
Text optimizerName(const OptimizerSpec& optimizer) {
  const OptimizerInfo& info = infoOf(optimizer.kind);
  const Text momentum = phrase("momentum {}", {fmt::format("{:g}", optimizer.momentum)});
  if (optimizer.kind == OptimizerKind::momentum) return momentum;
  if (optimizer.kind == OptimizerKind::sgd && optimizer.momentum == 0) return Text(info.title);
  if (info.momentum) return phrase("{} with {}", {info.title, momentum});
  return fmt::format("{} ({:g}, {:g})", info.title, optimizer.beta1, optimizer.beta2);
}

/// The optimizer with its schedule.
Text stepsText(const OptimizerSpec& optimizer) {
  std::vector<Text> parts{optimizerName(optimizer)};
  if (optimizer.weightDecay > 0)
    parts.push_back(phrase("weight decay {}", {fmt::format("{:g}", optimizer.weightDecay)}));
  if (optimizer.clipNorm > 0) parts.push_back(phrase("clipped to {}", {fmt::format("{:g}", optimizer.clipNorm)}));
  parts.push_back(scheduleText(optimizer.schedule));
  if (!optimizer.groups.empty()) parts.push_back(countedText(std::ssize(optimizer.groups), "parameter group"));
  return joined(std::move(parts), ", ");
}

}  // namespace

Text optimizerText(const StagePlan& stage) {
  if (isImported(stage.experiment)) return phrase("unknown");
  if (stage.updates() == 0) return "–";
  const Text steps = stage.experiment.boost.isOn("dim_reduce") ? phrase("dim_reduce's own steps")
                                                               : stepsText(stage.experiment.optimizer);
  const auto& decay = stage.experiment.train.averageDecay;
  if (!decay) return steps;
  return joined({steps, phrase("evaluated as an average of decay {}", {fmt::format("{:g}", *decay)})}, ", ");
}

Text algorithmsText(const Experiment& experiment) {
  if (isImported(experiment)) return phrase("unknown");
  std::vector<Text> names;
  for (const AlgorithmSpec& algorithm : switchedAlgorithms()) {
    if (algorithm.key == LessBnOptions::algorithm) {
      addLessBn(experiment, names);
    } else if (experiment.boost.isOn(algorithm.key) && !isOff(experiment.boost, algorithm.key)) {
      names.emplace_back(algorithm.key);
    }
  }
  if (centralizesGradients(experiment.optimizer)) names.emplace_back("grad_centralization");
  if (const ShardingLevel level = experiment.parallel.optimizerParallel.level; level != ShardingLevel::off) {
    names.push_back(phrase("optimizer_parallel level {}", {std::to_string(static_cast<int>(level))}));
  }
  constexpr std::array kinds{"", message("fixed loss scale"), message("dynamic loss scale"),
                             message("grouped loss scale")};
  if (const LossScaleKind kind = experiment.lossScale.kind; kind != LossScaleKind::none) {
    names.push_back(phrase(kinds.at(static_cast<std::size_t>(kind))));
  }
  return names.empty() ? phrase("none") : joined(std::move(names), ", ");
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
                        printable(decision.why.in()));
  }
  return text;
}

}  // namespace slipstream
