// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

#include "engine/base/failure.h"

namespace slipstream {

/// The file of a store that everything else hangs on.
std::filesystem::path storeFileIn(const std::filesystem::path& folder);

/// Whether a store is in the folder or can be made there: somebody's other files are no place for one.
Status fitForAStore(const std::filesystem::path& folder);

/// Rows of runs in a store that no slipstream writes (an id that is no id, an unknown state), one failure each: every
/// list of runs leaves them out.
Failures foreignRuns(const std::filesystem::path& folder);

}  // namespace slipstream
