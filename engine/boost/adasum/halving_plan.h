// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/nn/parameter_layout.h"

namespace slipstream {

/// Recursive vector halving with distance doubling for any number of ranks, in the shape of Adasum's tree. It is drawn
/// for the next power of two of places. A place beyond the last rank has no vector of its own: where a node of the tree
/// has no right half, the ranks of its left half stand in for it, so nothing is sent and nothing combined there.
class HalvingPlan {
 public:
  explicit HalvingPlan(int ranks);

  int levels() const { return levels_; }
  /// The places that `rank` holds at a level: itself and those that it stands in for by then.
  std::vector<int> placesOf(int rank, int level) const;
  int rankOf(int place) const;
  /// Whether the tree combines two nodes over this place at this level.
  bool combines(int place, int level) const;
  int partner(int place, int level) const { return place ^ (1 << level); }
  /// Whether the place is on the left (lower) side of its pair.
  bool isLeft(int place, int level) const { return (place >> level) % 2 == 0; }
  /// What a place holds of `whole` after `levels` levels: the left one keeps the upper half.
  Range owned(int place, int levels, Range whole) const;
  /// The ranks whose slices make up the pair of vectors: [begin, end).
  struct Group {
    int begin;
    int middle;  ///< first rank of the right vector
    int end;
  };
  Group group(int place, int level) const;

 private:
  int ranks_;
  int levels_ = 0;
};

}  // namespace slipstream
