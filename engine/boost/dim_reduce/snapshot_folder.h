// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "engine/boost/dim_reduce/snapshots.h"
#include "engine/interchange/weight_match.h"

namespace slipstream {

/// The *.safetensors and *.ckpt files of a folder as snapshots of a network's trained weights, the `wanted` tensors, in
/// the order of the files' names; other tensors are left alone. The folder is opened at the first use: throws Error
/// naming the file and what is missing in it or does not fit. Values are read from the files when they are asked for.
std::unique_ptr<WeightSnapshots> snapshotFolder(std::filesystem::path folder, std::vector<ExpectedTensor> wanted);

}  // namespace slipstream
