#pragma once

#include <string>

namespace slipstream {

/// Where a run was made, as JSON: host, processor, cores, system, versions of the program, compiler and libraries, and
/// the environment variables that the program honours.
std::string describeEnvironment();

}  // namespace slipstream
