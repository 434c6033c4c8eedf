// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// Pictures or labels of one idx file (LeCun's format: magic, sizes in big-endian, then bytes).
struct IdxFile {
  std::vector<std::int64_t> sizes;  ///< count, then height and width for pictures
  std::vector<std::uint8_t> bytes;
};

/// Reads unsigned bytes of `dimensions` dimensions, plain or gzip-compressed; any number of items from one up. The
/// failure names the file: unreadable, of another kind, damaged, too short, or longer than its header says.
Result<IdxFile> readIdx(const std::filesystem::path& file, int dimensions);

}  // namespace slipstream
