// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/record/metric_info.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// What a column of a list of runs is about; choices of columns are ordered by it.
enum class ColumnKind { run, setting, result, time, memory };

/// How the values of a column are written.
enum class ColumnFormat { text, whole, plain, loss, percent, seconds, milliseconds, megabytes, date };

/// A column of a list of runs, in the window and on the command line. Filters name it by its key (run_selection.h).
struct RunColumn {
  std::string_view key;
  const char* title;  ///< in English; says what the value is
  ColumnKind kind = ColumnKind::run;
  ColumnFormat format = ColumnFormat::text;
  Better better = Better::neither;
  const char* brief = title;  ///< the same as the head of a column, where many stand side by side

  bool isText() const { return format == ColumnFormat::text; }
  /// The unit that values are stored and shown in: "s", "ms", "MB", "%" (stored as a fraction of 1); empty: none.
  std::string_view unit() const;
  /// "Accuracy, %"
  std::string heading() const;
};

/// All columns there are, in the order of choices.
const std::vector<RunColumn>& runColumns();
/// The place of a column in runColumns(), by its key or another name that filters know it by; nothing where there is
/// none.
std::optional<std::size_t> findRunColumn(std::string_view key);

/// One value of one run; nothing in it: not measured, or not known.
struct RunValue {
  std::optional<double> number;
  std::string text;    ///< of a column of texts
  bool never = false;  ///< the run ended without reaching the target: behind every number
  bool operator==(const RunValue&) const = default;
  bool isMissing() const { return !number && text.empty() && !never; }
};

/// What lists show of one run and filters ask for.
struct RunValues {
  std::vector<RunValue> columns;    ///< one a column of runColumns()
  std::vector<std::string> acting;  ///< algorithmsOf the run

  const RunValue& at(std::string_view key) const;
};

/// Run id -> name of the study that it belongs to.
using StudiesOfRuns = std::map<std::string, std::string>;
StudiesOfRuns studiesOfRuns(RunStore& store);

/// What the record and the label say, without a look at the store; all else is missing.
RunValues valuesOfHead(const RunRecord& run, const RunLabel& label);
/// Puts what the record and the label say now in the place of what they said.
void refreshHead(RunValues& values, const RunRecord& run, const RunLabel& label);
/// Everything. `wholeRun` is not a head. Reads its series and its memory; what is damaged is missing.
RunValues readRunValues(RunStore& store, const RunRecord& wholeRun, const RunLabel& label,
                        const StudiesOfRuns& studies = {});

/// "98.94", "0.056", "412", "never"; a dash where it is missing. In English.
std::string valueText(const RunColumn& column, const RunValue& value);
/// The same for a file that a program reads: numbers in full, empty where it is missing.
std::string plainText(const RunColumn& column, const RunValue& value);

/// Before, behind or equal: as columns are sorted. Numbers below texts that stand for a number ("never"); what is
/// missing is behind everything, whichever way is sorted.
int compareValues(const RunColumn& column, const RunValue& a, const RunValue& b);

}  // namespace slipstream
