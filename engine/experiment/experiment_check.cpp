// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/experiment_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/probe/dataset_kind.h"
#include "engine/probe/own_samples.h"
#include "engine/spec/comm_fusion.h"

namespace slipstream {
namespace {

void checkSnapshots(const SnapshotSpec& snapshots, Failures& failures) {
  if (!snapshots.firstFraction) return;
  const auto refuse = [&](const char* key, double value, double usual) {
    if (value == usual) return;
    failures.push_back({std::string("train.snapshots.") + key, numberText(value), "conflicts with first_fraction",
                        "remove one of the two: with first_fraction, keep snapshots are spread evenly"});
  };
  refuse("first_epoch", snapshots.firstEpoch, SnapshotSpec{}.firstEpoch);
  refuse("per_epoch", static_cast<double>(snapshots.perEpoch), static_cast<double>(SnapshotSpec{}.perEpoch));
}

void checkTrain(const TrainSpec& train, Failures& failures) {
  if (train.snapshots) checkSnapshots(*train.snapshots, failures);
  if (train.epochs && train.steps) {
    failures.push_back(
        {"train.epochs", numberText(*train.epochs), "conflicts with train.steps", "keep one of the two"});
  }
}

void checkParallel(const ParallelSpec& parallel, Failures& failures) {
  if (parallel.hosts.empty() || parallel.rankTablePath.empty()) return;
  failures.push_back({"parallel.hosts", parallel.hosts, "conflicts with parallel.rank_table", "keep one of the two"});
}

void checkMicroBatches(const Experiment& experiment, Failures& failures) {
  const std::int64_t samples = experiment.dataset.batchSize;
  if (experiment.train.microSize <= samples) return;
  failures.push_back(
      {"train.micro_size", std::to_string(experiment.train.microSize),
       fmt::format("micro-batches need as many samples, but a batch has {}", samples),
       "micro_size is their number, not their size: write a smaller one, or enlarge dataset.batch_size"});
}

/// precision.loss_scale divides its own scale out again. The tutorials' optimizer.loss_scale names the same scale where
/// overflows are not dropped; any other number would be a second division.
void checkLossScale(const Experiment& experiment, Failures& failures) {
  const LossScaleSpec& scale = experiment.lossScale;
  const double divisor = experiment.optimizer.lossScale;
  if (scale.kind == LossScaleKind::none || divisor == 1) return;
  const bool namesTheSame = scale.kind == LossScaleKind::fixed && !scale.dropOverflowUpdate;
  if (namesTheSame && divisor == scale.scale) return;
  failures.push_back(
      {"optimizer.loss_scale", numberText(divisor),
       namesTheSame ? fmt::format("is another scale than precision.loss_scale's {}", numberText(scale.scale))
                    : "would divide the gradients by a loss scale a second time",
       namesTheSame ? fmt::format("write {}, or remove it: precision.loss_scale divides its own scale out again",
                                  numberText(scale.scale))
                    : "remove it: precision.loss_scale divides its own scale out again"});
}

/// Nothing stores what batch norms keep in fewer bits; at O0 nothing is narrow, so there the key is harmless.
void checkPrecision(const Experiment& experiment, Failures& failures) {
  if (experiment.keepBatchNormFp32 || experiment.ampLevel == "O0") return;
  failures.push_back({"precision.keep_batchnorm_fp32", "false",
                      "is not built: statistics and parameters of batch norms stay fp32 at every level",
                      "remove it: results are at least as exact"});
}

void checkLoss(const LossSpec& loss, Failures& failures) {
  if (loss.kind == LossKind::crossEntropySmooth || loss.smoothFactor == 0) return;
  failures.push_back({"loss.smooth_factor", numberText(loss.smoothFactor), "has no effect in cross_entropy",
                      "write \"name\": \"cross_entropy_smooth\", or remove it"});
}

void checkSchedule(const ScheduleSpec& schedule, const std::string& path, const TrainSpec& train, Failures& failures) {
  if (schedule.warmupEpochs > 0 && schedule.warmupFraction > 0) {
    failures.push_back({path + ".warmup_epochs", numberText(schedule.warmupEpochs), "conflicts with warmup_fraction",
                        "keep one of the two"});
  }
  if (schedule.totalEpochs > 0 && schedule.coveredFraction > 0) {
    failures.push_back({path + ".total_epochs", numberText(schedule.totalEpochs), "conflicts with covered_fraction",
                        "keep one of the two"});
  }
  const double length = schedule.totalEpochs > 0 ? schedule.totalEpochs : train.epochs.value_or(0);
  if (length > 0 && schedule.warmupEpochs >= length && schedule.mode != ScheduleMode::step) {
    failures.push_back({path + ".warmup_epochs", numberText(schedule.warmupEpochs),
                        fmt::format("is not shorter than the schedule of {} epochs", numberText(length)),
                        "warm up for less, or use warmup_fraction"});
  }
  if (schedule.mode != ScheduleMode::constant) return;
  const bool shaped = schedule.initial > 0 || schedule.end > 0 || schedule.warmupEpochs > 0 ||
                      schedule.warmupFraction > 0 || schedule.coveredFraction > 0 || schedule.totalEpochs > 0;
  if (!shaped) return;
  failures.push_back({path + ".mode", "constant", "ignores the other keys of the schedule",
                      "write \"mode\": \"linear\" or another schedule, or keep lr_max only"});
}

void checkSgd(const OptimizerSpec& optimizer, Failures& failures) {
  const bool plain = optimizer.momentum == 0 || optimizer.dampening != 0;
  if (optimizer.kind == OptimizerKind::sgd && optimizer.nesterov && plain) {
    failures.push_back({"optimizer.nesterov", "true", "needs momentum above 0 and no dampening in sgd",
                        "set optimizer.momentum and remove optimizer.dampening"});
  }
  if (optimizer.kind != OptimizerKind::sgd && optimizer.dampening != 0) {
    failures.push_back({"optimizer.dampening", numberText(optimizer.dampening), "exists in sgd only",
                        "remove it, or write \"name\": \"sgd\""});
  }
  for (std::size_t i = 0; i < optimizer.groups.size() && optimizer.kind == OptimizerKind::sgd; ++i) {
    if (!optimizer.groups[i].weightDecay) continue;
    failures.push_back({fmt::format("optimizer.groups[{}].weight_decay", i),
                        numberText(*optimizer.groups[i].weightDecay), "cannot differ by group in sgd",
                        "write optimizer.weight_decay, or \"name\": \"momentum\""});
  }
}

/// Keys of other optimizers, which would do nothing.
void checkOptimizerKeys(const OptimizerSpec& optimizer, Failures& failures) {
  const OptimizerInfo& info = infoOf(optimizer.kind);
  for (const auto& [key, value] : optimizer.strayKeys) {
    failures.push_back({"optimizer." + key, numberText(value), fmt::format("does not exist in {}", info.name),
                        "remove it, or choose the optimizer that has it"});
  }
  const bool plain = optimizer.kind == OptimizerKind::sgd || optimizer.kind == OptimizerKind::momentum;
  if (!plain && optimizer.nesterov) {
    failures.push_back({"optimizer.nesterov", "true", fmt::format("does not exist in {}", info.name),
                        "remove it, or write \"name\": \"momentum\""});
  }
}

void checkOptimizer(const Experiment& experiment, Failures& failures) {
  checkSgd(experiment.optimizer, failures);
  checkOptimizerKeys(experiment.optimizer, failures);
  checkSchedule(experiment.optimizer.schedule, "optimizer.learning_rate", experiment.train, failures);
  for (std::size_t i = 0; i < experiment.optimizer.groups.size(); ++i) {
    const ParameterGroupSpec& group = experiment.optimizer.groups[i];
    const std::string path = fmt::format("optimizer.groups[{}]", i);
    if (group.match.empty()) failures.push_back({path + ".match", "", "is missing", "list patterns of tensor names"});
    if (group.schedule) checkSchedule(*group.schedule, path + ".learning_rate", experiment.train, failures);
  }
}

void checkFusion(const std::vector<int>& indices, const std::string& key, Failures& failures) {
  const bool rising = std::adjacent_find(indices.begin(), indices.end(), std::greater_equal<>()) == indices.end();
  if (rising) return;
  failures.push_back({key, fmt::format("[{}]", fmt::join(indices, ", ")), "must rise from entry to entry",
                      "sort it and remove repeated entries"});
}

void checkSharding(const OptimizerParallelSpec& spec, Failures& failures) {
  if (spec.level == ShardingLevel::off || spec.shardSize != 0) return;
  failures.push_back({"parallel.optimizer_parallel.shard_size", "0", "is no number of ranks",
                      "use -1 for all ranks, or a divisor of their number"});
}

/// Two groups that match the same tensor are an error; one that matches none is a slip.
void checkGroups(const OptimizerSpec& optimizer, const NetworkShape& shape, Failures& failures) {
  std::vector<std::string> names;
  for (const TensorSpec& tensor : shape.tensors) names.push_back(tensor.name);
  for (std::size_t i = 0; i < optimizer.groups.size(); ++i) {
    for (const std::string& pattern : optimizer.groups[i].match) {
      const bool found = std::any_of(names.begin(), names.end(),
                                     [&](const std::string& name) { return matchesPattern(name, pattern); });
      if (found) continue;
      failures.push_back({fmt::format("optimizer.groups[{}].match", i), pattern, "matches no tensor of the network",
                          "its tensors are " + join(names, ", ")});
    }
  }
}

/// One value, or one a channel.
void checkNormalization(const DatasetSpec& dataset, Failures& failures) {
  if (!knowsSamples(dataset)) return;
  const auto channels = static_cast<std::size_t>(sampleShape(dataset).channels);
  const std::pair<const char*, const std::vector<double>&> lists[]{{"mean", dataset.mean},
                                                                   {"deviation", dataset.deviation}};
  for (const auto& [key, values] : lists) {
    if (values.size() <= 1 || values.size() == channels) continue;  // where it is empty, the plan measures it
    failures.push_back(
        {fmt::format("dataset.{}", key), fmt::format("{} values", values.size()),
         fmt::format("is neither one value nor one for each of {}", counted(sampleShape(dataset).channels, "channel")),
         "write one number, or a list of as many as there are channels"});
  }
}

/// Where `classesWritten`, outputs that stand for no class of the data are meant: the tutorials' ResNet-50 has 1001.
void checkOutputs(const Experiment& experiment, const SampleShape& output, bool classesWritten, Failures& failures) {
  const std::int64_t classes = experiment.dataset.classes;
  if (classes == 0) return;  // the failure is the data's
  const bool flat = output.height == 0;
  if (flat && (output.channels == classes || (classesWritten && output.channels > classes))) return;
  failures.push_back(
      {"network", experiment.network.name,
       fmt::format("ends with {}, but the data has {} classes", counted(output.elements(), "value"), classes),
       classesWritten && flat
           ? fmt::format("write network.classes of {} or more, or remove it: outputs then follow the data", classes)
           : fmt::format("end with a dense layer of {} outputs, or of none: they then follow the data", classes)});
}

/// Images that are as high as others have colours, and have many channels, were saved as PyTorch has them.
void checkChannels(const DatasetSpec& dataset, Failures& failures) {
  constexpr std::int64_t mostColours = 4;
  const SampleShape& shape = dataset.own.shape;
  if (!hasKey(kindOf(dataset), "channels")) return;
  if (dataset.channelsFirst || shape.height < 1 || shape.height > mostColours || shape.channels <= mostColours) return;
  failures.push_back(
      {"dataset.channels", "last",
       fmt::format("makes images of {} x {} with {} channels", shape.height, shape.width, shape.channels),
       "write \"channels\": \"first\" if the file's dimensions are samples, channels, height, width"});
}

void checkNetwork(const Experiment& experiment, bool classesWritten, Failures& failures) {
  if (experiment.network.layers.empty() || !knowsSamples(experiment.dataset)) return;
  const auto shape = networkShape(experiment.network, sampleShape(experiment.dataset));
  if (!collect(shape, failures)) return checkChannels(experiment.dataset, failures);
  checkGroups(experiment.optimizer, *shape, failures);
  addOnce(failures, checkCommFusion(experiment, *shape));
  if (shape->tensors.empty()) {
    failures.push_back({"network", experiment.network.name, "has nothing to train", "add a dense or conv2d layer"});
  }
  if (!experiment.network.isProgram()) checkOutputs(experiment, shape->outputs.back(), classesWritten, failures);
}

/// Samples that only a program has are of no use to the engine's own networks.
void checkOwner(const Experiment& experiment, Failures& failures) {
  if (experiment.network.isProgram() || !kindOf(experiment.dataset).ofProgram) return;
  failures.push_back({"dataset.name", experiment.dataset.name,
                      "is the data of a program of your own, and network.program names none",
                      "name the program, or one of the other data sets"});
}

/// What acts inside the passes of a network, which a program makes itself.
void checkProgram(const Experiment& experiment, Failures& failures) {
  if (!experiment.network.isProgram()) return;
  if (experiment.train.refreshStatistics) {
    failures.push_back({"train.refresh_statistics", "true",
                        "needs forward passes of the engine, and network.program makes them itself",
                        "remove it, and refresh the statistics of batch norms in the program"});
  }
  if (experiment.train.averageDecay) {
    failures.push_back({"train.average_decay", numberText(*experiment.train.averageDecay),
                        "is for evaluations of the engine, and network.program evaluates itself",
                        "remove it, and average the weights in the program"});
  }
}

}  // namespace

Failures checkExperiment(const Experiment& experiment, bool classesWritten) {
  Failures failures;
  checkTrain(experiment.train, failures);
  checkParallel(experiment.parallel, failures);
  checkMicroBatches(experiment, failures);
  checkNormalization(experiment.dataset, failures);
  checkLossScale(experiment, failures);
  checkPrecision(experiment, failures);
  checkLoss(experiment.loss, failures);
  checkOptimizer(experiment, failures);
  checkFusion(experiment.parallel.allReduceFusion, "parallel.all_reduce_fusion_config", failures);
  checkFusion(experiment.boost.gradientSplitGroups, "boost.dictionary.common.gradient_split_groups", failures);
  checkSharding(experiment.parallel.optimizerParallel, failures);
  checkOwner(experiment, failures);
  checkProgram(experiment, failures);
  checkNetwork(experiment, classesWritten, failures);
  return failures;
}

Failures checkRefreshing(const Experiment& experiment) {
  if (!experiment.train.refreshStatistics) return {};
  Failures failures;
  for (const LayerSpec& layer : experiment.network.layers) {
    if (layer.kind != LayerKind::batchNorm || layer.momentum != 1) continue;
    failures.push_back({"train.refresh_statistics", "true",
                        fmt::format("batch norm {} keeps the statistics that it has (momentum 1): there is nothing to "
                                    "refresh",
                                    layer.name),
                        "give it a momentum below 1, or remove refresh_statistics"});
  }
  return failures;
}

}  // namespace slipstream
