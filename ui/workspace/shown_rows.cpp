// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/shown_rows.h"

#include <string_view>
#include <unordered_set>

#include "engine/analysis/run_colours.h"
#include "ui/store/store_snapshot.h"

namespace slipstream::ui {

std::vector<const RunRow*> shownRows(const RunSelection& selection, const StoreSnapshot& snapshot) {
  const std::unordered_set<std::string_view> chosen(selection.shown().begin(), selection.shown().end());
  std::vector<const RunRow*> rows;
  for (const RunRow& row : snapshot.runs) {
    if (chosen.contains(row.run.id)) rows.push_back(&row);
  }
  return rows;
}

std::map<std::string, int> shownSlots(Workspace& workspace) {
  const StoreSnapshotPointer snapshot = workspace.store().snapshot();
  return slotsOf(shownRows(workspace.selection(), *snapshot));
}

std::map<std::string, int> slotsOf(const std::vector<const RunRow*>& rows) {
  std::vector<RunRecord> runs;
  for (const RunRow* row : rows) runs.push_back(row->run);
  return distinctSlots(runs);
}

}  // namespace slipstream::ui
