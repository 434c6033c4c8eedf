// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

#include "engine/interchange/weight_match.h"
#include "engine/spec/network_spec.h"

namespace slipstream {

/// The trained tensors of a network, in forward order, with the pixels that they lie over: what a file of other
/// programs calls them and how it orders them. `shape` is the network's.
std::vector<ExpectedTensor> expectedWeightTensors(const NetworkSpec& network, const NetworkShape& shape);

/// The same, then the running statistics of its batch norms.
std::vector<ExpectedTensor> expectedTensors(const NetworkSpec& network, const NetworkShape& shape);

/// The *.safetensors and *.ckpt files of a folder in the order of their names, each with the `wanted` tensors found in
/// it: fails naming each file that is none or lacks one of them; other tensors are left alone.
Result<std::vector<WeightMatch>> openWeightFolder(const std::filesystem::path& folder,
                                                  const std::vector<ExpectedTensor>& wanted);

}  // namespace slipstream
