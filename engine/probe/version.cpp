// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/probe/version.h"

#include "engine/probe/library_versions.h"
#include "engine/probe/revision.h"

namespace slipstream {

std::string programVersion() {
  return generatedVersion;
}

std::string versionText() {
  const std::string revision = sourceRevision().empty() ? "unknown (not built from a git checkout)" : sourceRevision();
  return "slipstream " + programVersion() + "\nrevision  " + revision + "\ncompiler  g++ " __VERSION__ +
         "\nOpen MPI  " + openMpiVersion + "\noneDNN    " + oneDnnVersion + "\nCUDA      " + cudaVersion;
}

LibraryVersions libraryVersions() {
  return {openMpiVersion, oneDnnVersion, cudaVersion};
}

std::string sourceRevision() {
  return generatedRevision;
}

}  // namespace slipstream
