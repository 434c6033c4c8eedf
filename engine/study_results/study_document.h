// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/document/document.h"
#include "engine/study_results/verdict.h"

namespace slipstream {

// A verdict as texts and tables.

/// "better", "same within ±0.2 points", "not shown (needs about 4 more seeds)", … .
Text verdictText(const StudyComparison& comparison, const Study& study);
/// "better": the value in exported JSON and CSV.
std::string nameOf(StudyVerdictKind verdict);

/// The answer in a few sentences, the strongest claim first: "At 32 ranks, adasum reaches 98 % in 31 % less time
/// [22, 39] than averaged." `mostClaims`, at least two, are said in full, the strongest "worse" among them; others are
/// listed. Of a study that goes on: "So far …", and nothing is claimed before a planned look.
Text sentenceOf(const StudyVerdict& verdict, std::size_t mostClaims = 2);
/// Cells are left that are still to be done.
bool goesOn(const StudyVerdict& verdict);
/// Before the first round of seeds is complete nothing has been looked at.
bool isJudgedYet(const StudyVerdict& verdict);
/// "at 32 ranks", "with train.epochs = 2"; empty without factors.
Text whereOf(const StudySettings& factors);

/// Under which factors, and in which variant where stages are compared.
std::string whereText(const StudyComparison& comparison);
/// "Of 4 comparisons: 2 better, 2 not shown."; of a study that is not over, how far it is.
Text summaryOf(const StudyVerdict& verdict);
/// What was not shown, could not be compared or is invalid, a sentence a measure and reason.
std::vector<Text> doubtsOf(const StudyVerdict& verdict);
/// How it was judged.
Text methodOf(const StudyVerdict& verdict);
/// Why secondary measures get no verdict.
Text secondaryText();
/// Why some of them have no interval; empty where all have one.
Text withoutIntervalText(const StudyVerdict& verdict);
/// The areas of the performance profiles, a sentence each.
std::vector<Text> profileTexts(const StudyVerdict& verdict);

/// One a primary measure, with a row for each comparison.
std::vector<Table> comparisonTables(const StudyVerdict& verdict);
/// Nothing where no other measure was taken.
std::optional<Table> secondaryTable(const StudyVerdict& verdict);
/// Nothing where nothing was tuned.
std::optional<Table> tuningTable(const StudyVerdict& verdict);

/// The verdict alone, as `slipstream study verdict` prints it.
ReportDocument studyDocument(const StudyVerdict& verdict);
/// One row a comparison, the secondary ones last, for spreadsheets.
std::string toCsvText(const StudyVerdict& verdict);
/// For programs.
std::string toJsonText(const StudyVerdict& verdict);

}  // namespace slipstream
