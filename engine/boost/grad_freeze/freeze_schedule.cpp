// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_freeze/freeze_schedule.h"

#include <algorithm>

namespace slipstream {
namespace {

/// The last group has weight 1, group 1 the most: shallow freezing is likelier.
std::vector<double> cumulativeChances(int groups) {
  const double sum = groups * (groups - 1) / 2.0;
  std::vector<double> cumulative;
  double reached = 0;
  for (int weight = 1; weight < groups; ++weight) cumulative.push_back(reached += weight / sum);
  for (double& chance : cumulative) chance /= reached;
  return cumulative;
}

}  // namespace

FreezeSchedule::FreezeSchedule(const GradFreezeOptions& options, int groups, std::function<double()> draw)
    : type_(options.freezeType),
      groups_(groups),
      frozenShare_(1 - options.freezeP),
      length_(std::max<std::int64_t>(1, static_cast<std::int64_t>(1.01 * static_cast<double>(options.totalSteps)))),
      draw_(std::move(draw)),
      cumulative_(cumulativeChances(groups)) {
  if (type_ != 0 || groups == 1) return;
  fullSteps_ = freezeFullSteps(options.freezeP, groups);
  length_ = (length_ + cycle() - 1) / cycle() * cycle();
}

int FreezeSchedule::groupAt(std::int64_t step) {
  if (groups_ == 1) return 0;
  const std::int64_t position = step % length_;
  return type_ == 0 ? continuousAt(position) : intervalAt(position);
}

/// A run of full steps, then one step of each group from 1 to the last.
int FreezeSchedule::continuousAt(std::int64_t position) const {
  const std::int64_t place = position % cycle();
  return place < fullSteps_ ? 0 : static_cast<int>(place - fullSteps_ + 1);
}

/// Freezes whenever the share of frozen steps so far is below the wanted one.
int FreezeSchedule::intervalAt(std::int64_t position) {
  while (std::ssize(drawn_) <= position) {
    const bool first = drawn_.empty();
    const double share = first ? 1.0 : static_cast<double>(frozen_) / static_cast<double>(drawn_.size());
    const bool freeze = !first && share < frozenShare_;
    drawn_.push_back(freeze ? drawGroup() : 0);
    if (freeze) ++frozen_;
  }
  return drawn_[static_cast<std::size_t>(position)];
}

int FreezeSchedule::drawGroup() {
  const auto chosen = std::upper_bound(cumulative_.begin(), cumulative_.end(), draw_());
  const auto place = std::min<std::ptrdiff_t>(chosen - cumulative_.begin(), std::ssize(cumulative_) - 1);
  return groups_ - 1 - static_cast<int>(place);
}

}  // namespace slipstream
