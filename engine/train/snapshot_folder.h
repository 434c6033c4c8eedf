#pragma once

#include <filesystem>
#include <memory>

#include "engine/boost/dim_reduce/snapshots.h"

namespace slipstream {

/// The *.safetensors files of a folder as snapshots of a network's trainable weights, in the order of their names (as
/// `slipstream checkpoint export` writes them; tensors that the network does not train are left alone). The folder is
/// opened at the first use, and every header checked: throws Error naming the file and the tensor that is missing, of
/// another shape or not fp32. Values are read from the files when they are asked for. `layout` must outlive it.
std::unique_ptr<WeightSnapshots> snapshotFolder(std::filesystem::path folder, const ParameterLayout& layout);

}  // namespace slipstream
