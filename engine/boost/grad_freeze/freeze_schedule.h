// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/boost/grad_freeze/spec.h"

namespace slipstream {

/// Which group is trained at which step (the two schedules of MindSpore's boost library). Group 0 is the whole network.
/// The sequence of int(1.01 total_steps) entries starts over when it is used up. Steps are asked for in any order; what
/// was drawn is kept, so that memory grows with the largest step of type 1.
class FreezeSchedule {
 public:
  /// `groups` at least 1; freeze_type, freeze_p and total_steps come from `options`. `draw` gives uniform numbers in
  /// [0, 1) and is called by type 1 once for every step that freezes, in order.
  FreezeSchedule(const GradFreezeOptions& options, int groups, std::function<double()> draw);

  int groupAt(std::int64_t step);
  /// Entries until the sequence starts over.
  std::int64_t length() const { return length_; }

 private:
  std::int64_t cycle() const { return fullSteps_ + groups_ - 1; }
  int continuousAt(std::int64_t position) const;
  int intervalAt(std::int64_t position);
  int drawGroup();

  int type_;
  int groups_;
  double frozenShare_;
  std::int64_t fullSteps_ = 0;  ///< type 0: full steps before each run of frozen ones
  std::int64_t length_;
  std::function<double()> draw_;
  std::vector<double> cumulative_;  ///< type 1: of the chances of the groups from the last to the first but one
  std::vector<int> drawn_;
  std::int64_t frozen_ = 0;  ///< among drawn_
};

}  // namespace slipstream
