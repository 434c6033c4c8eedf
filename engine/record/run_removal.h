// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/record/run_store.h"

namespace slipstream {

/// What a run takes in its store, in bytes.
struct RunSize {
  std::int64_t checkpoints = 0;
  std::int64_t logs = 0;
  std::int64_t metrics = 0;  ///< rows: the database keeps their room for other runs

  std::int64_t total() const { return checkpoints + logs + metrics; }
};
RunSize sizeOfRun(RunStore& store, const std::string& runId);

/// Removes a run for good: rows, checkpoints and logs. One that is carried on is refused.
Status removeRun(RunStore& store, const std::string& runId);

}  // namespace slipstream
