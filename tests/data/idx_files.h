// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/support/temporary_folder.h"

namespace slipstream::test {

using Bytes = std::vector<std::uint8_t>;

/// Header and content of an idx file of unsigned bytes.
Bytes idxBytes(const std::vector<std::uint32_t>& sizes, const Bytes& content);
/// `count` images of 28 x 28 whose pixels count up, and labels 0 1 2 ... 9 0 1 ...
Bytes pictureFile(std::uint32_t count);
Bytes labelFile(std::uint32_t count);

void writeBytes(const std::filesystem::path& file, const Bytes& bytes);
void writeCompressed(const std::filesystem::path& file, const Bytes& bytes);

}  // namespace slipstream::test
