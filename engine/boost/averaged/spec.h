// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

struct AveragedAlgorithm {
  static AlgorithmSpec spec();
  static ExchangeMaker exchange(const UpdateContext& parts);
  static void fillSlots(StepSlots& slots, const UpdateContext& parts);
};

/// How a sum over several hosts is cut: buckets into pieces, a piece into one slice for each host to add.
struct HostSumCut {
  int hosts = 1;

  std::int64_t pieceElements() const;
  std::int64_t piecesOf(std::int64_t elements) const { return (elements + pieceElements() - 1) / pieceElements(); }
  /// What a rank receives of one piece.
  std::int64_t receivedElements() const;
  /// Pieces that are received at once, at most.
  std::int64_t piecesAhead() const;
};

/// Elements that the receiving buffer of a sum of these buckets has.
std::int64_t hostSumElements(const HostSumCut& cut, const std::vector<std::int64_t>& bucketElements);

}  // namespace slipstream
