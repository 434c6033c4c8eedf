// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/key_words.h"

#include <QCoreApplication>
#include <QFile>
#include <algorithm>
#include <array>
#include <map>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/plan/boost_options.h"

namespace slipstream::ui {
namespace {

struct Title {
  const char* path;  ///< the end of a key's path
  const char* words;
};

/// Longer ends stand before shorter ones.
constexpr std::array titles{
    Title{"dictionary.adasum.mode", QT_TRANSLATE_NOOP("KeyWords", "Works on")},
    Title{"adasum.scope", QT_TRANSLATE_NOOP("KeyWords", "Scope")},
    Title{"adasum.exchange", QT_TRANSLATE_NOOP("KeyWords", "Exchange")},
    Title{"less_bn.fn_flag", QT_TRANSLATE_NOOP("KeyWords", "Normalised head")},
    Title{"less_bn.gc_flag", QT_TRANSLATE_NOOP("KeyWords", "Centralised gradients")},
    Title{"grad_freeze.param_groups", QT_TRANSLATE_NOOP("KeyWords", "Parameter groups")},
    Title{"grad_freeze.freeze_type", QT_TRANSLATE_NOOP("KeyWords", "Kind of schedule")},
    Title{"grad_freeze.freeze_p", QT_TRANSLATE_NOOP("KeyWords", "Share of full steps")},
    Title{"grad_freeze.total_steps", QT_TRANSLATE_NOOP("KeyWords", "Schedule length")},
    Title{"grad_accumulation_step", QT_TRANSLATE_NOOP("KeyWords", "Batches an update")},
    Title{"dim_reduce.rho", QT_TRANSLATE_NOOP("KeyWords", "Line search factor")},
    Title{"dim_reduce.gamma", QT_TRANSLATE_NOOP("KeyWords", "Residual momentum")},
    Title{"dim_reduce.alpha", QT_TRANSLATE_NOOP("KeyWords", "Residual weight")},
    Title{"dim_reduce.sigma", QT_TRANSLATE_NOOP("KeyWords", "Least decrease")},
    Title{"n_components", QT_TRANSLATE_NOOP("KeyWords", "Components")},
    Title{"pca_mat_path", QT_TRANSLATE_NOOP("KeyWords", "Ready projection")},
    Title{"weight_load_dir", QT_TRANSLATE_NOOP("KeyWords", "Folder of weights")},
    Title{"dim_reduce.timeout", QT_TRANSLATE_NOOP("KeyWords", "Time limit")},
    Title{"max_search", QT_TRANSLATE_NOOP("KeyWords", "Most tries")},
    Title{"dim_reduce.method", QT_TRANSLATE_NOOP("KeyWords", "Method")},
    Title{"dim_reduce.weight_decay", QT_TRANSLATE_NOOP("KeyWords", "Weight decay")},
    Title{"gradient_split_groups", QT_TRANSLATE_NOOP("KeyWords", "Gradient groups")},
    Title{"device_number", QT_TRANSLATE_NOOP("KeyWords", "Devices a server")},
    Title{"optimizer_parallel.level", QT_TRANSLATE_NOOP("KeyWords", "Level")},
    Title{"shard_size", QT_TRANSLATE_NOOP("KeyWords", "Ranks a copy")},
    Title{"optimizer_parallel.threshold", QT_TRANSLATE_NOOP("KeyWords", "Threshold, kB")},
    Title{"loss_scale.kind", QT_TRANSLATE_NOOP("KeyWords", "Kind")},
    Title{"loss_scale.scale", QT_TRANSLATE_NOOP("KeyWords", "First scale")},
    Title{"loss_scale.factor", QT_TRANSLATE_NOOP("KeyWords", "Factor")},
    Title{"loss_scale.window", QT_TRANSLATE_NOOP("KeyWords", "Clean steps to grow")},
    Title{"drop_overflow_update", QT_TRANSLATE_NOOP("KeyWords", "Drop overflowing steps")},
    Title{"optimizer.grad_centralization", QT_TRANSLATE_NOOP("KeyWords", "Centralised gradients")},
    Title{"micro_size", QT_TRANSLATE_NOOP("KeyWords", "Micro-batches")},
    Title{"micro_reduction", QT_TRANSLATE_NOOP("KeyWords", "Reduction")},
    Title{"$schema", QT_TRANSLATE_NOOP("KeyWords", "Schema")},
    Title{"seed", QT_TRANSLATE_NOOP("KeyWords", "Seed")},
    Title{"device", QT_TRANSLATE_NOOP("KeyWords", "Device")},
    Title{"network.name", QT_TRANSLATE_NOOP("KeyWords", "Network")},
    Title{"network.classes", QT_TRANSLATE_NOOP("KeyWords", "Classes")},
    Title{"network.hidden", QT_TRANSLATE_NOOP("KeyWords", "Hidden layers")},
    Title{"network.layers", QT_TRANSLATE_NOOP("KeyWords", "Layers")},
    Title{"pre_trained.file", QT_TRANSLATE_NOOP("KeyWords", "Weights from a file")},
    Title{"pre_trained.missing", QT_TRANSLATE_NOOP("KeyWords", "What the file lacks")},
    Title{"weight_init.name", QT_TRANSLATE_NOOP("KeyWords", "Weights start")},
    Title{"weight_init.parameter", QT_TRANSLATE_NOOP("KeyWords", "Weights, parameter")},
    Title{"bias_init.name", QT_TRANSLATE_NOOP("KeyWords", "Biases start")},
    Title{"bias_init.parameter", QT_TRANSLATE_NOOP("KeyWords", "Biases, parameter")},
    Title{"dataset.name", QT_TRANSLATE_NOOP("KeyWords", "Data set")},
    Title{"dataset.path", QT_TRANSLATE_NOOP("KeyWords", "Folder")},
    Title{"batch_size", QT_TRANSLATE_NOOP("KeyWords", "Batch size")},
    Title{"dataset.shard", QT_TRANSLATE_NOOP("KeyWords", "Shared among ranks")},
    Title{"dataset.shuffle", QT_TRANSLATE_NOOP("KeyWords", "Shuffled")},
    Title{"drop_remainder", QT_TRANSLATE_NOOP("KeyWords", "Drop short batches")},
    Title{"train_samples", QT_TRANSLATE_NOOP("KeyWords", "Training samples")},
    Title{"evaluation_samples", QT_TRANSLATE_NOOP("KeyWords", "Evaluation samples")},
    Title{"dataset.mean", QT_TRANSLATE_NOOP("KeyWords", "Mean of inputs")},
    Title{"dataset.deviation", QT_TRANSLATE_NOOP("KeyWords", "Deviation of inputs")},
    Title{"image_size", QT_TRANSLATE_NOOP("KeyWords", "Picture size")},
    Title{"on_broken", QT_TRANSLATE_NOOP("KeyWords", "Broken pictures")},
    Title{"dataset.augment", QT_TRANSLATE_NOOP("KeyWords", "Random crops and flips")},
    Title{"decode_threads", QT_TRANSLATE_NOOP("KeyWords", "Decoding threads")},
    Title{"prefetch_batches", QT_TRANSLATE_NOOP("KeyWords", "Batches ahead")},
    Title{"dataset.fallback", QT_TRANSLATE_NOOP("KeyWords", "Where data is missing")},
    Title{"loss.name", QT_TRANSLATE_NOOP("KeyWords", "Loss")},
    Title{"smooth_factor", QT_TRANSLATE_NOOP("KeyWords", "Smoothing")},
    Title{"loss.sparse", QT_TRANSLATE_NOOP("KeyWords", "Targets are classes")},
    Title{"optimizer.name", QT_TRANSLATE_NOOP("KeyWords", "Optimizer")},
    Title{"learning_rate.mode", QT_TRANSLATE_NOOP("KeyWords", "Schedule")},
    Title{"lr_init", QT_TRANSLATE_NOOP("KeyWords", "Rate at the start")},
    Title{"lr_end", QT_TRANSLATE_NOOP("KeyWords", "Rate at the end")},
    Title{"lr_max", QT_TRANSLATE_NOOP("KeyWords", "Highest rate")},
    Title{"warmup_epochs", QT_TRANSLATE_NOOP("KeyWords", "Warm-up, epochs")},
    Title{"warmup_fraction", QT_TRANSLATE_NOOP("KeyWords", "Warm-up, share")},
    Title{"covered_fraction", QT_TRANSLATE_NOOP("KeyWords", "Schedule, share covered")},
    Title{"total_epochs", QT_TRANSLATE_NOOP("KeyWords", "Schedule, epochs")},
    Title{"start_epoch", QT_TRANSLATE_NOOP("KeyWords", "First epoch")},
    Title{"optimizer.momentum", QT_TRANSLATE_NOOP("KeyWords", "Momentum")},
    Title{"dampening", QT_TRANSLATE_NOOP("KeyWords", "Dampening")},
    Title{"weight_decay", QT_TRANSLATE_NOOP("KeyWords", "Weight decay")},
    Title{"nesterov", QT_TRANSLATE_NOOP("KeyWords", "Nesterov")},
    Title{"optimizer.loss_scale", QT_TRANSLATE_NOOP("KeyWords", "Divide gradients by")},
    Title{"optimizer.groups", QT_TRANSLATE_NOOP("KeyWords", "Parameter groups")},
    Title{"amp_level", QT_TRANSLATE_NOOP("KeyWords", "Mixed precision")},
    Title{"keep_batchnorm_fp32", QT_TRANSLATE_NOOP("KeyWords", "Batch norms in fp32")},
    Title{"parallel.ranks", QT_TRANSLATE_NOOP("KeyWords", "Ranks")},
    Title{"rank_table", QT_TRANSLATE_NOOP("KeyWords", "Rank table")},
    Title{"gradients_mean", QT_TRANSLATE_NOOP("KeyWords", "Mean of gradients")},
    Title{"all_reduce_fusion_config", QT_TRANSLATE_NOOP("KeyWords", "Sent together")},
    Title{"comm_fusion", QT_TRANSLATE_NOOP("KeyWords", "Sent together, by layer")},
    Title{"bucket_bytes", QT_TRANSLATE_NOOP("KeyWords", "Bucket, bytes")},
    Title{"overlap", QT_TRANSLATE_NOOP("KeyWords", "Overlap with backward")},
    Title{"epochs", QT_TRANSLATE_NOOP("KeyWords", "Epochs")},
    Title{"train.steps", QT_TRANSLATE_NOOP("KeyWords", "Steps")},
    Title{"refresh_statistics", QT_TRANSLATE_NOOP("KeyWords", "Refresh statistics")},
    Title{"log_every_steps", QT_TRANSLATE_NOOP("KeyWords", "Print every, steps")},
    Title{"evaluate_every_steps", QT_TRANSLATE_NOOP("KeyWords", "Evaluate every, steps")},
    Title{"target_accuracy", QT_TRANSLATE_NOOP("KeyWords", "Target accuracy")},
    Title{"stop_on_invalid_loss", QT_TRANSLATE_NOOP("KeyWords", "Stop on invalid loss")},
    Title{"snapshots.first_epoch", QT_TRANSLATE_NOOP("KeyWords", "Snapshots from epoch")},
    Title{"snapshots.per_epoch", QT_TRANSLATE_NOOP("KeyWords", "Snapshots an epoch")},
    Title{"snapshots.first_fraction", QT_TRANSLATE_NOOP("KeyWords", "Snapshots after share")},
    Title{"snapshots.keep", QT_TRANSLATE_NOOP("KeyWords", "Snapshots kept")},
    Title{"save_checkpoint_steps", QT_TRANSLATE_NOOP("KeyWords", "Checkpoint every, steps")},
    Title{"save_checkpoint_seconds", QT_TRANSLATE_NOOP("KeyWords", "Checkpoint every, s")},
    Title{"keep_checkpoint_max", QT_TRANSLATE_NOOP("KeyWords", "Checkpoints kept")},
    Title{"weights_only", QT_TRANSLATE_NOOP("KeyWords", "Weights only")},
    Title{"at_end", QT_TRANSLATE_NOOP("KeyWords", "Checkpoint at the end")},
    Title{"name", QT_TRANSLATE_NOOP("KeyWords", "Name")},
};

constexpr std::array algorithms{
    Title{"adasum", QT_TRANSLATE_NOOP("KeyWords", "Adasum")},
    Title{"less_bn", QT_TRANSLATE_NOOP("KeyWords", "Less batch norm")},
    Title{"grad_freeze", QT_TRANSLATE_NOOP("KeyWords", "Gradient freeze")},
    Title{"grad_accumulation", QT_TRANSLATE_NOOP("KeyWords", "Gradient accumulation")},
    Title{"dim_reduce", QT_TRANSLATE_NOOP("KeyWords", "Dimension reduction")},
    Title{"loss_scale_group", QT_TRANSLATE_NOOP("KeyWords", "Loss scale groups")},
    Title{"common", QT_TRANSLATE_NOOP("KeyWords", "Common")},
    Title{"optimizer_parallel", QT_TRANSLATE_NOOP("KeyWords", "Optimizer parallel")},
    Title{"micro_batches", QT_TRANSLATE_NOOP("KeyWords", "Micro-batches")},
    Title{"grad_centralization", QT_TRANSLATE_NOOP("KeyWords", "Gradient centralisation")},
    Title{"loss_scale", QT_TRANSLATE_NOOP("KeyWords", "Loss scale")},
};

QString words(const char* text) {
  return QCoreApplication::translate("KeyWords", text);
}

QByteArray resource(const QString& name) {
  QFile file(name);
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

const Json& schema() {
  static const Json root = Json::parse(resource(QStringLiteral(":/experiment.schema.json")).toStdString());
  return root;
}

/// The place that a reference leads to, or the schema itself.
const Json& followed(const Json& node) {
  if (!node.contains("$ref")) return node;
  return schema().at(Json::json_pointer(node["$ref"].get<std::string>().substr(1)));
}

/// The key inside a schema, or inside one of its alternatives.
const Json* property(const Json& outer, const std::string& key) {
  const Json& node = followed(outer);
  if (node.contains("properties") && node["properties"].contains(key)) return &node["properties"][key];
  for (const char* list : {"anyOf", "oneOf", "allOf"}) {
    if (!node.contains(list)) continue;
    for (const Json& choice : node[list]) {
      if (const Json* found = property(choice, key)) return found;
    }
  }
  return nullptr;
}

/// The innermost description on the way to the key: a word without one is spoken for by what it is in.
QString schemaHelp(const std::string& path) {
  const Json* node = &schema();
  QString help;
  for (const std::string& key : split(path, '.')) {
    node = property(*node, key);
    if (node == nullptr) return {};
    const Json& described = node->contains("description") ? *node : followed(*node);
    if (described.contains("description")) help = QString::fromStdString(described["description"]);
  }
  return help;
}

}  // namespace

QString keyTitle(const std::string& path) {
  const auto fits = [&](const Title& title) {
    const std::string end = title.path;
    return path == end || path.ends_with("." + end);
  };
  const auto found = std::ranges::find_if(titles, fits);
  return found == titles.end() ? QString::fromStdString(path.substr(path.rfind('.') + 1)) : words(found->words);
}

QString keyHelp(const std::string& path) {
  for (const BoostKnob& knob : boostKnobs()) {
    if (path == "boost.dictionary." + knob.section + "." + knob.key) return QString::fromStdString(knob.help);
  }
  return schemaHelp(path);
}

QString algorithmTitle(const std::string& key) {
  const auto found = std::ranges::find_if(algorithms, [&](const Title& title) { return key == title.path; });
  return found == algorithms.end() ? QString::fromStdString(key) : words(found->words);
}

QString algorithmReadme(const std::string& key) {
  static const std::map<std::string, QString> folders{{"micro_batches", QStringLiteral("grad_accumulation")},
                                                      {"loss_scale_group", QStringLiteral("loss_scale")},
                                                      {"common", QStringLiteral("averaged")}};
  const auto found = folders.find(key);
  const QString folder = found == folders.end() ? QString::fromStdString(key) : found->second;
  return QString::fromUtf8(resource(QStringLiteral(":/boost/%1/README.md").arg(folder)));
}

}  // namespace slipstream::ui
