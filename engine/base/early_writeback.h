// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace slipstream {

/// Starts writing a file's dirty pages to the disk while a library still writes the file, so that the library's sync at
/// the end has little to wait for. The library's own descriptor is used, since closing another one of the same file
/// would drop the locks that this process holds on it (fcntl(2), "Record locking").
class EarlyWriteback {
 public:
  EarlyWriteback() = default;
  /// Does nothing where this process does not have the file open, or the system is not Linux.
  explicit EarlyWriteback(const std::filesystem::path& file);

  /// Counts bytes that the library wrote; starts the disk every few megabytes.
  void wrote(std::int64_t bytes);

 private:
  int descriptor_ = -1;  ///< may be another file's by now, whose early writing does no harm
  std::int64_t waiting_ = 0;
};

}  // namespace slipstream
