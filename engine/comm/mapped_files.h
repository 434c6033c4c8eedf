// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace slipstream {

/// Files in memory (tmpfs) that this process shares with others by mapping them, as /proc/PID/maps lists them.
std::vector<std::filesystem::path> sharedFilesIn(const std::string& maps);

/// Takes the memory of all such files of this process now. MPI makes them with holes, and who touches a hole once the
/// file system is full dies of SIGBUS. Empty, or what could not be had.
std::string reserveSharedFiles();

}  // namespace slipstream
