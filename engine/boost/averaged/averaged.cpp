#include "engine/boost/averaged/averaged.h"

#include "engine/boost/averaged/bucket_sum.h"
#include "engine/boost/replicated_update.h"

namespace slipstream {
namespace {

std::unique_ptr<BucketExchange> makeExchange(const UpdateParts& parts, const RankMemory& memory) {
  if (parts.communicator.size() == 1) return nullptr;
  const float scale =
      parts.experiment.parallel.gradientsMean ? 1.0F / static_cast<float>(parts.communicator.size()) : 1.0F;
  auto values = memory.shared() ? memory.all() : std::vector{memory.own()};
  return makeBucketSum(parts.communicator, std::move(values), parts.buckets, scale);
}

class Averaged final : public ReplicatedUpdate {
 public:
  explicit Averaged(const UpdateParts& parts) : ReplicatedUpdate(parts, true), exchange_(makeExchange(parts, memory_)) {
    exchangeThrough(exchange_.get());
  }

  std::string exchange() const override {
    if (!exchange_) return "none";
    return memory_.shared() ? "window" : "messages";
  }

 private:
  void update(const StepContext& context, Range trained, StepOutcome&) override {
    optimize(trained, weightsOf(trained), context);
  }

  std::unique_ptr<BucketExchange> exchange_;
};

}  // namespace

std::unique_ptr<Update> makeAveraged(const UpdateParts& parts) {
  return std::make_unique<Averaged>(parts);
}

}  // namespace slipstream
