// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/queue.h"

namespace slipstream {

std::vector<int> cellsToStart(const std::vector<WaitingCell>& waiting, const std::vector<CellCost>& running,
                              QueueCapacity capacity) {
  for (const CellCost& cost : running) capacity.take(cost);
  std::vector<int> starting;
  for (const WaitingCell& cell : waiting) {
    if (!cell.isReady || !capacity.holds(cell.cost)) break;
    capacity.take(cell.cost);
    starting.push_back(cell.cell);
  }
  return starting;
}

}  // namespace slipstream
