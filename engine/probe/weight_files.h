// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

#include "engine/interchange/weight_match.h"

namespace slipstream {

/// The *.safetensors and *.ckpt files of a folder in the order of their names, each with the `wanted` tensors found in
/// it: fails naming each file that is none or lacks one of them; other tensors are left alone.
Result<std::vector<WeightMatch>> openWeightFolder(const std::filesystem::path& folder,
                                                  const std::vector<ExpectedTensor>& wanted);

}  // namespace slipstream
