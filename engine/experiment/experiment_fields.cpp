// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/experiment/experiment_fields.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/config/number_wanted.h"
#include "engine/experiment/dataset_fields.h"
#include "engine/probe/dataset_kind.h"
#include "engine/spec/comm_fusion.h"
#include "engine/spec/device_kind.h"
#include "engine/spec/network_builtin.h"

namespace slipstream {
namespace {

const EnumNames<LossKind> lossWords{{"cross_entropy", LossKind::crossEntropy},
                                    {"cross_entropy_smooth", LossKind::crossEntropySmooth}};
const EnumNames<OptimizerKind> optimizerWords = [] {
  EnumNames<OptimizerKind> words;
  for (const OptimizerInfo& info : optimizerInfos) words.emplace_back(info.name, info.kind);
  return words;
}();
const EnumNames<ScheduleMode> scheduleWords{
    {"constant", ScheduleMode::constant},
    {"linear", ScheduleMode::linear},
    {"poly", ScheduleMode::poly},
    {"cosine", ScheduleMode::cosine},
    {"steps", ScheduleMode::steps},
    {"step", ScheduleMode::step},
    {"warmup_cosine", ScheduleMode::warmupCosine},
};
const EnumNames<GradientExchange> exchangeWords{{"auto", GradientExchange::automatic},
                                                {"hosts", GradientExchange::hosts},
                                                {"messages", GradientExchange::messages}};
const EnumNames<ShardingLevel> shardingWords{
    {"level1", ShardingLevel::level1}, {"level2", ShardingLevel::level2}, {"level3", ShardingLevel::level3}};

const EnumNames<MicroReduction> microReductionWords{{"mean", MicroReduction::mean}, {"sum", MicroReduction::sum}};
const EnumNames<OnLost> onLostWords{{"stop", OnLost::stop}, {"restart", OnLost::restart}, {"shrink", OnLost::shrink}};
const EnumNames<LossScaleKind> lossScaleWords{
    {"fixed", LossScaleKind::fixed}, {"dynamic", LossScaleKind::dynamic}, {"group", LossScaleKind::group}};

const EnumNames<MissingWeights> missingWords{{"fail", MissingWeights::fail},
                                             {"initialize", MissingWeights::initialize}};

constexpr Limits countsOrNone{.least = 0, .most = 1e15};

void describeLoss(Fields& fields, LossSpec& loss) {
  choice(fields, {"name", "Loss", "the loss"}, loss.kind, lossWords);
  fields.number({"smooth_factor", "Smoothing", "cross_entropy_smooth: share of the target given to the other classes"},
                loss.smoothFactor, {.least = 0, .most = 1, .openAbove = true});
  fields.flag({"sparse", "Targets are classes", "targets are class numbers; false: distributions"}, loss.sparse);
}

void describeSchedule(Fields& fields, ScheduleSpec& schedule) {
  choice(fields, {"mode", "Schedule", "get_lr's decay"}, schedule.mode, scheduleWords);
  fields.number({"lr_init", "Initial LR", "rate at step 0 of the warm-up"}, schedule.initial, atLeast(0));
  fields.number({"lr_end", "Final LR", "rate after the last step"}, schedule.end, atLeast(0));
  fields.number({"lr_max", "Peak LR", "highest rate; the rate itself where mode is constant"}, schedule.maximum,
                atLeast(0));
  fields.number({"warmup_epochs", "Warm-up, epochs", "epochs, also broken ones, from lr_init to lr_max"},
                schedule.warmupEpochs, atLeast(0));
  fields.number({"warmup_fraction", "Warm-up fraction", "the same as a share of the training's steps"},
                schedule.warmupFraction, {.least = 0, .most = 1, .openAbove = true});
  fields.number({"covered_fraction", "Decay fraction",
                 "share of the schedule that the training covers, instead of total_epochs; 0: not given"},
                schedule.coveredFraction, between(0, 1));
  fields.number(
      Key{"total_epochs", "Schedule, epochs", "length of the schedule; 0: of the training"}.in("0 = training's"),
      schedule.totalEpochs, atLeast(0));
  fields.integer({"start_epoch", "First epoch", "epochs of the schedule that are over already"}, schedule.startEpoch,
                 countsOrNone);
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
  const auto rate = [] { return std::vector<Json>{Json{{"type", "number"}, {"minimum", 0}}}; };
  fields.section({"learning_rate", "a rate or a schedule"}, [&](Fields& inner) { describeSchedule(inner, schedule); },
                 {constant, rate});
}

void optionalFlag(Fields& fields, const Key& key, std::optional<bool>& value) {
  if (!fields.wants(key, value.has_value())) return;
  bool flag = value.value_or(false);
  fields.flag({key.name, key.title, key.help, Key::noDefault}, flag);
  value = flag;
}

void describeGroup(Fields& fields, ParameterGroupSpec& group) {
  fields.texts({"match", "patterns of tensor names with * and ?", Key::required}, group.match);
  fields.optionalNumber({"weight_decay", "instead of the optimizer's own; not with sgd"}, group.weightDecay,
                        atLeast(0));
  optionalFlag(fields, {"grad_centralization", "instead of the optimizer's own"}, group.gradCentralization);
  if (!fields.wants("learning_rate", group.schedule.has_value())) return;
  if (!group.schedule) group.schedule = ScheduleSpec{};
  scheduleField(fields, *group.schedule);
}

/// A key of the optimizers that have a default for it. What is written for another is kept, to be refused with the
/// rest.
void optimizerNumber(Fields& fields, const Key& key, OptimizerSpec& optimizer, double& value,
                     const std::optional<double>& ofKind, const Limits& limits) {
  if (!ofKind && !fields.everything()) {
    if (!fields.takesStray(key)) return;
    fields.number(key, optimizer.strayKeys.emplace_back(key.name, 0.0).second, anyNumber);
    return;
  }
  std::optional<double> written = value;
  fields.optionalNumber(key, written, limits);
  value = written.value_or(ofKind.value_or(value));
}

void describeMomentum(Fields& fields, OptimizerSpec& optimizer) {
  const OptimizerInfo& info = infoOf(optimizer.kind);
  // MindSpore's SGD has no momentum unless it is given one; Momentum must have some (0.9 by custom).
  optimizerNumber(fields, {"momentum", "Momentum", "0.9 for momentum and lars, 0 for sgd where it is missing"},
                  optimizer, optimizer.momentum, info.momentum, {.least = 0, .most = 1, .openAbove = true});
  const bool plain = optimizer.kind == OptimizerKind::sgd || optimizer.kind == OptimizerKind::momentum;
  const Key dampening{"dampening", "Dampening", "sgd only"};
  if (plain || fields.everything() || fields.takesStray(dampening)) {
    fields.number(dampening, optimizer.dampening, between(0, 1));
  }
  const Key nesterov{"nesterov", "Nesterov", "Nesterov's momentum; sgd and momentum only"};
  if (plain || fields.everything() || fields.takesStray(nesterov)) fields.flag(nesterov, optimizer.nesterov);
}

void describeMoments(Fields& fields, OptimizerSpec& optimizer) {
  constexpr Limits share{.least = 0, .most = 1, .openAbove = true};
  const OptimizerInfo& info = infoOf(optimizer.kind);
  optimizerNumber(fields,
                  {"beta1", "Beta 1",
                   "adam, adamw, lamb, lion: share of the first moment that a step keeps; 0.9 where "
                   "it is missing"},
                  optimizer, optimizer.beta1, info.beta1, share);
  optimizerNumber(fields,
                  {"beta2", "Beta 2", "of the second moment: 0.999 where it is missing; lion: of its momentum, 0.99"},
                  optimizer, optimizer.beta2, info.beta2, share);
  optimizerNumber(fields,
                  {"eps", "Epsilon",
                   "added to the second moment's root: 1e-8 for adam and adamw, 1e-6 for lamb where "
                   "it is missing"},
                  optimizer, optimizer.epsilon, info.epsilon, above(0));
  optimizerNumber(fields,
                  {"trust_coefficient", "Trust coefficient",
                   "lars: of the ratio of a tensor's norms; 0.001 where it "
                   "is missing"},
                  optimizer, optimizer.trustCoefficient, info.trustCoefficient, above(0));
}

void describeClipping(Fields& fields, OptimizerSpec& optimizer) {
  std::optional<double> clip;
  if (optimizer.clipNorm > 0) clip = optimizer.clipNorm;
  fields.optionalNumber({"clip_norm", "Clipped to norm",
                         "a longer gradient, of all ranks and tensors together, is shortened to this norm"},
                        clip, above(0));
  optimizer.clipNorm = clip.value_or(0);
}

void describeOptimizer(Fields& fields, OptimizerSpec& optimizer) {
  choice(fields, {"name", "Optimizer", "the optimizer"}, optimizer.kind, optimizerWords);
  scheduleField(fields, optimizer.schedule);
  describeMomentum(fields, optimizer);
  describeMoments(fields, optimizer);
  fields.number({"weight_decay", "Weight decay", "L2 decay; of adamw and lion apart from the gradient"},
                optimizer.weightDecay, atLeast(0));
  describeClipping(fields, optimizer);
  fields.number({"loss_scale", "Gradient divisor",
                 "gradients are divided by it; beside precision.loss_scale it may only name the same scale"},
                optimizer.lossScale, above(0));
  fields.flag({"grad_centralization", "Centralised gradients",
               "take the mean of each row out of the gradients of tensors of two dimensions and more"},
              optimizer.gradCentralization);
  fields.list(
      {"groups", "Parameter groups", "tensors with settings of their own; the first group that matches owns a tensor"},
      optimizer.groups.size(), [&](std::size_t count) { optimizer.groups.resize(count); },
      [&](Fields& inner, std::size_t i) { describeGroup(inner, optimizer.groups[i]); });
}

void describeOptimizerParallel(Fields& fields, OptimizerParallelSpec& spec) {
  choice(fields, {"level", "Level", "what is cut into shards: optimizer state; gradients too; weights too"}, spec.level,
         shardingWords);
  fields.integer(
      Key{"shard_size", "Ranks a copy", "ranks that share one copy, a divisor of all ranks; -1: all"}.in("-1 = all"),
      spec.shardSize, between(-1, 4096));
  fields.integer({"threshold", "Threshold, kB", "kilobytes: smaller tensors stay whole on every rank"},
                 spec.thresholdKilobytes, {.least = 0, .most = 1e9});
}

/// The section's presence is the switch.
void optimizerParallelField(Fields& fields, OptimizerParallelSpec& spec) {
  if (!fields.wants("optimizer_parallel", spec.level != ShardingLevel::off)) return;
  if (spec.level == ShardingLevel::off) spec.level = ShardingLevel::level1;
  const auto describe = [&](Fields& inner) { describeOptimizerParallel(inner, spec); };
  fields.section(
      {"optimizer_parallel", "ranks share optimizer state (level1), gradients (level2) and weights (level3)"}, describe,
      wordFor("level", describe));
}

void describeParallel(Fields& fields, ParallelSpec& parallel) {
  fields.integer({"ranks", "Ranks", "ranks on this machine, or so many of the rank table"}, parallel.ranks,
                 between(1, 4096));
  fields.text({"rank_table", "Rank table", "rank table of version 1.0, relative to this file"}, parallel.rankTablePath,
              {});
  fields.text({"hosts", "Hosts", "a:4,b:4: hosts and their ranks, in place of a rank table"}, parallel.hosts, {});
  fields.flag({"gradients_mean", "Mean of gradients", "average gradients over ranks; false: sum"},
              parallel.gradientsMean);
  fields.integers({"all_reduce_fusion_config", "Sent together", "last tensor of each bucket, in forward order"},
                  parallel.allReduceFusion, atLeast(0));
  fields.integersByName(
      {"comm_fusion", "Sent together, by layer",
       "ids by name of a layer or block: neighbouring layers of equal ids send their gradients together"},
      parallel.commFusion, fusionIds);
  fields.integer({"bucket_bytes", "Bucket, bytes",
                  "gradients that are sent together, where all_reduce_fusion_config is not given"},
                 parallel.bucketBytes, {.least = 4, .most = 1e12});
  fields.flag({"overlap", "Overlap with backward", "start sending during the backward pass"}, parallel.overlap);
  choice(fields,
         {"exchange", "Exchange",
          "hosts: summed in each host's memory, then between hosts by our own messages; messages: by MPI's all-reduce"},
         parallel.exchange, exchangeWords);
  optimizerParallelField(fields, parallel.optimizerParallel);
}

void describeCheckpoint(Fields& fields, CheckpointSpec& checkpoint) {
  fields.integer(Key{"save_checkpoint_steps", "Checkpoint interval (steps)", "0: not by steps"}.in("0 = off"),
                 checkpoint.everySteps, countsOrNone);
  fields.number(Key{"save_checkpoint_seconds", "Checkpoint interval (s)", "steps win where both are set"}.in("0 = off"),
                checkpoint.everySeconds, atLeast(0));
  fields.integer({"keep_checkpoint_max", "Checkpoints kept", "the oldest goes first"}, checkpoint.keep, positiveCount);
  fields.flag({"weights_only", "Weights only", "without optimizer and data position: cannot be resumed from"},
              checkpoint.weightsOnly);
  fields.flag({"at_end", "Checkpoint at the end", "one after the last step"}, checkpoint.atEnd);
}

void describeSnapshots(Fields& fields, SnapshotSpec& snapshots) {
  fields.number({"first_epoch", "Snapshots from epoch", "epochs of the stage before the first interval"},
                snapshots.firstEpoch, between(0, 1e6));
  fields.integer({"per_epoch", "Snapshots an epoch", "evenly spread over each epoch"}, snapshots.perEpoch,
                 between(1, 1e6));
  fields.integer({"keep", "Snapshots kept", "the newest so many"}, snapshots.keep, between(1, 10'000));
  fields.optionalNumber(
      {"first_fraction", "Snapshots after share",
       "instead of first_epoch and per_epoch: keep snapshots, evenly over what follows this share of the stage"},
      snapshots.firstFraction, {.least = 0, .most = 1, .openAbove = true});
}

void describeLosses(Fields& fields, TrainSpec& train) {
  choice(fields,
         {"on_lost", "After a lost process or host",
          "stop: the run fails; restart: it goes on from its last checkpoint; shrink: without lost hosts if need be"},
         train.onLost, onLostWords);
  fields.integer({"min_ranks", "Fewest ranks", "shrink: a run that is left with fewer ranks fails"}, train.minRanks,
                 between(1, 4096));
  fields.number({"wait_for_hosts", "Wait for hosts (s)",
                 "restart, shrink: seconds that hosts which do not answer are waited for"},
                train.waitForHosts, between(0, 1e6));
}

void describeTrain(Fields& fields, TrainSpec& train) {
  fields.optionalNumber({"epochs", "Epochs", "passes over the data; not beside steps"}, train.epochs,
                        {.least = 0, .most = 1e6, .openBelow = true});
  fields.flag({"refresh_statistics", "Refresh statistics",
               "one more step: forward passes over an epoch, of which batch norms keep the plain mean"},
              train.refreshStatistics);
  const double fewest =
      train.refreshStatistics || fields.everything() ? 0 : 1;  // with nothing to train, there is the refreshing
  fields.optionalInteger({"steps", "Steps", "updates; not beside epochs; 0 beside refresh_statistics only"},
                         train.steps, {.least = fewest, .most = 1e12});
  if (!train.epochs && !train.steps) train.epochs = 1;
  fields.integer(
      Key{"micro_size", "Micro-batches", "micro-batches that a batch passes through the network in"}.in("per batch"),
      train.microSize, positiveCount);
  choice(fields,
         {"micro_reduction", "Reduction",
          "loss and gradient over micro-batches; sum: as MindSpore's GradAccumulationCell"},
         train.microReduction, microReductionWords);
  fields.integer(
      Key{"evaluate_every_steps", "Evaluation interval (steps)", "0: once an epoch and at the end"}.in("0 = by epoch"),
      train.evaluateEverySteps, countsOrNone);
  fields.integer({"log_every_steps", "Log interval (steps)", "printed loss lines"}, train.logEverySteps, positiveCount);
  fields.optionalNumber({"target_accuracy", "Target accuracy",
                         "what steps and seconds to target are counted up to; the run goes on to its end"},
                        train.targetAccuracy, {.least = 0, .most = 1, .openBelow = true});
  fields.optionalNumber({"average_decay", "Weight average, decay",
                         "share of an exponential average of the weights that each update keeps; evaluations judge it"},
                        train.averageDecay, strictlyBetween(0, 1));
  fields.flag({"stop_on_invalid_loss", "Stop on invalid loss", "a NaN or infinite loss ends the run as failed"},
              train.stopOnInvalidLoss);
  describeLosses(fields, train);
  if (fields.wants("snapshots", train.snapshots.has_value())) {
    if (!train.snapshots) train.snapshots = SnapshotSpec{};
    fields.section({"snapshots", "weights that a stage keeps on its way for a later stage"},
                   [&](Fields& inner) { describeSnapshots(inner, *train.snapshots); });
  }
  fields.section({"checkpoint", "when a state is kept that the run can be resumed from"},
                 [&](Fields& inner) { describeCheckpoint(inner, train.checkpoint); });
}

void describeLossScale(Fields& fields, LossScaleSpec& spec) {
  if (spec.kind == LossScaleKind::none) spec.kind = LossScaleKind::dynamic;
  choice(fields,
         {"kind", "Kind", "fixed; dynamic: shrinks after overflows and grows without; group: one a parameter group"},
         spec.kind, lossScaleWords);
  std::optional<double> scale;
  if (spec.scale > 0) scale = spec.scale;
  fields.optionalNumber({"scale", "First scale",
                         "the first one; 128 for fixed, 16777216 for dynamic, 4096 for group where it is missing"},
                        scale, {.least = 1, .most = 1e30});
  spec.scale = scale.value_or(firstScale(spec.kind));
  if (spec.kind == LossScaleKind::dynamic || fields.everything()) {
    fields.number({"factor", "Factor", "dynamic: the scale is divided or multiplied by it"}, spec.factor,
                  {.least = 1, .most = 1e9});
    fields.integer(
        Key{"window", "Growth interval", "dynamic: steps without an overflow until the scale grows"}.in("steps"),
        spec.window, positiveCount);
  }
  if (spec.kind == LossScaleKind::fixed || fields.everything()) {
    fields.flag(
        {"drop_overflow_update", "Drop overflowing steps", "fixed: skip updates that overflow; false: never look"},
        spec.dropOverflowUpdate);
  }
}

void describePrecision(Fields& fields, Experiment& experiment) {
  fields.text({"amp_level", "Mixed precision",
               "O0: everything in fp32; O2, O3: images between layers in bf16, with a loss scale on a GPU in fp16, "
               "for networks that have images between layers; auto: O2 there on a GPU, and where the processor has "
               "instructions for bf16"},
              experiment.ampLevel, {"O0", "O2", "O3", "auto"});
  fields.flag({"keep_batchnorm_fp32", "Batch norms in fp32",
               "batch norms keep statistics and parameters in fp32: always; false is refused but at O0"},
              experiment.keepBatchNormFp32);
  if (!fields.wants("loss_scale", experiment.lossScale.kind != LossScaleKind::none)) return;
  const auto describe = [&](Fields& inner) { describeLossScale(inner, experiment.lossScale); };
  const auto shorthand = [&](const Json& value, const std::string& path, Failures& failures) {
    if (!value.is_number()) return wordFor("kind", describe).read(value, path, failures);
    readFields(Json{{"kind", "fixed"}, {"scale", value}}, path, failures, describe);
    return true;
  };
  const auto forms = [&] {
    std::vector<Json> all = wordFor("kind", describe).forms();
    all.push_back(Json{{"type", "number"}, {"minimum", 1}});
    return all;
  };
  fields.section({"loss_scale", "what the loss is multiplied by during the backward pass; a number is a fixed scale"},
                 describe, {shorthand, forms});
}

void preTrainedField(Fields& fields, PreTrainedSpec& spec) {
  if (!fields.wants("pre_trained", !spec.file.empty())) return;
  const auto describe = [&](Fields& inner) {
    inner.text({"file", "Weights from a file", "a .ckpt or .safetensors file; relative to this file", Key::required},
               spec.file, {});
    choice(inner,
           {"missing", "Missing weights",
            "what tensors get that it lacks or has in another shape: the run is refused, or they are initialized"},
           spec.missing, missingWords);
  };
  const auto shorthand = [&](const Json& value, const std::string& path, Failures& failures) {
    if (value != "") return wordFor("file", describe).read(value, path, failures);
    failures.push_back({path, "", "names no file", "name one, or remove the key: the weights are initialized then"});
    return true;
  };
  fields.section({"pre_trained", "a .ckpt or .safetensors file whose weights the run starts from, taken by name"},
                 describe, {shorthand, wordFor("file", describe).forms});
}

void describeSeed(Fields& fields, std::uint64_t& seed) {
  auto value = static_cast<std::int64_t>(seed);
  fields.integer({"seed", "Seed", "seed of every random stream"}, value, between(0, 9.2e18));
  seed = static_cast<std::uint64_t>(value);
}

/// A section that may be written as its name alone, which became the name of an object before fields are read
/// (config_overlay.h).
Fields::Shorthand nameAlone(const std::vector<std::string>& names) {
  return {{}, [names] { return std::vector<Json>{Json{{"enum", names}}}; }};
}

/// What file and resolved form have in common; `resolved`: what was found out about the data is there too.
void describeCommon(Fields& fields, ExperimentSections& sections, bool resolved) {
  Experiment& experiment = sections.experiment;
  describeSeed(fields, experiment.seed);
  fields.text({"device", "Device", ("where ranks compute: " + deviceNamesHelp()).c_str()}, experiment.device,
              deviceNames());
  const auto network = [&](Fields& inner) {
    describeNetwork(inner, sections.network);
    describeConventions(inner, sections.network, resolved);
    preTrainedField(inner, experiment.preTrained);
  };
  fields.section({"network", "the network"}, network, nameAlone(builtInNetworks()));
  const auto dataset = [&](Fields& inner) {
    describeDataset(inner, experiment.dataset);
    if (resolved) describeFound(inner, experiment.dataset);
    const DatasetKind* kind = findDatasetKind(experiment.dataset.name);
    const bool mayFallBack = inner.everything() || (kind != nullptr && !kind->fallback.empty());
    if (!mayFallBack || !inner.wants("fallback", !sections.datasetFallback.empty())) return;
    inner.text({"fallback", "Fallback data set", "generated digits where the data is missing"},
               sections.datasetFallback, fallbackNames());
  };
  fields.section({"dataset", "the data set"}, dataset, nameAlone(datasetNames()));
  const auto loss = [&](Fields& inner) { describeLoss(inner, experiment.loss); };
  fields.section({"loss", "the loss"}, loss, nameAlone(wordsOf(lossWords)));
  const auto optimizer = [&](Fields& inner) { describeOptimizer(inner, experiment.optimizer); };
  fields.section({"optimizer", "the optimizer"}, optimizer, nameAlone(wordsOf(optimizerWords)));
  fields.section({"precision", "which numbers are kept in fewer bits"},
                 [&](Fields& inner) { describePrecision(inner, experiment); });
  fields.section({"parallel", "the ranks, and what they share and exchange"},
                 [&](Fields& inner) { describeParallel(inner, experiment.parallel); });
  fields.section({"train", "how long, and what is evaluated and kept on the way"},
                 [&](Fields& inner) { describeTrain(inner, experiment.train); });
}

/// The switches and values as they came out, so that a run keeps them whatever a later version makes of its words.
void describeBoostConfig(Fields& fields, BoostConfig& boost) {
  choice(fields, "level", boost.level, boostLevels);
  fields.text("dictionary_text", boost.dictionaryText, {});
  for (const std::string& section : boostSections()) {
    fields.section(section.c_str(), [&](Fields& inner) { describeBoostSection(inner, section, boost); });
  }
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.describeFindings) algorithm.describeFindings(fields, boost);
  }
  fields.list(
      "decisions", boost.decisions.size(), [&](std::size_t count) { boost.decisions.resize(count); },
      [&](Fields& inner, std::size_t i) { describeDecision(inner, boost.decisions[i]); });
}

}  // namespace

void describeExperimentFile(Fields& fields, ExperimentSections& sections) {
  fields.text({"name", "Name", "name of the experiment; the file's name where it is missing"}, sections.experiment.name,
              {});
  describeCommon(fields, sections, false);
  fields.section({"boost", "acceleration algorithms; a dictionary's sections may be directly in it"},
                 [&](Fields& inner) {
                   inner.text("level", sections.boostLevel, {});
                   inner.raw("dictionary", sections.boostDictionary);
                 });
  fields.text({"$schema", "Schema", "this schema, for editors"}, sections.schema, {});
  // Read and taken out before: here they are known, so that what is nearly one of them is pointed to it.
  for (const char* key : {"variants", "seeds", "stages", "boost_level", "boost_config_dict"}) fields.wants(key, false);
}

void describeResolved(Fields& fields, ExperimentSections& sections) {
  fields.text("name", sections.experiment.name, {});
  fields.text("variant", sections.experiment.variant, {});
  describeCommon(fields, sections, true);
  fields.section("boost", [&](Fields& inner) { describeBoostConfig(inner, sections.experiment.boost); });
}

}  // namespace slipstream
