// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/launch/launcher.h"

namespace slipstream {

/// All ranks on this machine, by mpirun alone: neither ssh nor Slurm is asked, and ports are opened on the loopback.
std::unique_ptr<Launcher> makeLocalLauncher(const LaunchedAttempt& attempt);

}  // namespace slipstream
