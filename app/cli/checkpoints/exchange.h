// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/store/run_store.h"

namespace slipstream::cli {

/// Fetches weights of a copy that the store lacks; the bytes that came.
Result<std::int64_t> fetchMissing(RunStore& store, const RunRecord& run, std::int64_t step, bool snapshot);

}  // namespace slipstream::cli
