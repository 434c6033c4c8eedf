// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/access.h"

namespace slipstream {

bool saysAbsent(const std::error_code& error) {
  return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

Failure accessFailure(const std::filesystem::path& path, const std::error_code& error) {
  if (error != std::errc::permission_denied) {
    return {path.string(), "", "cannot be read: " + error.message(), "check the path and the disk that it is on"};
  }
  // What cannot be looked at is behind a closed folder; what can be, is closed itself.
  std::filesystem::path closed = path;
  std::error_code denied;
  while (closed.has_relative_path() && !std::filesystem::exists(closed, denied) && denied) {
    closed = closed.parent_path();
  }
  const std::string by = closed == path ? "" : " by the folder " + closed.string();
  return {path.string(), "", "cannot be read: permission denied" + by,
          "let this user read and enter it (chmod, or ask its owner), or name a copy"};
}

}  // namespace slipstream
