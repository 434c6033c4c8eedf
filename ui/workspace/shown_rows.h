// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "ui/workspace/workspace.h"

namespace slipstream::ui {

/// The selection's runs that the store still has, oldest first, so that what shows them keeps its order.
std::vector<const RunRow*> shownRows(const RunSelection& selection, const StoreSnapshot& snapshot);

/// Their slots by id (engine/analysis/run_colours.h): lists, menus and charts draw them alike.
std::map<std::string, int> shownSlots(Workspace& workspace);

}  // namespace slipstream::ui
