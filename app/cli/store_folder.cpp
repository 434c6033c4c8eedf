// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/store_folder.h"

#include <filesystem>

namespace slipstream::cli {

std::string wholeStoreFolder(const std::string& folder) {
  const std::filesystem::path whole = std::filesystem::absolute(folder).lexically_normal();
  return whole.has_filename() ? whole.string() : whole.parent_path().string();
}

}  // namespace slipstream::cli
