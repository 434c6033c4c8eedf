#include "engine/boost/averaged/averaged.h"

#include <utility>

#include "engine/boost/averaged/bucket_sum.h"
#include "engine/boost/gradient_memory.h"

namespace slipstream {
namespace {

std::unique_ptr<BucketExchange> makeExchange(const UpdateParts& parts, const GradientMemory& memory) {
  if (parts.communicator.size() == 1) return nullptr;
  const float scale =
      parts.experiment.parallel.gradientsMean ? 1.0F / static_cast<float>(parts.communicator.size()) : 1.0F;
  auto values = memory.shared() ? memory.all() : std::vector{memory.own()};
  return makeBucketSum(parts.communicator, std::move(values), parts.buckets, scale);
}

class Averaged final : public Update {
 public:
  explicit Averaged(const UpdateParts& parts)
      : whole_{0, parts.layout.size()},
        weights_(parts.device, parts.layout.size(), MemoryCategory::weights),
        memory_(parts.communicator, parts.device, parts.layout.size(), true),
        gradients_(memory_.own()),
        exchange_(makeExchange(parts, memory_)),
        schedule_(parts.buckets, exchange_.get(), parts.experiment.parallel.overlap),
        optimizer_(makeOptimizer(parts.experiment.optimizer, parts.layout, whole_, parts.stepsPerEpoch,
                                 parts.totalSteps, parts.device)) {}

  ParameterStore& weights() override { return weights_; }
  ParameterStore& gradients() override { return gradients_; }

  void gradientReady(Range range, int, bool isLast) override {
    if (isLast) schedule_.ready(range);
  }
  void progress() override { schedule_.progress(); }

  StepOutcome finish(StepContext& context) override {
    StepOutcome outcome;
    outcome.communicationSeconds = schedule_.finish();
    outcome.overflow = context.overflowVote();
    if (outcome.overflow) return outcome;
    optimizer_->update(whole_, weights_.acquire(whole_), memory_.own(), context.step());
    outcome.updated = true;
    return outcome;
  }

  std::vector<StateTensor> state() override {
    if (optimizer_->state().empty()) return {};
    return {{"momentum", optimizer_->state(), false}};
  }
  double learningRateAt(std::int64_t step) const override { return optimizer_->learningRateAt(step); }

 private:
  Range whole_;
  WholeParameterStore weights_;
  GradientMemory memory_;
  WholeParameterStore gradients_;
  std::unique_ptr<BucketExchange> exchange_;
  BucketSchedule schedule_;
  std::unique_ptr<Optimizer> optimizer_;
};

}  // namespace

std::unique_ptr<Update> makeAveraged(const UpdateParts& parts) {
  return std::make_unique<Averaged>(parts);
}

}  // namespace slipstream
