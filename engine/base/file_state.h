// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace slipstream {

/// Which file is at a path and when it was touched last: what was read of it holds as long as this does.
struct FileState {
  std::int64_t size = 0, seconds = 0, nanoseconds = 0;
  std::uint64_t inode = 0, device = 0;
  auto operator<=>(const FileState&) const = default;

  /// All zeros where there is nothing.
  static FileState of(const std::string& path);
  /// Clocks of file systems tick slowly: what was written just now may be written again at the same time.
  bool isSettled() const;
};

}  // namespace slipstream
