// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <string_view>

#include "engine/base/text.h"
#include "engine/runs/export_weights.h"

namespace slipstream {
namespace {

tl::unexpected<Failures> withoutAverage(const CheckpointManifest& manifest) {
  const std::string kind = manifest.snapshot ? "snapshot" : "checkpoint";
  const std::string what = "the " + kind + " of step " + countText(manifest.step) + " holds no average of the weights";
  if (manifest.snapshot || !manifest.full) {
    return fail("--average", "", what + ": it was saved with the weights alone",
                "leave it out, or name a checkpoint of a run whose train.checkpoint.weights_only is off");
  }
  return fail("--average", "", what, "leave it out, or train with train.average_decay");
}

}  // namespace

Result<CheckpointManifest> withAverageAsWeights(CheckpointManifest manifest) {
  constexpr std::string_view prefix = averagePrefix;
  std::map<std::string, TensorRecord> averages;  // by the name of the weight
  for (const TensorRecord& tensor : manifest.tensors) {
    if (tensor.name.starts_with(prefix)) averages[tensor.name.substr(prefix.size())] = tensor;
  }
  if (averages.empty()) return withoutAverage(manifest);
  std::erase_if(manifest.tensors, [&](const TensorRecord& tensor) { return tensor.name.starts_with(prefix); });
  for (TensorRecord& tensor : manifest.tensors) {
    const auto average = averages.find(tensor.name);
    if (average == averages.end()) continue;
    const std::string name = tensor.name;
    tensor = average->second;
    tensor.name = name;
  }
  return manifest;
}

}  // namespace slipstream
