// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

struct AllocatedHost {
  std::string name;
  int ranks = 0;  ///< 0: not said, an even share of all ranks
  bool operator==(const AllocatedHost&) const = default;
};

/// The hosts that a scheduler has given to a job, in the order of their ranks.
struct Allocation {
  std::string source;  ///< the variable or flag that names them
  std::vector<AllocatedHost> hosts;
};

/// The allocation that an environment speaks of, by the first of the schedulers whose list of hosts it holds
/// (engine/scheduler); nothing where it speaks of none. Failures name the variable, and the line of its file.
Result<std::optional<Allocation>> findAllocation(
    const std::function<std::optional<std::string>(const char*)>& environment);

}  // namespace slipstream
