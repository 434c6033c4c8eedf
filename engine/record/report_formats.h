// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

#include "engine/record/run_store.h"

namespace slipstream {

/// What a file of a report can hold, told apart by its suffix.
enum class ReportFormat { html, json, csv, tex };

/// The format that a file's suffix asks for. A failure names the suffix and what there is instead; nothing is written
/// under a name that promises something else.
Result<ReportFormat> reportFormatOf(const std::filesystem::path& output);

/// The report in a format: `html` the whole page, the others the comparison alone. The first run is the reference.
Result<std::string> reportIn(ReportFormat format, RunStore& store, const std::vector<RunRecord>& runs);

}  // namespace slipstream
