// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

namespace slipstream {

/// The cores that the ranks of one host share, and who else wants them.
struct SharedCores {
  int cores = 1;
  int ranks = 1;
  double othersRunning = 0;  ///< processes and threads of others that compute
};

/// How many OpenMP threads a rank has and how long they spin while they wait for each other: the environment that it
/// starts with. What the caller's own environment says of waiting (callerChoosesWaiting) is left as it is.
std::map<std::string, std::string> threadEnvironment(int threads, const SharedCores& host);

}  // namespace slipstream
