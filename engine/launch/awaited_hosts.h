// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

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

}  // namespace slipstream
