// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/optimizer_parallel.h"

#include <algorithm>

#include "engine/boost/adasum/spec.h"
#include "engine/boost/optimizer_parallel/sharded_deltas.h"
#include "engine/boost/optimizer_parallel/sharded_update.h"
#include "engine/boost/optimizer_parallel/spec.h"

namespace slipstream {
namespace {

class OptimizerParallel final : public ShardedUpdate {
 public:
  OptimizerParallel(const UpdateContext& parts, const ExchangeMaker& maker) : ShardedUpdate(parts) {
    useGradients(makeShardedGradients(parts, map_, maker));
  }

 private:
  /// Bucket by bucket: a device is told of its tensors once, and they travel while the next bucket is stepped.
  CommunicationTime stepAll(const StepContext& context) override {
    ExchangeClock clock;
    for (const Bucket& bucket : buckets_) {
      const int end = std::min(bucket.endTensor, trainedTensors());
      if (bucket.firstTensor >= end) break;
      optimize(bucket.firstTensor, end, context);
      for (int tensor = bucket.firstTensor; tensor < end; ++tensor) {
        clock.run([&] { return spread_.stepped(tensor); });
      }
    }
    clock.run([&] { return spread_.finish(); });
    return clock.take();
  }
};

}  // namespace

void OptimizerParallelAlgorithm::fillSlots(StepSlots& slots, const UpdateContext& parts) {
  if (parts.experiment.parallel.optimizerParallel.level == ShardingLevel::off) return;
  slots.update = makeOptimizerParallel(parts);
}

std::unique_ptr<Update> makeOptimizerParallel(const UpdateContext& parts) {
  const ExchangeMaker maker = exchangeOf(parts);
  if (combinesDeltas(parts.experiment.boost)) return makeShardedDeltas(parts, maker);
  return std::make_unique<OptimizerParallel>(parts, maker);
}

}  // namespace slipstream
