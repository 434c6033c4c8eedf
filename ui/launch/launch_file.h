// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/base/failure.h"
#include "ui/launch/launch_queue.h"

namespace slipstream::ui {

/// Where the launches that wait are kept.
std::filesystem::path queueFolder();
std::filesystem::path queueFileOf(const std::string& name);
/// Held while a window carries on with what waits for the store.
std::filesystem::path queueLockOf(const std::filesystem::path& store);

/// Writes a launch under a name that sorts behind those before; returns the name.
Result<std::string> writeLaunch(const Launch& launch);
/// All that wait, in order; files that hold none are left out.
std::vector<QueuedLaunch> readLaunches();

}  // namespace slipstream::ui
