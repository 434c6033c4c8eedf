// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/study/cell_plan.h"

namespace slipstream {

/// What may be in use at once.
struct QueueCapacity {
  int cores = 1;
  std::int64_t memory = 0;
  int accelerators = 0;

  bool holds(const CellCost& cost) const {
    return cost.cores <= cores && cost.memory <= memory && cost.accelerators <= accelerators;
  }
  void take(const CellCost& cost) {
    cores -= cost.cores;
    memory -= cost.memory;
    accelerators -= cost.accelerators;
  }
};

struct WaitingCell {
  int cell = 0;
  CellCost cost;
  bool isReady = true;  ///< trials that it depends on have ended
};

/// The cells that start now beside those that run: from the front, in their order, until one does not fit or is not
/// ready. None overtakes another, or the order would not do to all variants alike what the machine does.
std::vector<int> cellsToStart(const std::vector<WaitingCell>& waiting, const std::vector<CellCost>& running,
                              QueueCapacity capacity);

}  // namespace slipstream
