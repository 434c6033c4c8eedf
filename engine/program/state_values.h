// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "engine/record/checkpoint_manifest.h"
#include "engine/wire/link.h"

namespace slipstream {

/// A program's own state, as a checkpoint keeps it beside tensors: a value a byte, so that none is a NaN that something
/// on the way might write otherwise.
std::vector<float> valuesOfState(std::span<const std::byte> state);
std::vector<std::byte> stateOfValues(std::span<const float> values);

/// This rank's state in a checkpoint; nothing where the program gave none. Throws Error where another number of ranks
/// made it: the state is each rank's own.
std::optional<std::vector<std::byte>> fetchState(const CheckpointManifest& manifest, Link& link, int rank, int ranks);

}  // namespace slipstream
