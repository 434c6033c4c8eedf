#include "engine/boost/optimizer_parallel/optimizer_parallel.h"

#include "engine/boost/optimizer_parallel/sharded_deltas.h"
#include "engine/boost/optimizer_parallel/sharded_update.h"

namespace slipstream {
namespace {

class OptimizerParallel final : public ShardedUpdate {
 public:
  explicit OptimizerParallel(const UpdateParts& parts) : ShardedUpdate(parts) {
    useGradients(makeShardedGradients(parts, map_));
  }

 private:
  CommunicationTime stepAll(const StepContext& context) override {
    ExchangeClock clock;
    forTrained([&](int tensor) {
      optimize(tensor, weightsOf(tensor), context);
      clock.run([&] { return spread_.stepped(tensor); });
    });
    clock.run([&] { return spread_.finish(); });
    return clock.take();
  }
};

}  // namespace

std::unique_ptr<Update> makeOptimizerParallel(const UpdateParts& parts) {
  const BoostConfig& boost = parts.experiment.boost;
  if (boost.adasum && boost.adasumOptions.mode == AdasumMode::deltas) return makeShardedDeltas(parts);
  return std::make_unique<OptimizerParallel>(parts);
}

}  // namespace slipstream
