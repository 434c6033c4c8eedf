// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/comm_fusion.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

constexpr const char* subject = "parallel.comm_fusion";

bool isInside(const std::string& layer, const std::string& name) {
  return layer.starts_with(name) && (layer.size() == name.size() || layer[name.size()] == '.');
}

/// The id of parallel.comm_fusion whose name is the longest, else the layer's own.
std::optional<std::int64_t> idOf(const LayerSpec& layer, const ParallelSpec& parallel) {
  std::optional<std::int64_t> id = layer.commFusion;
  std::size_t longest = 0;
  for (const auto& [name, value] : parallel.commFusion) {
    if (name.size() <= longest || !isInside(layer.name, name)) continue;
    longest = name.size();
    id = value;
  }
  return id;
}

/// A layer with tensors, and the id that it has.
struct LayerId {
  std::string layer;
  std::optional<std::int64_t> id;
};

/// In forward order.
std::vector<LayerId> idsOf(const Experiment& experiment, const NetworkShape& shape) {
  std::vector<LayerId> ids;
  for (const TensorSpec& tensor : shape.tensors) {
    const LayerSpec& layer = experiment.network.layers[static_cast<std::size_t>(tensor.layer)];
    if (ids.empty() || ids.back().layer != layer.name) ids.push_back({layer.name, idOf(layer, experiment.parallel)});
  }
  return ids;
}

void checkNames(const Experiment& experiment, const std::vector<LayerId>& ids, Failures& failures) {
  std::vector<std::string> layers;
  for (const LayerId& layer : ids) layers.push_back(layer.layer);
  for (const auto& [name, id] : experiment.parallel.commFusion) {
    if (std::ranges::any_of(layers, [&](const std::string& layer) { return isInside(layer, name); })) continue;
    failures.push_back({std::string(subject) + "." + name, std::to_string(id), "names no layer with weights",
                        suggestion(name, layers)});
  }
}

void checkNeighbours(const std::vector<LayerId>& ids, Failures& failures) {
  for (std::size_t i = 1; i < ids.size(); ++i) {
    if (!ids[i].id || ids[i].id == ids[i - 1].id) continue;
    const auto before = std::find_if(ids.begin(), ids.begin() + static_cast<std::ptrdiff_t>(i),
                                     [&](const LayerId& other) { return other.id == ids[i].id; });
    if (before->id != ids[i].id || before->layer == ids[i].layer) continue;
    failures.push_back({subject, std::to_string(*ids[i].id),
                        fmt::format("is the id of {} and of {}, but {} between them has another or none", before->layer,
                                    ids[i].layer, ids[i - 1].layer),
                        "give equal ids to neighbouring layers only: they are exchanged while backward passes them"});
  }
}

}  // namespace

Failures checkCommFusion(const Experiment& experiment, const NetworkShape& shape) {
  Failures failures;
  const std::vector<LayerId> ids = idsOf(experiment, shape);
  checkNames(experiment, ids, failures);
  checkNeighbours(ids, failures);
  return failures;
}

std::vector<int> bucketsOfLayerIds(const Experiment& experiment, const NetworkShape& shape) {
  const auto idAt = [&](std::size_t tensor) {
    const auto layer = static_cast<std::size_t>(shape.tensors[tensor].layer);
    return idOf(experiment.network.layers[layer], experiment.parallel);
  };
  std::vector<int> last;
  bool any = false;
  std::int64_t room = 0;
  for (std::size_t t = shape.tensors.size(); t-- > 0;) {
    const std::int64_t bytes = shape.tensors[t].elements() * static_cast<std::int64_t>(sizeof(float));
    const auto id = idAt(t);
    any = any || id;
    const bool starts = last.empty() || id != idAt(t + 1) || (!id && bytes > room);
    if (starts) {
      last.push_back(static_cast<int>(t));
      room = experiment.parallel.bucketBytes;
    }
    room -= bytes;
  }
  if (!any) return {};
  std::ranges::reverse(last);
  return last;
}

}  // namespace slipstream
