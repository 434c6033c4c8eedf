// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/store/run_store.h"

namespace slipstream {

/// Samples of a usual chunk, and of the largest.
inline constexpr std::size_t chunkSamples = 1024;
inline constexpr std::size_t largestChunk = 2 * chunkSamples;

/// Samples [first, first + count) of a series in the store's compact form, with a checksum. Lossless: steps and wall
/// times as differences, values as 4 bytes where all of them are exact in single precision, else as 8. At most
/// largestChunk samples.
std::string encodeChunk(const Series& series, std::size_t first, std::size_t count);

/// The step of a chunk's first sample, by which a chunk is found; nothing where it has none or is damaged. The rest is
/// not looked at.
std::optional<std::int64_t> firstStepOf(std::string_view bytes);

/// Appends the samples of a chunk to `series`; throws StoreDamaged where the chunk is.
void decodeChunk(std::string_view bytes, Series& series);

}  // namespace slipstream
