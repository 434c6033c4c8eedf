// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/output.h"
#include "engine/record/run_store.h"

namespace slipstream::cli {

/// The store of the command line, after runs whose supervisor is gone were marked as lost. Creates nothing.
Result<std::unique_ptr<RunStore>> openToRead(const CommandLine& line);

/// The same, to be written to; what is not there is not made.
Result<std::unique_ptr<RunStore>> openToChange(const CommandLine& line);

/// The runs of `words` and `--filter`, one of which must be given.
Result<std::vector<RunRecord>> runsOf(RunStore& store, const std::vector<std::string>& words,
                                      const std::string& filter);

struct ChangedLabels {
  std::vector<std::string> selected;  ///< ids
  std::vector<std::string> changed;   ///< of those whose label is another one now
};
/// Changes the labels of selected runs in one transaction; `change` says whether it did something.
Result<ChangedLabels> changeLabels(const CommandLine& line, const std::vector<std::string>& words,
                                   const std::function<bool(RunLabel&)>& change);

/// "name / variant", or the name alone.
std::string titleOf(const RunRecord& run);

}  // namespace slipstream::cli
