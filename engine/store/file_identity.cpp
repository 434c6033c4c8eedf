// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/file_identity.h"

#include <sys/stat.h>

namespace slipstream {

std::optional<FileIdentity> identityOf(const std::filesystem::path& file) {
  struct stat found {};
  if (::stat(file.c_str(), &found) != 0) return std::nullopt;
  return FileIdentity{found.st_dev, found.st_ino};
}

}  // namespace slipstream
