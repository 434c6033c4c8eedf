// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/trackers/import_runs.h"

namespace slipstream {

/// Steps of runs are below this: larger numbers are times, or damaged.
inline constexpr std::int64_t endOfSteps = 1'000'000'000'000'000;

/// One run of a file, under the names that the file has for its values.
struct TaggedRun {
  std::string name;
  std::string source;                           ///< the file or folder that it was read from
  std::string project;                          ///< what the source as a whole is called
  std::map<std::string, std::string> settings;  ///< by key
  std::map<std::string, Series> tags;           ///< as they were written
};

struct TaggedRuns {
  std::string format;
  std::vector<TaggedRun> runs;
  std::vector<std::string> notes;
};

/// Whether the name is that of an event file.
bool isEventFile(const std::string& name);
/// The runs of an event file, or of a folder with such files: every folder that has some is a run.
Result<TaggedRuns> readTensorBoard(const std::string& source, bool partial);
/// The runs of a table (resources/docs/data.md says which ones are read).
Result<TaggedRuns> readCsv(const std::string& file);

/// Adds the run's values under the names of metrics, with notes on what is called otherwise.
Status nameMetrics(const TaggedRun& run, const std::map<std::string, std::string>& asked, RunToImport& named,
                   std::vector<std::string>& notes);

}  // namespace slipstream
