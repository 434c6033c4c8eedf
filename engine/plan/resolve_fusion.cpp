// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/boost/sharding.h"
#include "engine/plan/resolve.h"
#include "engine/spec/comm_fusion.h"

namespace slipstream {
namespace {

/// One of the keys that say which gradients are sent together; the first that says something counts.
struct FusionKey {
  const char* subject;
  std::vector<int> last;  ///< inclusive last tensor of each bucket, rising
  std::int64_t offset;    ///< of what is written to `last`
};

std::vector<FusionKey> fusionKeys(const Experiment& experiment, const NetworkShape& shape) {
  std::vector<int> beforeSplits = experiment.boost.gradientSplitGroups;
  for (int& first : beforeSplits) --first;
  return {{"parallel.comm_fusion", bucketsOfLayerIds(experiment, shape), 0},
          {"parallel.all_reduce_fusion_config", experiment.parallel.allReduceFusion, 0},
          {"common.gradient_split_groups", beforeSplits, 1}};
}

/// "conv1 conv2 | dense1": the layers of each bucket, with a layer that is cut in both.
std::string bucketsText(const std::vector<int>& last, const Experiment& experiment, const NetworkShape& shape) {
  std::string text;
  std::string before;
  for (std::size_t t = 0; t < shape.tensors.size(); ++t) {
    const std::string& layer = experiment.network.layers[static_cast<std::size_t>(shape.tensors[t].layer)].name;
    const bool cut = t > 0 && std::ranges::find(last, static_cast<int>(t) - 1) != last.end();
    if (cut) text += " |";
    if (cut || layer != before) text += (text.empty() ? "" : " ") + layer;
    before = layer;
  }
  return text;
}

void reportTooLarge(RunPlan& plan, const FusionKey& key, const NetworkShape& shape) {
  for (const int index : key.last) {
    if (std::cmp_less(index + key.offset, shape.tensors.size())) continue;
    decide(plan, noEffect(key.subject, std::to_string(index + key.offset), Reason::network,
                          phrase("the network has {}", {countedText(std::ssize(shape.tensors), "tensor")})));
  }
}

}  // namespace

void resolveFusion(RunPlan& plan, const NetworkShape& shape) {
  const FusionKey* used = nullptr;
  const std::vector<FusionKey> keys = fusionKeys(plan.experiment, shape);
  for (const FusionKey& key : keys) {
    if (key.last.empty()) continue;
    if (shardsGradients(plan.experiment)) {
      decide(plan, noEffect(key.subject, "off", Reason::displaced,
                            phrase("gradients that are not kept leave layer by layer")));
    } else if (used != nullptr) {
      decide(plan, noEffect(key.subject, "off", Reason::displaced,
                            phrase("{} says which gradients are sent together", {used->subject})));
    } else {
      used = &key;
    }
  }
  if (used == nullptr) return;
  reportTooLarge(plan, *used, shape);
  plan.experiment.parallel.allReduceFusion = used->last;
  decide(plan, switchedOn(used->subject, Reason::written,
                          phrase("sent together: {}", {bucketsText(used->last, plan.experiment, shape)})));
}

}  // namespace slipstream
