// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/document/document.h"

namespace slipstream {

// A comparison as texts and tables: what the terminal, reports, exports and the window say of it.

enum class TitleExtent { names, whole };
/// "Adasum against averaged on 8 ranks", with what variants are where their names do not say it; by names alone
/// "Adasum against averaged". Of one variant the name of its first run.
Text titleOf(const Comparison& comparison, TitleExtent extent = TitleExtent::whole);
/// "better", "no claim (n < 3)", … Its English is also the value in exported JSON and CSV: a change is one of the
/// format.
Text verdictText(const ComparedMeasure& measure);
/// "Steps to 80 %" where all runs have one target, else the measure's name.
Text titleOf(const Comparison& comparison, const Measure& measure);
/// "Time to 80 %, s"
Text titleWithUnit(const Comparison& comparison, const Measure& measure);
/// How the intervals were made; empty where there are none.
Text methodText(const Comparison& comparison);
/// What is shown, in sentences: of the accuracy of each variant, then of everything else; of many variants how often,
/// and the largest differences.
std::vector<Text> conclusionsOf(const Comparison& comparison);
/// In what a variant differs from the reference, so that no single one of several changes is taken for the cause:
/// "adasum and averaged differ in adasum, grad_freeze and less_bn: what is found is the effect of all of them
/// together."
Text changesSentence(const Comparison& comparison, std::size_t variant);
/// What a reader must know: runs that were left out, and why.
std::vector<Text> remarksOn(const Comparison& comparison);

/// Returns the run's state as a word.
Text stateText(RunState state);

/// The accuracies of all variants against the reference's, a row each, the largest gain first; nothing where they are
/// so few that each is told in a sentence.
std::optional<Table> overviewTable(const Comparison& comparison);
/// What every run came to, its stages one below the other.
Table outcomesTable(const Comparison& comparison);
/// Parameters of experiments: those that somebody chose, with what follows from algorithms, or with all that are equal.
enum class ParameterExtent { chosen, differing, all };
/// One row a parameter, one column a variant.
Table differencesTable(const Comparison& comparison, ParameterExtent extent = ParameterExtent::differing);
/// Each variant beside the reference, stage by stage; pairs of which nothing is compared are left out.
std::vector<Table> comparedTables(const Comparison& comparison);
/// The stages of one variant against each other; nothing where it has none that can be compared.
std::optional<Table> comparedStagesTable(const Comparison& comparison, std::size_t variant);
/// Variants that have no seed in common with the reference: the means of their last stages over the seeds that each has
/// done, without an interval or a verdict, because the spread of the seeds is in both.
std::vector<Table> unpairedTables(const Comparison& comparison);

/// The comparison alone, as `slipstream compare` prints it.
ReportDocument comparisonDocument(const Comparison& comparison);

/// For people: aligned columns.
std::string toText(const Comparison& comparison, Language language = Language::english);
/// What is paired, one row a measure, for spreadsheets; where nothing is, what was measured of each run. Percentages
/// stay percentages.
std::string toCsvText(const Comparison& comparison);
/// For programs.
std::string toJsonText(const Comparison& comparison);

}  // namespace slipstream
