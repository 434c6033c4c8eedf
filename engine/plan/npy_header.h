// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

#include "engine/base/failure.h"

namespace slipstream {

/// What a file of numpy's format begins with.
inline constexpr std::string_view npyMagic = "\x93NUMPY";

/// A matrix of fp32 or fp64 in numpy's file format (NEP 1, versions 1 to 3).
struct NpyHeader {
  std::int64_t rows = 0;
  std::int64_t columns = 0;
  std::int64_t start = 0;       ///< of the first value, in bytes
  std::int64_t valueBytes = 4;  ///< 8: fp64
  bool byColumns = false;       ///< values stand column after column
};

/// Fails, naming the file, where it is none, holds another type or number of dimensions, or is cut short.
Result<NpyHeader> readNpyHeader(const std::filesystem::path& path);

}  // namespace slipstream
