// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/experiment.h"

#include "engine/spec/device_kind.h"

namespace slipstream {

std::int64_t samplesPerBatch(const DatasetSpec& dataset, int ranks) {
  return dataset.batchSize * (dataset.shard ? ranks : 1);
}

std::int64_t stepsPerEpoch(const DatasetSpec& dataset, std::int64_t samples, int ranks, int batchesPerStep) {
  const std::int64_t whole = samplesPerBatch(dataset, ranks);
  const std::int64_t batches = dataset.dropRemainder ? samples / whole : (samples + whole - 1) / whole;
  return (batches + batchesPerStep - 1) / batchesPerStep;
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

bool dropsOverflows(const LossScaleSpec& spec) {
  return spec.kind != LossScaleKind::none && (spec.kind != LossScaleKind::fixed || spec.dropOverflowUpdate);
}

double optimizerDivisor(const Experiment& experiment) {
  return experiment.lossScale.kind == LossScaleKind::none ? experiment.optimizer.lossScale : 1.0;
}

const DeviceKind& deviceKindOf(const Experiment& experiment) {
  const auto name = parseDeviceName(experiment.device, "device");
  return name ? *name->kind : cpuKind();
}

NumberType imageType(const Experiment& experiment) {
  if (experiment.ampLevel != "O2" && experiment.ampLevel != "O3") return NumberType::float32;
  const bool fits = deviceKindOf(experiment).float16Images && dropsOverflows(experiment.lossScale);
  return fits ? NumberType::float16 : NumberType::bfloat16;
}

std::int64_t samplesPerPass(const Experiment& experiment) {
  const std::int64_t parts = experiment.train.microSize;
  return (experiment.dataset.batchSize + parts - 1) / parts;
}

}  // namespace slipstream
