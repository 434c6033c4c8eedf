// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>

#include <sys/types.h>

namespace slipstream {

/// Which file a name means: another one once somebody has replaced it, also where the two are alike.
struct FileIdentity {
  dev_t device = 0;
  ino_t inode = 0;
  bool operator==(const FileIdentity&) const = default;
};

/// Nothing where there is no such file. Worth only as long as somebody has the file open: later its number is given to
/// another one.
std::optional<FileIdentity> identityOf(const std::filesystem::path& file);

}  // namespace slipstream
