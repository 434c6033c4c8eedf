// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/adasum/halving_plan.h"

#include <algorithm>

namespace slipstream {

HalvingPlan::HalvingPlan(int ranks) : ranks_(ranks) {
  while ((1 << levels_) < ranks_) ++levels_;
}

int HalvingPlan::rankOf(int place) const {
  int rank = 0;
  for (int level = levels_ - 1; level >= 0; --level) {
    const int rightHalf = rank + (1 << level);
    if ((place >> level) % 2 == 1 && rightHalf < ranks_) rank = rightHalf;
  }
  return rank;
}

std::vector<int> HalvingPlan::placesOf(int rank, int level) const {
  std::vector<int> places;
  for (int place = 0; place < 1 << levels_; ++place) {
    const bool splitOffByNow = (place ^ rank) >> level == 0;
    if (splitOffByNow && rankOf(place) == rank) places.push_back(place);
  }
  return places;
}

bool HalvingPlan::combines(int place, int level) const {
  return group(place, level).middle < ranks_;
}

Range HalvingPlan::owned(int place, int levels, Range whole) const {
  for (int level = 0; level < levels; ++level) {
    const std::int64_t middle = whole.begin + whole.size() / 2;
    (isLeft(place, level) ? whole.begin : whole.end) = middle;
  }
  return whole;
}

HalvingPlan::Group HalvingPlan::group(int place, int level) const {
  const int width = 2 << level;
  const int begin = place / width * width;
  return {begin, begin + width / 2, std::min(begin + width, ranks_)};
}

}  // namespace slipstream
