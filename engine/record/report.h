// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/record/run_store.h"

namespace slipstream {

/// One self-contained HTML page about the runs, the first one being the reference: what was asked, what ran, what was
/// off and why, curves, results, orthogonality, memory, time, and how to repeat it. No script, nothing to load.
Result<std::string> reportHtml(RunStore& store, const std::vector<RunRecord>& runs);

/// Writes what the file's suffix asks for (report_formats.h); the file is whole or not there.
Status writeReport(RunStore& store, const std::vector<RunRecord>& runs, const std::filesystem::path& output);

}  // namespace slipstream
