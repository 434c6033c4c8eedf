// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "engine/record/run_store.h"

namespace slipstream::ui {

/// What the inspector shows of a run.
struct RunFacts {
  std::string run;
  std::string lastLines;  ///< of the rank that printed an error last; empty where the run went well
  std::string command, revision, device;
  std::uint64_t seed = 0;
  int ranks = 0, attempts = 0;
  std::vector<std::pair<std::string, std::string>> environment;  ///< of the machine, as it was recorded
  /// What was asked otherwise than of the baseline; nothing where there is none.
  std::vector<std::pair<std::string, std::string>> differences;
};

/// For the store's reader. `baseline`: a run's id, or empty.
RunFacts runFacts(RunStore& store, const std::string& run, const std::string& baseline);

}  // namespace slipstream::ui
