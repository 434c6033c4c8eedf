// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace emulated_gpu {

/// From now on, a thread of a block that touches memory that is not there is named before the process ends by it.
void nameBadAccesses();

}  // namespace emulated_gpu
