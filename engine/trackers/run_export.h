// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/trackers/export_runs.h"

namespace slipstream {

/// A run as all formats need it.
struct RunToExport {
  RunRecord record;
  RunLabel label;
  std::string title;                            ///< what it is called now
  std::map<std::string, std::string> settings;  ///< what was asked, by key; long values are left out
  std::vector<std::string> metrics;
};

/// The series of one of the run's metrics.
Series seriesOf(RunStore& store, const RunToExport& run, const std::string& metric);
/// A name for a folder: letters, digits, '.', '_' and '-', which no file system minds.
std::string folderName(const std::string& text);
/// "quickstart-adasum-seed1-3f2a9b01"
std::string folderNameOf(const RunToExport& run);

/// Where a format puts the run, below the folder of the request.
std::filesystem::path tensorBoardPlace(const RunToExport& run);
std::filesystem::path mlflowPlace(const RunToExport& run);

Result<ExportedRun> exportToTensorBoard(RunStore& store, const RunToExport& run, const std::filesystem::path& place);
Result<ExportedRun> exportToMlflow(RunStore& store, const RunToExport& run, const std::filesystem::path& place);
/// All runs into three tables.
Result<std::vector<ExportedRun>> exportToCsv(RunStore& store, const std::vector<RunToExport>& runs,
                                             const std::filesystem::path& folder);
/// The tables that exportToCsv writes.
const std::vector<std::string>& csvTables();

}  // namespace slipstream
