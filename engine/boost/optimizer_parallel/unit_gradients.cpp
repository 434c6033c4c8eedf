// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/unit_gradients.h"

#include <algorithm>
#include <utility>

#include "engine/base/error.h"

namespace slipstream {

UnitGradients::UnitGradients(Communicator& communicator, ShardSum& sum, std::vector<Bucket> units,
                             std::vector<std::int64_t> starts, int slots, std::span<float> memory)
    : communicator_(communicator),
      sum_(sum),
      units_(std::move(units)),
      starts_(std::move(starts)),
      slots_(slots),
      memory_(memory),
      schedule_(units_, &sum, true) {}

std::span<float> UnitGradients::acquire(Range range) {
  const int unit = unitAt(range);
  if (schedule_.begun(unit)) {  // the next micro-batch
    time_ += schedule_.finish();
    startPass(true);
  }
  if (const int before = unit - slots_; before >= 0) schedule_.waitFor(before, communicator_);
  const auto u = static_cast<std::size_t>(unit);
  return memory_.subspan(static_cast<std::size_t>(starts_[u] + range.begin - units_[u].range.begin),
                         static_cast<std::size_t>(range.size()));
}

void UnitGradients::start(std::int64_t end) {
  end_ = end;
  time_ = {};
  startPass(false);
}

CommunicationTime UnitGradients::finish() {
  CommunicationTime whole = time_;
  whole += schedule_.finish();
  return whole;
}

int UnitGradients::unitAt(Range range) const {
  const auto found = std::ranges::find_if(units_, [&](const Bucket& unit) { return range.begin < unit.range.end; });
  if (found == units_.end() || range.begin < found->range.begin || range.end > found->range.end) {
    throw Error("gradients were asked for that do not leave together");
  }
  return static_cast<int>(found - units_.begin());
}

void UnitGradients::startPass(bool add) {
  sum_.start(end_, add);
  schedule_.start(end_);
}

}  // namespace slipstream
