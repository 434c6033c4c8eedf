// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>

#include "engine/document/document.h"
#include "engine/study/verdict.h"

namespace slipstream {

// A verdict as texts and tables.

/// "better", "same within ±0.2 points", "not shown (needs about 4 more seeds)", … .
Text verdictText(const StudyComparison& comparison, const Study& study);
/// "better": the value in exported JSON and CSV.
std::string nameOf(StudyVerdictKind verdict);

/// Under which factors, and in which variant where stages are compared.
std::string whereText(const StudyComparison& comparison);
/// "Of 4 comparisons: 2 better, 2 not shown."
Text summaryOf(const StudyVerdict& verdict);
/// How it was judged.
Text methodOf(const StudyVerdict& verdict);

ReportDocument studyDocument(const StudyVerdict& verdict);
/// One row a comparison, for spreadsheets.
std::string toCsvText(const StudyVerdict& verdict);
/// For programs.
std::string toJsonText(const StudyVerdict& verdict);

/// Writes what the file's suffix asks for: .html, .pdf, .tex, .json or .csv.
Status writeStudyReport(const StudyVerdict& verdict, const std::filesystem::path& output, Language language);

}  // namespace slipstream
