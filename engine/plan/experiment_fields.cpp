// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/experiment_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/plan/comm_fusion.h"
#include "engine/plan/dataset_fields.h"
#include "engine/plan/device_name.h"
#include "engine/plan/number_wanted.h"

namespace slipstream {
namespace {

const Words<LossKind> lossWords{{"cross_entropy", LossKind::crossEntropy},
                                {"cross_entropy_smooth", LossKind::crossEntropySmooth}};
const Words<OptimizerKind> optimizerWords{{"sgd", OptimizerKind::sgd}, {"momentum", OptimizerKind::momentum}};
const Words<ScheduleMode> scheduleWords{
    {"constant", ScheduleMode::constant},
    {"linear", ScheduleMode::linear},
    {"poly", ScheduleMode::poly},
    {"cosine", ScheduleMode::cosine},
    {"steps", ScheduleMode::steps},
    {"step", ScheduleMode::step},
    {"warmup_cosine", ScheduleMode::warmupCosine},
};
const Words<ShardingLevel> shardingWords{
    {"level1", ShardingLevel::level1}, {"level2", ShardingLevel::level2}, {"level3", ShardingLevel::level3}};

const Words<MicroReduction> microReductionWords{{"mean", MicroReduction::mean}, {"sum", MicroReduction::sum}};
const Words<LossScaleKind> lossScaleWords{
    {"fixed", LossScaleKind::fixed}, {"dynamic", LossScaleKind::dynamic}, {"group", LossScaleKind::group}};

const Words<MissingWeights> missingWords{{"fail", MissingWeights::fail}, {"initialize", MissingWeights::initialize}};

constexpr Limits countsOrNone{.least = 0, .most = 1e15};

void describeLoss(Fields& fields, LossSpec& loss) {
  choice(fields, "name", loss.kind, lossWords);
  fields.number("smooth_factor", loss.smoothFactor, {.least = 0, .most = 1, .openAbove = true});
  fields.flag("sparse", loss.sparse);
}

void describeSchedule(Fields& fields, ScheduleSpec& schedule) {
  choice(fields, "mode", schedule.mode, scheduleWords);
  fields.number("lr_init", schedule.initial, atLeast(0));
  fields.number("lr_end", schedule.end, atLeast(0));
  fields.number("lr_max", schedule.maximum, atLeast(0));
  fields.number("warmup_epochs", schedule.warmupEpochs, atLeast(0));
  fields.number("warmup_fraction", schedule.warmupFraction, {.least = 0, .most = 1, .openAbove = true});
  fields.number("covered_fraction", schedule.coveredFraction, between(0, 1));
  fields.number("total_epochs", schedule.totalEpochs, atLeast(0));
  fields.integer("start_epoch", schedule.startEpoch, countsOrNone);
}

void scheduleField(Fields& fields, ScheduleSpec& schedule) {
  const auto constant = [&](const Json& value, const std::string& path, Failures& failures) {
    if (!value.is_number()) {
      failures.push_back({path, shortText(value), fmt::format("must be {} or a schedule's object", numberWanted(value)),
                          R"(write 0.1, or {"mode": "cosine", "lr_max": 0.1})"});
      return true;
    }
    schedule = ScheduleSpec{};
    readFields(Json{{"lr_max", value}}, path, failures, [&](Fields& inner) { describeSchedule(inner, schedule); });
    return true;
  };
  fields.section(
      "learning_rate", [&](Fields& inner) { describeSchedule(inner, schedule); }, constant);
}

void optionalFlag(Fields& fields, const char* key, std::optional<bool>& value) {
  if (!fields.wants(key, value.has_value())) return;
  bool flag = value.value_or(false);
  fields.flag(key, flag);
  value = flag;
}

void describeGroup(Fields& fields, ParameterGroupSpec& group) {
  fields.texts("match", group.match);
  fields.optionalNumber("weight_decay", group.weightDecay, atLeast(0));
  optionalFlag(fields, "grad_centralization", group.gradCentralization);
  if (!fields.wants("learning_rate", group.schedule.has_value())) return;
  if (!group.schedule) group.schedule = ScheduleSpec{};
  scheduleField(fields, *group.schedule);
}

void describeOptimizer(Fields& fields, OptimizerSpec& optimizer) {
  choice(fields, "name", optimizer.kind, optimizerWords);
  scheduleField(fields, optimizer.schedule);
  // MindSpore's SGD has no momentum unless it is given one; Momentum must have some (0.9 by custom).
  std::optional<double> momentum = optimizer.momentum;
  fields.optionalNumber("momentum", momentum, {.least = 0, .most = 1, .openAbove = true});
  optimizer.momentum = momentum.value_or(optimizer.kind == OptimizerKind::sgd ? 0.0 : 0.9);
  fields.number("dampening", optimizer.dampening, between(0, 1));
  fields.number("weight_decay", optimizer.weightDecay, atLeast(0));
  fields.flag("nesterov", optimizer.nesterov);
  fields.number("loss_scale", optimizer.lossScale, above(0));
  fields.flag("grad_centralization", optimizer.gradCentralization);
  fields.list(
      "groups", optimizer.groups.size(), [&](std::size_t count) { optimizer.groups.resize(count); },
      [&](Fields& inner, std::size_t i) { describeGroup(inner, optimizer.groups[i]); });
}

void describeOptimizerParallel(Fields& fields, OptimizerParallelSpec& spec) {
  choice(fields, "level", spec.level, shardingWords);
  fields.integer("shard_size", spec.shardSize, between(-1, 4096));
  fields.integer("threshold", spec.thresholdKilobytes, {.least = 0, .most = 1e9});
}

/// The section's presence is the switch.
void optimizerParallelField(Fields& fields, OptimizerParallelSpec& spec) {
  if (!fields.wants("optimizer_parallel", spec.level != ShardingLevel::off)) return;
  if (spec.level == ShardingLevel::off) spec.level = ShardingLevel::level1;
  const auto describe = [&](Fields& inner) { describeOptimizerParallel(inner, spec); };
  fields.section("optimizer_parallel", describe, wordFor("level", describe));
}

void describeParallel(Fields& fields, ParallelSpec& parallel) {
  fields.integer("ranks", parallel.ranks, between(1, 4096));
  fields.text("rank_table", parallel.rankTablePath, {});
  fields.flag("gradients_mean", parallel.gradientsMean);
  fields.integers("all_reduce_fusion_config", parallel.allReduceFusion, atLeast(0));
  fields.integersByName("comm_fusion", parallel.commFusion, fusionIds);
  fields.integer("bucket_bytes", parallel.bucketBytes, {.least = 4, .most = 1e12});
  fields.flag("overlap", parallel.overlap);
  optimizerParallelField(fields, parallel.optimizerParallel);
}

void describeCheckpoint(Fields& fields, CheckpointSpec& checkpoint) {
  fields.integer("save_checkpoint_steps", checkpoint.everySteps, countsOrNone);
  fields.number("save_checkpoint_seconds", checkpoint.everySeconds, atLeast(0));
  fields.integer("keep_checkpoint_max", checkpoint.keep, positiveCount);
  fields.flag("weights_only", checkpoint.weightsOnly);
  fields.flag("at_end", checkpoint.atEnd);
}

void describeSnapshots(Fields& fields, SnapshotSpec& snapshots) {
  fields.number("first_epoch", snapshots.firstEpoch, between(0, 1e6));
  fields.integer("per_epoch", snapshots.perEpoch, between(1, 1e6));
  fields.integer("keep", snapshots.keep, between(1, 10'000));
  fields.optionalNumber("first_fraction", snapshots.firstFraction, {.least = 0, .most = 1, .openAbove = true});
}

void describeTrain(Fields& fields, TrainSpec& train) {
  fields.optionalNumber("epochs", train.epochs, {.least = 0, .most = 1e6, .openBelow = true});
  fields.flag("refresh_statistics", train.refreshStatistics);
  const double fewest = train.refreshStatistics ? 0 : 1;  // with nothing to train, there is the refreshing
  fields.optionalInteger("steps", train.steps, {.least = fewest, .most = 1e12});
  if (!train.epochs && !train.steps) train.epochs = 1;
  fields.integer("micro_size", train.microSize, positiveCount);
  choice(fields, "micro_reduction", train.microReduction, microReductionWords);
  fields.integer("evaluate_every_steps", train.evaluateEverySteps, countsOrNone);
  fields.integer("log_every_steps", train.logEverySteps, positiveCount);
  fields.optionalNumber("target_accuracy", train.targetAccuracy, {.least = 0, .most = 1, .openBelow = true});
  fields.flag("stop_on_invalid_loss", train.stopOnInvalidLoss);
  if (fields.wants("snapshots", train.snapshots.has_value())) {
    if (!train.snapshots) train.snapshots = SnapshotSpec{};
    fields.section("snapshots", [&](Fields& inner) { describeSnapshots(inner, *train.snapshots); });
  }
  fields.section("checkpoint", [&](Fields& inner) { describeCheckpoint(inner, train.checkpoint); });
}

void describeLossScale(Fields& fields, LossScaleSpec& spec) {
  if (spec.kind == LossScaleKind::none) spec.kind = LossScaleKind::dynamic;
  choice(fields, "kind", spec.kind, lossScaleWords);
  std::optional<double> scale;
  if (spec.scale > 0) scale = spec.scale;
  fields.optionalNumber("scale", scale, {.least = 1, .most = 1e30});
  spec.scale = scale.value_or(firstScale(spec.kind));
  if (spec.kind == LossScaleKind::dynamic || fields.everything()) {
    fields.number("factor", spec.factor, {.least = 1, .most = 1e9});
    fields.integer("window", spec.window, positiveCount);
  }
  if (spec.kind == LossScaleKind::fixed || fields.everything()) {
    fields.flag("drop_overflow_update", spec.dropOverflowUpdate);
  }
}

void describePrecision(Fields& fields, Experiment& experiment) {
  fields.text("amp_level", experiment.ampLevel, {"O0", "O2", "O3", "auto"});
  fields.flag("keep_batchnorm_fp32", experiment.keepBatchNormFp32);
  if (!fields.wants("loss_scale", experiment.lossScale.kind != LossScaleKind::none)) return;
  const auto describe = [&](Fields& inner) { describeLossScale(inner, experiment.lossScale); };
  const auto shorthand = [&](const Json& value, const std::string& path, Failures& failures) {
    if (!value.is_number()) return wordFor("kind", describe)(value, path, failures);
    readFields(Json{{"kind", "fixed"}, {"scale", value}}, path, failures, describe);
    return true;
  };
  fields.section("loss_scale", describe, shorthand);
}

void preTrainedField(Fields& fields, PreTrainedSpec& spec) {
  if (!fields.wants("pre_trained", !spec.file.empty())) return;
  const auto describe = [&](Fields& inner) {
    inner.text("file", spec.file, {});
    choice(inner, "missing", spec.missing, missingWords);
  };
  const auto shorthand = [&](const Json& value, const std::string& path, Failures& failures) {
    if (value != "") return wordFor("file", describe)(value, path, failures);
    failures.push_back({path, "", "names no file", "name one, or remove the key: the weights are initialized then"});
    return true;
  };
  fields.section("pre_trained", describe, shorthand);
}

void describeSeed(Fields& fields, std::uint64_t& seed) {
  auto value = static_cast<std::int64_t>(seed);
  fields.integer("seed", value, between(0, 9.2e18));
  seed = static_cast<std::uint64_t>(value);
}

/// What file and resolved form have in common; `resolved`: what was found out about the data stands there too.
void describeCommon(Fields& fields, ExperimentSections& sections, bool resolved) {
  Experiment& experiment = sections.experiment;
  describeSeed(fields, experiment.seed);
  fields.text("device", experiment.device, deviceNames());
  fields.section("network", [&](Fields& inner) {
    describeNetwork(inner, sections.network);
    preTrainedField(inner, experiment.preTrained);
  });
  fields.section("dataset", [&](Fields& inner) {
    describeDataset(inner, experiment.dataset);
    if (resolved) inner.integer("classes", experiment.dataset.classes, atLeast(0));
    const bool mayFallBack =
        inner.everything() || experiment.dataset.name == "mnist" || experiment.dataset.name == "digits";
    if (!mayFallBack || !inner.wants("fallback", !sections.datasetFallback.empty())) return;
    inner.text("fallback", sections.datasetFallback, {"digits"});
  });
  fields.section("loss", [&](Fields& inner) { describeLoss(inner, experiment.loss); });
  fields.section("optimizer", [&](Fields& inner) { describeOptimizer(inner, experiment.optimizer); });
  fields.section("precision", [&](Fields& inner) { describePrecision(inner, experiment); });
  fields.section("parallel", [&](Fields& inner) { describeParallel(inner, experiment.parallel); });
  fields.section("train", [&](Fields& inner) { describeTrain(inner, experiment.train); });
}

/// The switches and values as they came out, so that a run keeps them whatever a later version makes of its words.
void describeBoostConfig(Fields& fields, BoostConfig& boost) {
  choice(fields, "level", boost.level, boostLevels);
  fields.text("dictionary_text", boost.dictionaryText, {});
  for (const std::string& section : boostSections()) {
    fields.section(section.c_str(), [&](Fields& inner) { describeBoostSection(inner, section, boost); });
  }
  choice(fields, "pca_matrix", boost.pcaMatrix, matrixUses);
  if (fields.wants("removed_batch_norms", boost.removedBatchNorms > 0)) {
    fields.integer("removed_batch_norms", boost.removedBatchNorms, atLeast(0));
  }
  fields.list(
      "decisions", boost.decisions.size(), [&](std::size_t count) { boost.decisions.resize(count); },
      [&](Fields& inner, std::size_t i) { describeDecision(inner, boost.decisions[i]); });
}

}  // namespace

void describeExperimentFile(Fields& fields, ExperimentSections& sections) {
  fields.text("$schema", sections.schema, {});
  fields.text("name", sections.experiment.name, {});
  describeCommon(fields, sections, false);
  fields.section("boost", [&](Fields& inner) {
    inner.text("level", sections.boostLevel, {});
    inner.raw("dictionary", sections.boostDictionary);
  });
  // Read and taken out before: here they are known, so that what is nearly one of them is pointed to it.
  for (const char* key : {"variants", "stages", "boost_level", "boost_config_dict"}) fields.wants(key, false);
}

void describeResolved(Fields& fields, ExperimentSections& sections) {
  fields.text("name", sections.experiment.name, {});
  fields.text("variant", sections.experiment.variant, {});
  describeCommon(fields, sections, true);
  fields.section("boost", [&](Fields& inner) { describeBoostConfig(inner, sections.experiment.boost); });
}

}  // namespace slipstream
