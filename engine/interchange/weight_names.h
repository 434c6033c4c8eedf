// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace slipstream {

/// Whether a training checkpoint of MindSpore, or of ours, calls something by this name that is no weight of the
/// network: the optimizer's moments, the loss scale, counters, what its acceleration algorithms keep.
bool isTrainingState(std::string_view name);

/// The name without what our safetensors files put before running statistics.
std::string_view plainName(std::string_view name);

/// What is before the names of `wanted` in the names of `present` ("network.", "module."), where it finds the most
/// of them; empty where nothing does.
std::string commonPrefix(const std::vector<std::string>& wanted, const std::vector<std::string>& present);

}  // namespace slipstream
