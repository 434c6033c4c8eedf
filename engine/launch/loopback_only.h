// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>

namespace slipstream {

/// Adds to a program's environment what keeps its ports from other machines: app/loopback, loaded before anything else.
/// Nothing where that is not beside this program or below its lib folder.
void listenOnLoopbackOnly(std::map<std::string, std::string>& environment);

}  // namespace slipstream
