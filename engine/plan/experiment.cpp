// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/experiment.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/base/text.h"
#include "engine/plan/device_name.h"
#include "engine/plan/experiment_fields.h"

namespace slipstream {

SampleShape sampleShape(const DatasetSpec& dataset) {
  if (dataset.name == "image_folder") return {dataset.imageSize, dataset.imageSize, 3};
  if (dataset.name == "cifar10") return {32, 32, 3};
  return {28, 28, 1};
}

std::int64_t samplesPerBatch(const DatasetSpec& dataset, int ranks) {
  return dataset.batchSize * (dataset.shard ? ranks : 1);
}

std::int64_t stepsPerEpoch(const DatasetSpec& dataset, std::int64_t samples, int ranks, int batchesPerStep) {
  const std::int64_t whole = samplesPerBatch(dataset, ranks);
  const std::int64_t batches = dataset.dropRemainder ? samples / whole : (samples + whole - 1) / whole;
  return (batches + batchesPerStep - 1) / batchesPerStep;
}

const ParameterGroupSpec* groupOf(const OptimizerSpec& optimizer, const std::string& tensor) {
  const auto owns = [&](const ParameterGroupSpec& group) {
    return std::ranges::any_of(group.match,
                               [&](const std::string& pattern) { return matchesPattern(tensor, pattern); });
  };
  const auto found = std::ranges::find_if(optimizer.groups, owns);
  return found == optimizer.groups.end() ? nullptr : &*found;
}

double firstScale(LossScaleKind kind) {
  // MindSpore's FixedLossScaleManager, DynamicLossScaleManager, and the example of its group manager.
  switch (kind) {
    case LossScaleKind::none:
      return 0;
    case LossScaleKind::fixed:
      return 128;
    case LossScaleKind::dynamic:
      return 16777216;
    case LossScaleKind::group:
      return 4096;
  }
  return 0;
}

int batchesPerStep(const Experiment& experiment) {
  return experiment.boost.gradAccumulation ? experiment.boost.gradAccumulationStep : 1;
}

bool dropsOverflows(const LossScaleSpec& spec) {
  return spec.kind != LossScaleKind::none && (spec.kind != LossScaleKind::fixed || spec.dropOverflowUpdate);
}

double optimizerDivisor(const Experiment& experiment) {
  return experiment.lossScale.kind == LossScaleKind::none ? experiment.optimizer.lossScale : 1.0;
}

bool computesOnGpu(const Experiment& experiment) {
  const auto name = parseDeviceName(experiment.device, "device");
  return name && name->isGpu();
}

NumberType pictureType(const Experiment& experiment) {
  if (experiment.ampLevel != "O2" && experiment.ampLevel != "O3") return NumberType::float32;
  return computesOnGpu(experiment) && dropsOverflows(experiment.lossScale) ? NumberType::float16 : NumberType::bfloat16;
}

std::int64_t samplesPerPass(const Experiment& experiment) {
  const std::int64_t parts = experiment.train.microSize;
  return (experiment.dataset.batchSize + parts - 1) / parts;
}

Json toJson(const Experiment& experiment) {
  ExperimentSections sections;
  sections.experiment = experiment;
  sections.network.name = experiment.network.name;
  const auto& layers = experiment.network.layers;
  if (!layers.empty()) sections.network.layers.emplace(layers.begin(), layers.end());
  return writeFields([&](Fields& fields) { describeResolved(fields, sections); });
}

Result<Experiment> experimentFromJson(const Json& value, const std::string& path) {
  ExperimentSections sections;
  Failures failures;
  readFields(value, path, failures, [&](Fields& fields) { describeResolved(fields, sections); });
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  SLIPSTREAM_TRY(network, networkOf(sections.network, sections.experiment.dataset.classes));
  sections.experiment.network = std::move(network);
  return std::move(sections.experiment);
}

std::string toJsonText(const Experiment& experiment) {
  return toJson(experiment).dump(2);
}

Result<Experiment> parseResolved(const std::string& jsonText) {
  SLIPSTREAM_TRY(value, parseJson(jsonText, "resolved experiment"));
  return experimentFromJson(value, "");
}

}  // namespace slipstream
