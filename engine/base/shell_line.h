// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace slipstream {

/// The words as they may be typed into a shell, each one word whatever it holds: for people who repeat a command, and
/// for ssh, which hands its command to a shell of the other host.
std::string shellLine(const std::vector<std::string>& words);

}  // namespace slipstream
