// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "ui/workspace/workspace.h"

namespace slipstream::ui {

class Notice;

/// Asks in `notice` whether the runs may be deleted with everything of theirs, saying what that frees, and deletes
/// them.
void askToRemove(Workspace& workspace, Notice& notice, const std::vector<std::string>& runs);

/// Why these runs cannot be deleted, archived or named in this store; empty where they can. `living`: whether one that
/// goes on is a reason.
QString whyUnchangeable(Workspace& workspace, const std::vector<const RunRow*>& runs, bool living);

}  // namespace slipstream::ui
