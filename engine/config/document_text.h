// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "engine/base/files.h"

namespace slipstream {

/// More than any experiment or rank table that people write: one of thirty thousand devices has half of it.
inline constexpr std::int64_t largestDocument = std::int64_t{8} << 20;

/// The whole text of an experiment or a rank table; fails where it cannot be read, or is larger than that.
inline Result<std::string> readDocumentText(const std::filesystem::path& file) {
  return readFile(file, largestDocument);
}

}  // namespace slipstream
