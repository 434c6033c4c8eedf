#include "engine/record/version.h"

#include "engine/record/revision.h"

namespace slipstream {

std::string programVersion() {
  return generatedVersion;
}

std::string sourceRevision() {
  return generatedRevision;
}

}  // namespace slipstream
