// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/experiment/key_titles.h"

#include <QCoreApplication>
#include <QFile>
#include <algorithm>
#include <array>
#include <map>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/boost/algorithms.h"

namespace slipstream::ui {
namespace {

struct Title {
  const char* path;  ///< the end of a key's path
  const char* translated;
};

/// Longer ends come before shorter ones.
constexpr std::array titles{
    Title{"dictionary.adasum.mode", QT_TRANSLATE_NOOP("KeyTitles", "Apply to")},
    Title{"adasum.scope", QT_TRANSLATE_NOOP("KeyTitles", "Scope")},
    Title{"adasum.exchange", QT_TRANSLATE_NOOP("KeyTitles", "Algorithm (collective)")},
    Title{"less_bn.fn_flag", QT_TRANSLATE_NOOP("KeyTitles", "Normalised head")},
    Title{"less_bn.gc_flag", QT_TRANSLATE_NOOP("KeyTitles", "Centralised gradients")},
    Title{"grad_freeze.param_groups", QT_TRANSLATE_NOOP("KeyTitles", "Parameter groups")},
    Title{"grad_freeze.freeze_type", QT_TRANSLATE_NOOP("KeyTitles", "Kind of schedule")},
    Title{"grad_freeze.freeze_p", QT_TRANSLATE_NOOP("KeyTitles", "Share of full steps")},
    Title{"grad_freeze.total_steps", QT_TRANSLATE_NOOP("KeyTitles", "Schedule length")},
    Title{"grad_accumulation_step", QT_TRANSLATE_NOOP("KeyTitles", "Batches an update")},
    Title{"dim_reduce.rho", QT_TRANSLATE_NOOP("KeyTitles", "Line search factor")},
    Title{"dim_reduce.gamma", QT_TRANSLATE_NOOP("KeyTitles", "Residual momentum")},
    Title{"dim_reduce.alpha", QT_TRANSLATE_NOOP("KeyTitles", "Residual weight")},
    Title{"dim_reduce.sigma", QT_TRANSLATE_NOOP("KeyTitles", "Sufficient decrease (Armijo)")},
    Title{"n_components", QT_TRANSLATE_NOOP("KeyTitles", "Components")},
    Title{"pca_mat_path", QT_TRANSLATE_NOOP("KeyTitles", "Ready projection")},
    Title{"weight_load_dir", QT_TRANSLATE_NOOP("KeyTitles", "Folder of weights")},
    Title{"dim_reduce.timeout", QT_TRANSLATE_NOOP("KeyTitles", "Time limit")},
    Title{"max_search", QT_TRANSLATE_NOOP("KeyTitles", "Max line-search iterations")},
    Title{"dim_reduce.method", QT_TRANSLATE_NOOP("KeyTitles", "Method")},
    Title{"dim_reduce.weight_decay", QT_TRANSLATE_NOOP("KeyTitles", "Weight decay")},
    Title{"gradient_split_groups", QT_TRANSLATE_NOOP("KeyTitles", "Gradient groups")},
    Title{"device_number", QT_TRANSLATE_NOOP("KeyTitles", "Devices a server")},
    Title{"optimizer_parallel.level", QT_TRANSLATE_NOOP("KeyTitles", "Level")},
    Title{"shard_size", QT_TRANSLATE_NOOP("KeyTitles", "Ranks a copy")},
    Title{"optimizer_parallel.threshold", QT_TRANSLATE_NOOP("KeyTitles", "Threshold, kB")},
    Title{"loss_scale.kind", QT_TRANSLATE_NOOP("KeyTitles", "Kind")},
    Title{"loss_scale.scale", QT_TRANSLATE_NOOP("KeyTitles", "First scale")},
    Title{"loss_scale.factor", QT_TRANSLATE_NOOP("KeyTitles", "Factor")},
    Title{"loss_scale.window", QT_TRANSLATE_NOOP("KeyTitles", "Growth interval")},
    Title{"drop_overflow_update", QT_TRANSLATE_NOOP("KeyTitles", "Drop overflowing steps")},
    Title{"optimizer.grad_centralization", QT_TRANSLATE_NOOP("KeyTitles", "Centralised gradients")},
    Title{"micro_size", QT_TRANSLATE_NOOP("KeyTitles", "Micro-batches")},
    Title{"micro_reduction", QT_TRANSLATE_NOOP("KeyTitles", "Reduction")},
    Title{"$schema", QT_TRANSLATE_NOOP("KeyTitles", "Schema")},
    Title{"seed", QT_TRANSLATE_NOOP("KeyTitles", "Seed")},
    Title{"device", QT_TRANSLATE_NOOP("KeyTitles", "Device")},
    Title{"network.name", QT_TRANSLATE_NOOP("KeyTitles", "Network")},
    Title{"network.classes", QT_TRANSLATE_NOOP("KeyTitles", "Classes")},
    Title{"network.hidden", QT_TRANSLATE_NOOP("KeyTitles", "Hidden layers")},
    Title{"network.layers", QT_TRANSLATE_NOOP("KeyTitles", "Layers")},
    Title{"pre_trained.file", QT_TRANSLATE_NOOP("KeyTitles", "Weights from a file")},
    Title{"pre_trained.missing", QT_TRANSLATE_NOOP("KeyTitles", "Missing weights")},
    Title{"weight_init.name", QT_TRANSLATE_NOOP("KeyTitles", "Weight initializer")},
    Title{"weight_init.parameter", QT_TRANSLATE_NOOP("KeyTitles", "Weight initializer gain")},
    Title{"bias_init.name", QT_TRANSLATE_NOOP("KeyTitles", "Bias initializer")},
    Title{"bias_init.parameter", QT_TRANSLATE_NOOP("KeyTitles", "Bias initializer gain")},
    Title{"dataset.name", QT_TRANSLATE_NOOP("KeyTitles", "Data set")},
    Title{"dataset.path", QT_TRANSLATE_NOOP("KeyTitles", "Folder")},
    Title{"batch_size", QT_TRANSLATE_NOOP("KeyTitles", "Batch size")},
    Title{"dataset.shard", QT_TRANSLATE_NOOP("KeyTitles", "Shard across ranks")},
    Title{"dataset.shuffle", QT_TRANSLATE_NOOP("KeyTitles", "Shuffle")},
    Title{"drop_remainder", QT_TRANSLATE_NOOP("KeyTitles", "Drop last batch")},
    Title{"train_samples", QT_TRANSLATE_NOOP("KeyTitles", "Training samples (0 = all)")},
    Title{"evaluation_samples", QT_TRANSLATE_NOOP("KeyTitles", "Evaluation samples (0 = all)")},
    Title{"dataset.mean", QT_TRANSLATE_NOOP("KeyTitles", "Mean (normalization)")},
    Title{"dataset.deviation", QT_TRANSLATE_NOOP("KeyTitles", "Std (normalization)")},
    Title{"image_size", QT_TRANSLATE_NOOP("KeyTitles", "Image size")},
    Title{"on_broken", QT_TRANSLATE_NOOP("KeyTitles", "Corrupt images")},
    Title{"dataset.augment", QT_TRANSLATE_NOOP("KeyTitles", "Augmentation")},
    Title{"decode_threads", QT_TRANSLATE_NOOP("KeyTitles", "Decoder threads")},
    Title{"prefetch_batches", QT_TRANSLATE_NOOP("KeyTitles", "Prefetch batches")},
    Title{"dataset.fallback", QT_TRANSLATE_NOOP("KeyTitles", "Fallback dataset")},
    Title{"loss.name", QT_TRANSLATE_NOOP("KeyTitles", "Loss")},
    Title{"smooth_factor", QT_TRANSLATE_NOOP("KeyTitles", "Smoothing")},
    Title{"loss.sparse", QT_TRANSLATE_NOOP("KeyTitles", "Targets are classes")},
    Title{"optimizer.name", QT_TRANSLATE_NOOP("KeyTitles", "Optimizer")},
    Title{"learning_rate.mode", QT_TRANSLATE_NOOP("KeyTitles", "Schedule")},
    Title{"lr_init", QT_TRANSLATE_NOOP("KeyTitles", "Initial LR")},
    Title{"lr_end", QT_TRANSLATE_NOOP("KeyTitles", "Final LR")},
    Title{"lr_max", QT_TRANSLATE_NOOP("KeyTitles", "Peak LR")},
    Title{"warmup_epochs", QT_TRANSLATE_NOOP("KeyTitles", "Warm-up, epochs")},
    Title{"warmup_fraction", QT_TRANSLATE_NOOP("KeyTitles", "Warm-up fraction")},
    Title{"covered_fraction", QT_TRANSLATE_NOOP("KeyTitles", "Decay fraction")},
    Title{"total_epochs", QT_TRANSLATE_NOOP("KeyTitles", "Schedule, epochs")},
    Title{"start_epoch", QT_TRANSLATE_NOOP("KeyTitles", "First epoch")},
    Title{"optimizer.momentum", QT_TRANSLATE_NOOP("KeyTitles", "Momentum")},
    Title{"dampening", QT_TRANSLATE_NOOP("KeyTitles", "Dampening")},
    Title{"weight_decay", QT_TRANSLATE_NOOP("KeyTitles", "Weight decay")},
    Title{"nesterov", QT_TRANSLATE_NOOP("KeyTitles", "Nesterov")},
    Title{"optimizer.loss_scale", QT_TRANSLATE_NOOP("KeyTitles", "Gradient divisor")},
    Title{"optimizer.groups", QT_TRANSLATE_NOOP("KeyTitles", "Parameter groups")},
    Title{"amp_level", QT_TRANSLATE_NOOP("KeyTitles", "Mixed precision")},
    Title{"keep_batchnorm_fp32", QT_TRANSLATE_NOOP("KeyTitles", "Batch norms in fp32")},
    Title{"parallel.ranks", QT_TRANSLATE_NOOP("KeyTitles", "Ranks")},
    Title{"rank_table", QT_TRANSLATE_NOOP("KeyTitles", "Rank table")},
    Title{"gradients_mean", QT_TRANSLATE_NOOP("KeyTitles", "Mean of gradients")},
    Title{"all_reduce_fusion_config", QT_TRANSLATE_NOOP("KeyTitles", "Sent together")},
    Title{"comm_fusion", QT_TRANSLATE_NOOP("KeyTitles", "Sent together, by layer")},
    Title{"bucket_bytes", QT_TRANSLATE_NOOP("KeyTitles", "Bucket, bytes")},
    Title{"overlap", QT_TRANSLATE_NOOP("KeyTitles", "Overlap with backward")},
    Title{"epochs", QT_TRANSLATE_NOOP("KeyTitles", "Epochs")},
    Title{"train.steps", QT_TRANSLATE_NOOP("KeyTitles", "Steps")},
    Title{"refresh_statistics", QT_TRANSLATE_NOOP("KeyTitles", "Refresh statistics")},
    Title{"log_every_steps", QT_TRANSLATE_NOOP("KeyTitles", "Log interval (steps)")},
    Title{"evaluate_every_steps", QT_TRANSLATE_NOOP("KeyTitles", "Evaluation interval (steps)")},
    Title{"target_accuracy", QT_TRANSLATE_NOOP("KeyTitles", "Target accuracy")},
    Title{"stop_on_invalid_loss", QT_TRANSLATE_NOOP("KeyTitles", "Stop on invalid loss")},
    Title{"snapshots.first_epoch", QT_TRANSLATE_NOOP("KeyTitles", "Snapshots from epoch")},
    Title{"snapshots.per_epoch", QT_TRANSLATE_NOOP("KeyTitles", "Snapshots an epoch")},
    Title{"snapshots.first_fraction", QT_TRANSLATE_NOOP("KeyTitles", "Snapshots after share")},
    Title{"snapshots.keep", QT_TRANSLATE_NOOP("KeyTitles", "Snapshots kept")},
    Title{"save_checkpoint_steps", QT_TRANSLATE_NOOP("KeyTitles", "Checkpoint interval (steps)")},
    Title{"save_checkpoint_seconds", QT_TRANSLATE_NOOP("KeyTitles", "Checkpoint interval (s)")},
    Title{"keep_checkpoint_max", QT_TRANSLATE_NOOP("KeyTitles", "Checkpoints kept")},
    Title{"weights_only", QT_TRANSLATE_NOOP("KeyTitles", "Weights only")},
    Title{"at_end", QT_TRANSLATE_NOOP("KeyTitles", "Checkpoint at the end")},
    Title{"name", QT_TRANSLATE_NOOP("KeyTitles", "Name")},
};

constexpr std::array algorithms{
    Title{"adasum", QT_TRANSLATE_NOOP("KeyTitles", "Adasum")},
    Title{"less_bn", QT_TRANSLATE_NOOP("KeyTitles", "Less batch norm")},
    Title{"grad_freeze", QT_TRANSLATE_NOOP("KeyTitles", "Gradient freeze")},
    Title{"grad_accumulation", QT_TRANSLATE_NOOP("KeyTitles", "Gradient accumulation")},
    Title{"dim_reduce", QT_TRANSLATE_NOOP("KeyTitles", "Dimension reduction")},
    Title{"loss_scale_group", QT_TRANSLATE_NOOP("KeyTitles", "Loss scale groups")},
    Title{"common", QT_TRANSLATE_NOOP("KeyTitles", "Common")},
    Title{"optimizer_parallel", QT_TRANSLATE_NOOP("KeyTitles", "Optimizer parallel")},
    Title{"micro_batches", QT_TRANSLATE_NOOP("KeyTitles", "Micro-batches")},
    Title{"grad_centralization", QT_TRANSLATE_NOOP("KeyTitles", "Gradient centralisation")},
    Title{"loss_scale", QT_TRANSLATE_NOOP("KeyTitles", "Loss scale")},
};

QString translated(const char* text) {
  return QCoreApplication::translate("KeyTitles", text);
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
  return found == titles.end() ? QString::fromStdString(path.substr(path.rfind('.') + 1))
                               : translated(found->translated);
}

QString keyHelp(const std::string& path) {
  for (const BoostOption& option : boostOptions()) {
    if (path == "boost.dictionary." + option.path()) return QString::fromStdString(option.help);
  }
  return schemaHelp(path);
}

QString algorithmTitle(const std::string& key) {
  const auto found = std::ranges::find_if(algorithms, [&](const Title& title) { return key == title.path; });
  return found == algorithms.end() ? QString::fromStdString(key) : translated(found->translated);
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
