// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/whole_gradients.h"

#include "engine/boost/slices.h"

namespace slipstream {

WholeGradients::WholeGradients(const UpdateContext& parts, bool share)
    : memory_(parts.communicator, parts.hosts, parts.device, parts.layout.size(), MemoryCategory::gradients, share),
      buckets_(parts.buckets),
      overlap_(parts.experiment.parallel.overlap),
      store_(memory_.own()),
      schedule_(buckets_, nullptr, overlap_) {}

void WholeGradients::exchangeThrough(BucketExchange* exchange) {
  schedule_ = BucketSchedule(buckets_, exchange, overlap_);
}

void WholeGradients::ready(Range range, bool isLast) {
  if (isLast) schedule_.ready(range);
}

SummedGradients::SummedGradients(const UpdateContext& parts, const ShardMap& map) : WholeGradients(parts, true) {
  sumOver(parts, map, memory_.ofHost().empty() ? std::vector{memory_.own()} : memory_.ofHost(), memory_.hosts());
}

void SummedGradients::sumOver(const UpdateContext& parts, const ShardMap& map,
                              const std::vector<std::span<float>>& values, const HostLayout& hosts) {
  if (parts.communicator.size() == 1) return;
  sum_ = makeShardSum(parts, map, parts.buckets, startsOf(parts.buckets), values,
                      hosts.oneHost() ? values : std::vector{memory_.own()}, true, hosts);
  exchangeThrough(sum_.get());
}

void SummedGradients::start(std::int64_t end) {
  if (sum_) sum_->start(end, false);
  WholeGradients::start(end);
}

CommunicationTime SummedGradients::finish() {
  CommunicationTime time = WholeGradients::finish();
  const Stopwatch watch;
  if (sum_) sum_->shareSums();
  time.exposed += watch.seconds();
  return time;
}

std::string SummedGradients::exchange() const {
  return sum_ ? nameOfSlices(memory_.hosts()) : "none";
}

CombinedGradients::CombinedGradients(const UpdateContext& parts, const ExchangeMaker& maker)
    : WholeGradients(parts, maker.sharesMemory), exchange_(maker.make(parts, memory_)) {
  exchangeThrough(exchange_->ofGradients());
}

}  // namespace slipstream
