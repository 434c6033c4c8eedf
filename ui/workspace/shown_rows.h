// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// The selection's runs that the store still has, oldest first, so that what shows them keeps its order.
std::vector<const RunRow*> shownRows(const RunSelection& selection, const StoreSnapshot& snapshot);

/// Pens of the runs that are shown, by id, as slots (engine/analysis/run_colours.h).
std::map<std::string, int> shownSlots(Workspace& workspace);
/// Pens of these runs, for whoever has their rows already.
std::map<std::string, int> slotsOf(const std::vector<const RunRow*>& rows);

}  // namespace slipstream::ui
