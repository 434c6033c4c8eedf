// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/base/files.h"

namespace slipstream::test {

/// How many times a test kills what it tests: `usual` in the default suite, or as many as SLIPSTREAM_TEST_KILLS says.
inline int killsToSurvive(int usual) {
  const auto wanted = environment("SLIPSTREAM_TEST_KILLS");
  return wanted ? std::stoi(*wanted) : usual;
}

}  // namespace slipstream::test
