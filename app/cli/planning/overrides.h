// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/experiment/experiment_file.h"

namespace slipstream::cli {

/// Settings over the experiment file; the flags of `run`, `plan` and `submit`.
struct Overrides : ExperimentOverrides {
  std::vector<std::string> variants;  ///< of the file's; empty: all
};

/// The flags that say the same.
std::vector<std::string> wordsOf(const Overrides& overrides);

}  // namespace slipstream::cli
