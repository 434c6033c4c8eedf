// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/spec/network_spec.h"

namespace slipstream {

/// A tensor as a program describes it.
struct DescribedTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  int layer = 0;  ///< from 0, as forward passes go
  TensorRole role = TensorRole::weight;
};

/// The layers of tensors in forward order, named after their tensors. Fails where layers do not rise from 0 on.
Result<std::vector<LayerSpec>> layersOf(const std::vector<DescribedTensor>& tensors);

/// JSON: what engine/plan/program_layers.h reads.
std::string descriptionText(const std::vector<LayerSpec>& layers);

/// Fails where a program describes other tensors than its run was planned with; names the first that differ.
Status checkAsPlanned(const std::vector<LayerSpec>& described, const std::vector<LayerSpec>& planned);

}  // namespace slipstream
