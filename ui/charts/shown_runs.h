// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <vector>

#include "engine/analysis/curve_source.h"
#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// One run whose curves are drawn.
struct ShownRun {
  CurveRun run;
  QString label;       ///< what tells it from the others: its name, its seed where that differs
  QString groupLabel;  ///< of it and other seeds together
  int colourSlot = 0;
  bool living = false;

  bool operator==(const ShownRun& other) const {
    return run.id == other.run.id && run.version == other.run.version && label == other.label &&
           colourSlot == other.colourSlot && living == other.living;
  }
};

/// A run as a CurveSource reads it, which keeps what it has read while `storeVersion` cannot have changed it.
CurveRun curveRunOf(const RunRecord& run, std::int64_t storeVersion);

/// The selection's runs that the store still has, oldest first, so that lines keep their order.
std::vector<ShownRun> shownRuns(Workspace& workspace);

/// Whether there are so many runs, most of them other seeds of others, that bands tell more than a curve of each.
bool areManySeeds(const std::vector<ShownRun>& runs);

}  // namespace slipstream::ui
