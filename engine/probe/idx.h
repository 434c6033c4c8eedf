// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// Takes the next values of a file, at most 64 KiB of them.
using IdxSink = std::function<void(std::span<const std::uint8_t> bytes)>;

/// Reads an idx file of images or labels through (LeCun's format: magic, sizes in big-endian, then unsigned bytes),
/// plain or gzip-compressed. Returns the sizes of its `dimensions` dimensions, each at least 1: the count, then height
/// and width of images. The failure names the file: unreadable, of another kind, damaged, too short, or longer than its
/// header says; `sink` may have taken what came before.
Result<std::vector<std::int64_t>> readIdx(const std::filesystem::path& file, int dimensions, const IdxSink& sink);

}  // namespace slipstream
