// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <functional>
#include <string>
#include <vector>

#include "engine/record/run_label.h"

namespace slipstream::ui {

class Workspace;

/// Changes labels of runs as one step of the workspace's undo history; `words` names it. `change` gets each label as it
/// is in the store at that moment, so that what other windows write meanwhile stays; undoing gives back what the step
/// changed, and nothing else. What does not change is left alone. A store that cannot be written to says so, and the
/// step is dropped; `failed` is called then.
void editLabels(Workspace& workspace, const std::vector<std::string>& runs, const QString& words,
                const std::function<void(RunLabel&)>& change, const std::function<void()>& failed = {});

/// One run is the baseline that others are held against; pinning it frees the one before.
void pinBaseline(Workspace& workspace, const std::string& run);

/// "a, b ,a" as tags: a and b.
std::vector<std::string> tagsOf(const QString& text);

}  // namespace slipstream::ui
