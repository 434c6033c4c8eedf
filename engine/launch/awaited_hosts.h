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

/// Asks the hosts, again and again, until all answer, the time is over or the run is to stop. Returns those that did
/// not answer the last time. `tell` hears after each round who does not and why.
std::vector<std::string> awaitHosts(const AwaitedHosts& awaited, const std::function<void(const std::string&)>& tell,
                                    const std::function<bool()>& stopAsked);

/// How a run goes on that was started again.
struct NextPlan {
  std::optional<RunPlan> plan;  ///< nothing: not at all
  std::string said;             ///< why not, or with how many ranks; empty where all goes on as it was planned
};

/// As train.on_lost says where the `silent` hosts of a plan do not answer.
NextPlan planWithout(const RunPlan& plan, const std::vector<std::string>& silent);

}  // namespace slipstream
