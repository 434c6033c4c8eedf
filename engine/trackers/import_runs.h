// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/store/run_store.h"

namespace slipstream {

struct ImportRequest {
  /// Event files, folders that have some anywhere below, and CSV files.
  std::vector<std::string> sources;
  std::string experiment;                      ///< of all runs; empty: the name of the source
  std::map<std::string, std::string> metrics;  ///< tag or column -> metric, before the rule (metric_names.h)
  bool partial = false;                        ///< of an event file that is damaged, what is before the place
};

/// A run as another program left it.
struct RunToImport {
  std::string name;        ///< its folder in the source, or what a CSV file calls it
  std::string experiment;  ///< what it belongs to
  ImportedRun origin;
  std::map<std::string, Series> series;  ///< by metric; steps in increasing order, each once
  std::int64_t startedAt = 0;            ///< wall nanoseconds of its first and its last value
  std::int64_t endedAt = 0;
};

struct RunsToImport {
  std::vector<RunToImport> runs;
  std::vector<std::string> notes;  ///< what was left out or is called otherwise, one sentence each
};

/// Reads all of the sources; fails with all that is wrong in them, at once.
Result<RunsToImport> readRunsToImport(const ImportRequest& request);

/// A run of the store that came so.
struct AddedRun {
  std::string id;
  std::string name;
  std::int64_t metrics = 0;
  std::int64_t points = 0;
};

/// Makes them runs of the store, all or none. Fails where one is in the store already, value by value.
/// `command` repeats it; `group` is what they have in common.
Result<std::vector<AddedRun>> addImportedRuns(RunStore& store, const RunsToImport& found, const std::string& command,
                                              const std::string& group);

}  // namespace slipstream
