// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/store/run_store.h"

namespace slipstream {

// A slot names the pen of a run's line: slot % runColourCount is its colour, slot / runColourCount its dash.
inline constexpr int runColourCount = 10;
inline constexpr int runDashCount = 6;

/// The solid pen in the colour that the store gave a run: of one that is seen alone.
inline int ownSlot(const RunRecord& run) {
  return run.colourSlot % runColourCount;
}

/// The wanted colour where it is free, else the next one that is, all solid; the next dash where no colour is left.
int nextFreeSlot(int wantedColour, const std::set<int>& taken);

/// Returns a slot for each of these runs, by id, so that no two of them share colour and dash; the same for the same
/// runs in any order. A run keeps the colour that the store gave it; of several with one colour, the first run of an
/// older variant is solid and the others are dashed, because a group of seeds is drawn with the pen of its first run.
/// Where there are more runs than pens, all lines are solid and colours repeat.
std::map<std::string, int> distinctSlots(const std::vector<RunRecord>& runs);

}  // namespace slipstream
