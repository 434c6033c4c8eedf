// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/base/failure.h"

namespace slipstream {

/// Rows of runs in a store that no slipstream writes (an id that is no id, an unknown state), one failure each: every
/// list of runs leaves them out.
Failures foreignRuns(const std::filesystem::path& folder);

}  // namespace slipstream
