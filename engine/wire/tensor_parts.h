// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "engine/wire/messages.h"

namespace slipstream {

/// Into how many parts of checkpointPartBytes a tensor is cut; an empty one travels as one empty part.
std::int64_t partCount(std::size_t bytes);

/// Part `index` of a tensor, with its CRC-32C.
wire::TensorPart tensorPart(const std::string& hash, std::span<const std::byte> tensor, std::int64_t index);

}  // namespace slipstream
