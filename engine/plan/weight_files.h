#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/plan/network_spec.h"

namespace slipstream {

/// A safetensors file that holds the weights of a network.
struct WeightFile {
  std::filesystem::path path;
  std::map<std::string, std::int64_t> starts;  ///< where each of its tensors starts, in bytes
};

/// The *.safetensors files of a folder in the order of their names, with every header checked: fails naming each file
/// that is none or lacks one of the `tensors` as fp32 of its shape; other tensors are left alone.
Result<std::vector<WeightFile>> openWeightFolder(const std::filesystem::path& folder,
                                                 const std::vector<TensorSpec>& tensors);

}  // namespace slipstream
