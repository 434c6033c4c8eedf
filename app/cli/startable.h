// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/plan/plan_file.h"

namespace slipstream::cli {

/// Everything that can be wrong before anything of these plans is written or started; completes them with what this
/// machine and its hosts say. `remarks`: what is to be told.
Status makeStartable(PlannedFile& planned, std::vector<std::string>& remarks);

}  // namespace slipstream::cli
