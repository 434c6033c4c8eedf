#pragma once

#include <string>

namespace slipstream {

/// "0.1.0"
std::string programVersion();

/// The commit that the program was built from, "-changed" where files differed from it; empty where it is unknown.
std::string sourceRevision();

}  // namespace slipstream
