// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/plan/plan_file.h"

namespace slipstream::cli {

/// Everything that can be wrong before anything of these plans is written or started; completes them with what this
/// machine and its hosts say. `stage`: hosts that lack the worker program are sent it. Returns the worker program, in
/// the same place on every host. `remarks`: what is to be told.
Result<std::filesystem::path> makeStartable(PlannedFile& planned, bool stage, std::vector<std::string>& remarks);

}  // namespace slipstream::cli
