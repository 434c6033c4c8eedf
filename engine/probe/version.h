// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace slipstream {

/// "0.1.0"
std::string programVersion();

/// Several lines for people: version, revision, and what the programs are built with.
std::string versionText();

/// The commit that the program was built from, "-changed" where files differed from it; empty where it is unknown.
std::string sourceRevision();

/// Of the libraries that the workers of this build were compiled with; empty where a header does not say.
struct LibraryVersions {
  std::string openMpi;
  std::string oneDnn;
  std::string cuda;
};
LibraryVersions libraryVersions();

}  // namespace slipstream
