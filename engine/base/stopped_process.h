// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace slipstream {

/// Whether a process of this machine is there and stopped by a signal (Ctrl-Z), so that it may still go on.
bool isStopped(std::int64_t pid);

}  // namespace slipstream
