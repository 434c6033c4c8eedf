#include "engine/boost/optimizer_parallel/unit_gradients.h"

#include <algorithm>
#include <utility>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/comm/waiting.h"

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
    seconds_ += schedule_.finish();
    startPass(true);
  }
  if (const int before = unit - slots_; before >= 0 && !sum_.completed(before)) {
    const Stopwatch watch;
    waitUntil(communicator_, [&] {
      sum_.progress();
      return sum_.completed(before);
    });
    seconds_ += watch.seconds();
  }
  const auto u = static_cast<std::size_t>(unit);
  return memory_.subspan(static_cast<std::size_t>(starts_[u] + range.begin - units_[u].range.begin),
                         static_cast<std::size_t>(range.size()));
}

void UnitGradients::start(std::int64_t end) {
  end_ = end;
  seconds_ = 0;
  startPass(false);
}

double UnitGradients::finish() {
  return seconds_ + schedule_.finish();
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
