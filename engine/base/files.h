// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "engine/base/failure.h"

namespace slipstream {

/// The whole file, or a failure naming it: also for folders, devices and pipes (FileBytes), and where it is larger than
/// `mostBytes`.
Result<std::string> readFile(const std::filesystem::path& path,
                             std::int64_t mostBytes = std::numeric_limits<std::int64_t>::max());

/// Writes beside `path`, syncs and renames: afterwards the file is the old or the new one, never half of it. A device
/// or a pipe is written to instead.
Status writeFile(const std::filesystem::path& path, std::string_view text);

/// Creates the folder and its parents, or says why not.
Status makeFolder(const std::filesystem::path& path);

/// The value of an environment variable, where it is set and not empty.
std::optional<std::string> environment(const char* name);

/// Where this user's programs keep data: $XDG_DATA_HOME/slipstream or ~/.local/share/slipstream.
std::filesystem::path userDataFolder();

/// The folder that holds the running program.
std::filesystem::path programFolder();

/// Bytes of all files under a folder; those that vanish meanwhile do not count.
std::int64_t bytesUnder(const std::filesystem::path& folder);

}  // namespace slipstream
