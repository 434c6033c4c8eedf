// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>

#include "engine/config/json.h"

namespace slipstream {

// Names, addresses and counts of a rank table as a document, and what is still free.

/// The next address behind `address` that is not in `taken`; empty where `address` is no IPv4 address.
std::string freeAddressAfter(const std::string& address, const std::set<std::string>& taken);
/// "server-2": the first such name that is not in `taken`.
std::string freeServerName(const std::set<std::string>& taken);
std::set<std::string> deviceAddresses(const Json& root);
std::set<std::string> serverNames(const Json& root);
/// 0 where there is no such list.
int serverCount(const Json& root);
int deviceCount(const Json& root, int server);

}  // namespace slipstream
