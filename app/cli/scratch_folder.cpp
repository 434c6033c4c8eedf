// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/scratch_folder.h"

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "engine/base/error.h"

namespace slipstream::cli {

ScratchFolder::ScratchFolder(const std::string& name) {
  std::error_code absent;
  std::string text = (std::filesystem::temp_directory_path(absent) / (name + "-XXXXXX")).string();
  if (absent) throw Error("no temporary folder can be made: TMPDIR names no folder; name another place in it");
  if (::mkdtemp(text.data()) == nullptr) {
    throw Error("no temporary folder can be made (" + text + "): " + std::generic_category().message(errno) +
                "; name another place in TMPDIR");
  }
  path_ = text;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace slipstream::cli
