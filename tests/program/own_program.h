// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "tests/e2e/program.h"

namespace slipstream::test {

/// A sandbox with programs of a user's own in its folder.
class ProgramSandbox : public Sandbox {
 public:
  /// Puts a copy of `file` there under `name`.
  void bring(const std::string& file, const std::string& name);
  /// Runs an experiment to its end; its newest run.
  RunRecord run(const std::string& file, const std::vector<std::string>& more = {});
  RunRecord newest() const { return store()->runs().back(); }
  std::vector<double> losses(const std::string& runId) const { return store()->series(runId, "loss").values; }
};

/// The Python of the tests: SLIPSTREAM_PYTHON names another than the system's.
std::string python();

/// The example in C on two ranks, 40 steps, a checkpoint every 10.
nlohmann::json softmaxExperiment();

}  // namespace slipstream::test
