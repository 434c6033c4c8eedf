// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/launch/launcher.h"

namespace slipstream {

/// Ranks on several hosts: mpirun starts its daemons there by ssh, and beside it one session a host (engine/hosts)
/// holds the run's folders and ends what is left.
std::unique_ptr<Launcher> makeSshLauncher(const LaunchedAttempt& attempt);

}  // namespace slipstream
