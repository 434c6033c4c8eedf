// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"

namespace slipstream {

struct AwaitedHosts {
  std::vector<std::string> hosts;
  std::filesystem::path worker;  ///< the worker program, in the same place on every host
  double seconds = 0;            ///< to wait for the last of them
};

struct SilentHost {
  std::string host;
  std::string why;
};

/// Asks the hosts, again and again, until all answer, the time is over or the run is to stop. Returns those that did
/// not answer the last time. `tell` hears after each round which do not.
std::vector<std::string> awaitHosts(const AwaitedHosts& awaited,
                                    const std::function<void(const std::vector<SilentHost>&)>& tell,
                                    const std::function<bool()>& stopAsked);

/// "waiting for host h2", "waiting for hosts h2, h3".
std::string waitingText(const std::vector<SilentHost>& silent);
/// "h2 (no route to host), h3 (…)"
std::string causesText(const std::vector<SilentHost>& silent);

/// How a run goes on that was started again.
struct NextPlan {
  std::optional<RunPlan> plan;  ///< nothing: not at all
  std::string said;             ///< why not, or with how many ranks; empty where all goes on as it was planned
};

/// As train.on_lost says where the `silent` hosts of a plan do not answer.
NextPlan planWithout(const RunPlan& plan, const std::vector<std::string>& silent);

}  // namespace slipstream
