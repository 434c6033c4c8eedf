// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/boost/adasum/spec.h"

namespace slipstream {

/// The ranks of each leaf of Adasum's tree.
struct AdasumGroups {
  std::vector<std::vector<int>> ranksOfLeaf;  ///< one group a server, or a rank; both in rising order
  int leafOfMine = 0;

  int leaves() const { return static_cast<int>(ranksOfLeaf.size()); }
  const std::vector<int>& mine() const { return ranksOfLeaf[static_cast<std::size_t>(leafOfMine)]; }
  bool severalRanksALeaf() const;
  /// The first rank of each leaf.
  std::vector<int> leaders() const;
};

/// `automatic` is `servers` where there is more than one server, else `flat`.
AdasumGroups adasumGroups(AdasumScope scope, const std::vector<int>& serverOfRank, int rank);

}  // namespace slipstream
