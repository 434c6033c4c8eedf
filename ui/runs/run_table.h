// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/runs/run_columns.h"
#include "engine/runs/run_selection.h"
#include "ui/store/store_snapshot.h"

namespace slipstream::ui {

using RunValuesPointer = std::shared_ptr<const RunValues>;

/// A column (its place in runColumns()) that rows are sorted by.
struct SortKey {
  std::size_t column = 0;
  bool descending = false;
  bool operator==(const SortKey&) const = default;
};

/// How the table of runs is asked to be.
struct TableRequest {
  RunQuery query;
  std::vector<SortKey> sort;         ///< the first one counts most; none: launches, newest first
  std::optional<std::size_t> group;  ///< the column whose values make groups; nothing: one list
  std::set<std::string> closed;      ///< keys of groups whose runs are not shown
};

/// One row of the table: a run, or the head of a group.
struct TableRow {
  std::string key;  ///< names the row among all, from one moment to the next: "run ID", "group VALUE"
  QString title;
  const RunRow* run = nullptr;  ///< null of a group; belongs to the snapshot
  RunValuesPointer values;      ///< of a run
  bool isBest = false;          ///< no run of its group is better in the column that is sorted by first
  // Of a group:
  std::size_t first = 0;  ///< of its runs in ArrangedRuns::runs, closed or not
  int runs = 0;
  bool isClosed = false;
  RunValue best;    ///< of that column; missing where better has no meaning in it
  RunValue target;  ///< the accuracy that times to a target are of; missing where its runs have several
};

/// What a column holds in all listed runs, for whoever writes a filter.
struct ColumnExtent {
  double lowest = 0, highest = 0;
  int numbers = 0;                                 ///< runs that have a finite one
  std::vector<std::pair<std::string, int>> texts;  ///< each once, with its number of runs, the most frequent first
  std::vector<std::pair<std::string, int>> parts;  ///< the same of what texts are lists of: tags, acting algorithms
};

/// A run with what is known of it.
struct KnownRun {
  const RunRow* row = nullptr;
  RunValuesPointer values;
};

/// The table as it should be. Shared, never changed.
struct ArrangedRuns {
  StoreSnapshotPointer snapshot;
  std::vector<TableRow> rows;
  std::unordered_map<std::string, int> places;  ///< run id -> row, of runs that have one
  std::vector<KnownRun> runs;                   ///< that the query leaves, in order, those of closed groups too
  std::vector<KnownRun> filtered;               ///< listed runs that it does not leave
  int listed = 0;                               ///< runs that are not archived
  int archived = 0;
  int unread = 0;             ///< listed runs of which only record and label are known yet
  std::vector<bool> differs;  ///< by column: shown runs have several values of that setting
  std::shared_ptr<const std::vector<ColumnExtent>> extents;
  std::optional<SortKey> sortedBy;  ///< first
};
using ArrangedRunsPointer = std::shared_ptr<const ArrangedRuns>;

/// Sorts, groups and marks runs that the query leaves. `names`: of all runs of the snapshot.
void arrange(const std::vector<KnownRun>& runs, const TableRequest& request, const RunNames& names,
             ArrangedRuns& arranged);

/// By column: these runs have several values of that setting.
std::vector<bool> differencesOf(const std::vector<KnownRun>& runs);

/// Over these runs.
std::vector<ColumnExtent> extentsOf(const std::vector<KnownRun>& runs);

/// What a column is called, and its value as a person reads it, in the language of the window.
QString columnTitle(const RunColumn& column);
QString columnHeading(const RunColumn& column);
QString shownText(const RunColumn& column, const RunValue& value);

}  // namespace slipstream::ui
