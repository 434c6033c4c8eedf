// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backends/backends.h"

namespace slipstream {

/// The tables of Ascend NPUs, and of the host that stands in for one.
KernelTables npuKernelTables();

}  // namespace slipstream
