// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace slipstream {

/// Where a run was made, as JSON: host, processor, cores, system, versions of the program, compiler and libraries, and
/// the environment variables that the program honours.
std::string describeEnvironment();

/// What describeEnvironment wrote, for people: names and values; empty where it cannot be read.
std::vector<std::pair<std::string, std::string>> environmentFacts(const std::string& text);

}  // namespace slipstream
