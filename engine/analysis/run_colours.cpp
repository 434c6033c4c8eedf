// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/run_colours.h"

#include <algorithm>
#include <set>
#include <tuple>

namespace slipstream {
namespace {

constexpr int penCount = runColourCount * runDashCount;

bool isOlder(const RunRecord* a, const RunRecord* b) {
  return std::tie(a->createdAt, a->id) < std::tie(b->createdAt, b->id);
}

/// The first run of each variant by age, then the others by age.
std::vector<const RunRecord*> inOrderOfChoice(const std::vector<RunRecord>& runs) {
  std::vector<const RunRecord*> ordered;
  for (const RunRecord& run : runs) ordered.push_back(&run);
  std::sort(ordered.begin(), ordered.end(), isOlder);
  std::set<std::pair<std::string, std::string>> variants;
  std::set<const RunRecord*> first;
  for (const RunRecord* run : ordered) {
    const std::string& name = run->variant.empty() ? run->name : run->variant;
    if (variants.emplace(run->experimentName, name).second) first.insert(run);
  }
  std::stable_partition(ordered.begin(), ordered.end(), [&](const RunRecord* run) { return first.contains(run); });
  return ordered;
}

int colourOf(const RunRecord& run) {
  return std::max(run.colourSlot, 0) % runColourCount;
}

/// A pen of the run's own colour, the least dashed; any other where none of those is left.
int freePen(const RunRecord& run, const std::set<int>& taken) {
  for (int pen = colourOf(run); pen < penCount; pen += runColourCount) {
    if (!taken.contains(pen)) return pen;
  }
  int pen = 0;
  while (taken.contains(pen)) ++pen;
  return pen;
}

}  // namespace

int nextFreeSlot(int wantedColour, const std::set<int>& taken) {
  for (int dash = 0;; ++dash) {
    for (int i = 0; i < runColourCount; ++i) {
      const int slot = dash * runColourCount + (wantedColour + i) % runColourCount;
      if (!taken.contains(slot)) return slot;
    }
  }
}

std::map<std::string, int> distinctSlots(const std::vector<RunRecord>& runs) {
  std::map<std::string, int> slots;
  std::set<int> taken;
  const bool enough = runs.size() <= static_cast<std::size_t>(penCount);
  for (const RunRecord* run : inOrderOfChoice(runs)) {
    if (slots.contains(run->id)) continue;
    const int pen = enough ? freePen(*run, taken) : colourOf(*run);
    taken.insert(pen);
    slots.emplace(run->id, pen);
  }
  return slots;
}

}  // namespace slipstream
