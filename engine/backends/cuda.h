// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/backends/backends.h"

namespace slipstream {

/// The tables of CUDA devices; throws Error where the program was built without CUDA.
KernelTables cudaKernelTables();

}  // namespace slipstream
