#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "engine/record/checkpoint_store.h"

namespace slipstream {

/// Writes the network's tensors and running statistics of a checkpoint as a safetensors file: 8 bytes of header length,
/// a JSON header, the bytes. Optimizer state stays behind. The file is whole or not there.
Status exportSafetensors(CheckpointStore& store, const CheckpointManifest& manifest,
                         const std::map<std::string, std::string>& metadata, const std::filesystem::path& output);

}  // namespace slipstream
