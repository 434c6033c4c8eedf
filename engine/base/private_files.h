// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/base/failure.h"

namespace slipstream {

/// Creates a folder that is its owner's alone, with mode 0700 whatever the umask says; one that is there keeps its own
/// mode. Parents are made as usual.
Status makePrivateFolder(const std::filesystem::path& path);

/// Makes an empty file of mode 0600 where there is none; what is there stays as it is.
Status makePrivateFile(const std::filesystem::path& path);

}  // namespace slipstream
