// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/document/document.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// `summary`: the result, curves and tables in the colours of the runs, as the window shows it. `whole`: also what was
/// asked, what was off and why, orthogonality, memory, time and how to repeat it; each variant has a colour by its
/// name, the same in every report.
enum class ReportExtent { summary, whole };

/// What there is to say of the runs, the first one being the reference.
Result<ReportDocument> reportDocument(RunStore& store, const std::vector<RunRecord>& runs,
                                      ReportExtent extent = ReportExtent::whole);

/// The whole of it in three parts, of which the second says how the runs were compared, and what was left out.
struct ReportParts {
  ReportDocument front, method, back;
};
Result<ReportParts> reportParts(RunStore& store, const std::vector<RunRecord>& runs);
/// One after the other, with the title of the first.
ReportDocument joined(const ReportParts& parts);

/// One self-contained HTML page. No script, nothing to load.
Result<std::string> reportHtml(RunStore& store, const std::vector<RunRecord>& runs,
                               Language language = Language::english);

/// Whether a report can be written under this name: .html and .pdf hold the whole of it, .json, .csv and .tex the
/// comparison alone. A failure names the suffix and what there is instead.
Status checkReportFile(const std::filesystem::path& output);

/// Writes what the file's suffix asks for; the file is whole or not there. JSON and CSV are in English.
Status writeReport(RunStore& store, const std::vector<RunRecord>& runs, const std::filesystem::path& output,
                   Language language = Language::english, PaperSize size = PaperSize::a4);

}  // namespace slipstream
