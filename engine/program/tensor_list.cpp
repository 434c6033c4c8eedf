// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/program/tensor_list.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/experiment/network_file.h"

namespace slipstream {
namespace {

/// "fc1" of "fc1.weight"; where that is no name, or another layer's, "layer3".
std::string layerName(const DescribedTensor& first, std::set<std::string>& used) {
  const auto dot = first.name.rfind('.');
  std::string name = dot == std::string::npos || dot == 0 ? first.name : first.name.substr(0, dot);
  if (name.empty() || used.contains(name)) name = fmt::format("layer{}", first.layer);
  while (!used.insert(name).second) name += "_";
  return name;
}

std::vector<ExternalTensor> tensorsOf(const std::vector<LayerSpec>& layers) {
  std::vector<ExternalTensor> tensors;
  for (const LayerSpec& layer : layers) tensors.insert(tensors.end(), layer.tensors.begin(), layer.tensors.end());
  return tensors;
}

std::string textOf(const ExternalTensor& tensor) {
  return fmt::format("{} [{}]", tensor.name, fmt::join(tensor.shape, ", "));
}

std::string textOf(const std::vector<ExternalTensor>& tensors, std::size_t at) {
  return at < tensors.size() ? textOf(tensors[at]) : "none";
}

}  // namespace

Result<std::vector<LayerSpec>> layersOf(const std::vector<DescribedTensor>& tensors) {
  if (tensors.empty()) return fail("tensors", "0", "are none, so there is nothing to train", "describe the weights");
  std::vector<LayerSpec> layers;
  std::set<std::string> used;
  for (const DescribedTensor& tensor : tensors) {
    const int last = static_cast<int>(layers.size()) - 1;
    if (tensor.layer != last && tensor.layer != last + 1) {
      return fail("tensors", tensor.name,
                  fmt::format("is of layer {} behind one of layer {}: layers count from 0 in the order of the forward "
                              "pass, without gaps",
                              tensor.layer, last),
                  "list the tensors layer by layer, the first layer's first");
    }
    if (tensor.layer > last) {
      layers.push_back({.kind = LayerKind::external, .name = layerName(tensor, used)});
    }
    layers.back().tensors.push_back({tensor.name, tensor.shape, tensor.role});
  }
  SLIPSTREAM_TRY(shape, networkShape({"program", layers}, {}));
  static_cast<void>(shape);
  return layers;
}

std::string descriptionText(const std::vector<LayerSpec>& layers) {
  NetworkSection section;
  section.name = "program";
  section.layers.emplace(layers.begin(), layers.end());
  return writeFields([&](Fields& fields) { describeNetwork(fields, section); }).dump();
}

Status checkAsPlanned(const std::vector<LayerSpec>& described, const std::vector<LayerSpec>& planned) {
  const auto now = tensorsOf(described);
  const auto then = tensorsOf(planned);
  const auto differ = std::ranges::mismatch(now, then);
  const auto at = static_cast<std::size_t>(differ.in1 - now.begin());
  if (at == now.size() && at == then.size()) return {};
  return fail("network.program", textOf(now, at),
              fmt::format("is tensor {} of the program, and the run was planned with {} there", at, textOf(then, at)),
              "make the network the same on every rank and at every start, or start a new run");
}

}  // namespace slipstream
