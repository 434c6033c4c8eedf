// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace slipstream {

/// Lets the disk begin with what a library writes to a file, while it is still writing: its sync at the end then waits
/// for little. It is the library's own descriptor that is used, since closing another one of the same file would drop
/// the locks that this process holds on it (fcntl(2), "Record locking").
class EarlyWriteback {
 public:
  EarlyWriteback() = default;
  /// Of a file that this process has open. Where it has not, or the system is not Linux, nothing is begun.
  explicit EarlyWriteback(const std::filesystem::path& file);

  /// So many bytes more went to the file; a few megabytes together are begun with.
  void wrote(std::int64_t bytes);

 private:
  int descriptor_ = -1;  ///< may be another file's by now: to begin with what that holds does no harm
  std::int64_t waiting_ = 0;
};

}  // namespace slipstream
