// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/parser/command.h"
#include "engine/runs/run_selection.h"
#include "engine/store/study_table.h"

namespace slipstream::cli {

/// The store of the command line, after runs whose supervisor is gone were marked as lost. Creates nothing.
Result<std::unique_ptr<RunStore>> openToRead(const CommandLine& line);

/// The same, to be written to; what is not there is not made.
Result<std::unique_ptr<RunStore>> openToChange(const CommandLine& line);

/// A store, opened to be read, and the one run of it that a word selects.
struct OpenedRun {
  std::unique_ptr<RunStore> store;
  RunRecord run;
};
Result<OpenedRun> openRun(const CommandLine& line, const std::string& word);

/// The same with the runs of `words` and `--filter`, one of which must be given.
struct OpenedRuns {
  std::unique_ptr<RunStore> store;
  std::vector<RunRecord> runs;
};
Result<OpenedRuns> openRuns(const CommandLine& line, const std::vector<std::string>& words, const std::string& filter);

/// The study of a name, or of the name that a file gives.
Result<StudyRecord> findStudy(RunStore& store, const std::string& word);

struct ChangedLabels {
  std::vector<std::string> selected;  ///< ids
  std::vector<std::string> changed;   ///< of those whose label is another one now
};
/// Changes the labels of the runs that `words` select in `scope`, in one transaction; `change` says whether it did
/// something.
Result<ChangedLabels> changeLabels(const CommandLine& line, const std::vector<std::string>& words, RunScope scope,
                                   const std::function<bool(RunLabel&)>& change);

/// "name / variant", or the name alone.
std::string titleOf(const RunRecord& run);

}  // namespace slipstream::cli
