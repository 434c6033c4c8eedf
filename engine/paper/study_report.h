// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/report/report.h"
#include "engine/report/report_sections.h"
#include "engine/study_results/study_reading.h"
#include "engine/study_results/verdict.h"

namespace slipstream {

/// What a study's report is made from.
struct StudyReportInput {
  RunStore& store;
  const StudyRecord& record;
  const StudyVerdict& verdict;
  StudyRuns& runs;                     ///< of all its cells
  StudyRuns& judged;                   ///< of those that the verdict counts: what figures are drawn from
  std::map<std::string, int> colours;  ///< of its variants
};

/// In three parts, of which the second is the method.
Result<ReportParts> studyParts(const StudyReportInput& input);

// study_charts.cpp
/// The share of the seeds that had reached the target by then, of each combination of factors; none where no primary
/// measure counts up to one.
std::vector<Figure> reachedFigures(const StudyReportInput& input);
/// Each primary measure over the values of the first factor that has several.
std::vector<Figure> factorFigures(const StudyReportInput& input);

// study_method.cpp
/// What was frozen, how it was judged, what was left out and what failed.
void addStudyMethod(const StudyReportInput& input, ReportDocument& document);
/// "2026-11-21 09:12 UTC"
std::string frozenAt(const StudyRecord& record);
/// The runs that failed, were deleted or could not begin, with their causes; nothing where there is none.
std::optional<Table> failuresTable(const StudyReportInput& input);

// study_data.cpp
/// One row a cell, with everything that was measured in its run, as exact as the store has it.
std::string cellsCsv(const StudyReportInput& input);

}  // namespace slipstream
