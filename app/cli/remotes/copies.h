// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/store/run_store.h"

namespace slipstream::cli {

/// "running", or of a copy "running on lab, heard 2 min ago": what it was there when it was last heard of.
std::string stateText(RunStore& store, const RunRecord& run);

/// "2 min ago", "never"
std::string agoText(std::int64_t wallNanoseconds);

}  // namespace slipstream::cli
