// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/reference/freezing.h"

#include <cmath>

namespace slipstream::reference {
namespace {

/// The first tensor of each block.
std::vector<std::size_t> blocksOf(const Tensors& tensors) {
  std::vector<std::size_t> starts{0};
  for (std::size_t t = 1; t < tensors.size(); ++t) {
    const std::string& name = tensors[t].name;
    const bool joins = name.find("bn") != std::string::npos || name.find("bias") != std::string::npos;
    if (!joins && t - starts.back() >= 3) starts.push_back(t);
  }
  return starts;
}

}  // namespace

int firstTrainedLayer(const FreezeSettings& settings, const Tensors& tensors, std::int64_t step) {
  if (settings.groups == 1) return 0;
  const int others = settings.groups - 1;
  const auto full = static_cast<std::int64_t>(std::floor(settings.fullShare * others / (1 - settings.fullShare)));
  const std::int64_t place = step % (full + others);
  const auto group = static_cast<std::size_t>(place < full ? 0 : place - full + 1);
  const auto blocks = blocksOf(tensors);
  return tensors[blocks[group * (blocks.size() / static_cast<std::size_t>(settings.groups))]].layer;
}

}  // namespace slipstream::reference
