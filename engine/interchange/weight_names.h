// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipstream {

/// Whose names tensors have: ours, which are MindSpore's, or those of torchvision's ResNets, which timm's have too.
enum class TensorNames { own, torchvision };

/// What torchvision calls one of our tensors: layer1.0.down_sample_layer.1.gamma is layer1.0.downsample.1.weight there.
/// Names of batch norms are PyTorch's in every network.
std::string torchvisionName(std::string_view name);

/// One of our names as `names` have it.
std::string nameIn(TensorNames names, const std::string& name);

/// Whether a training checkpoint of MindSpore, of PyTorch, or of ours, calls something by this name that is no weight
/// of the network: the optimizer's moments, the loss scale, counters, what its acceleration algorithms keep.
bool isTrainingState(std::string_view name);

/// The one of `names` with the fewest letters to exchange; nothing where half of its letters would be other ones.
std::optional<std::string> nearestName(std::string_view name, const std::vector<std::string>& names);

/// The name without what our safetensors files put before running statistics.
std::string_view plainName(std::string_view name);

/// What is before the names of `wanted` in the names of `present` ("network.", "module."), where it finds the most
/// of them; empty where nothing does.
std::string commonPrefix(const std::vector<std::string>& wanted, const std::vector<std::string>& present);

}  // namespace slipstream
