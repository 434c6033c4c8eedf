// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// How this machine reaches a host.
struct Route {
  std::string address;  ///< own address of the interface that leads there, by which the host reaches this machine
  std::string network;  ///< that interface's network, "10.1.0.0/20"; empty where the host is not in it
  bool operator==(const Route&) const = default;
};

/// Asks the kernel, sends nothing. IPv4. Fails where the name does not resolve or no route leads there.
Result<Route> routeTo(const std::string& host);

/// The address that the name has for this machine. IPv4. Fails where it has none.
Result<std::string> addressOf(const std::string& host);

/// The one address of this machine that all the hosts reach, or SLIPSTREAM_ADDRESS. Fails where they reach it by
/// different ones.
Result<std::string> addressFor(const std::vector<std::string>& hosts);

}  // namespace slipstream
