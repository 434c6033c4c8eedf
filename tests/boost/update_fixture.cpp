// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/boost/update_fixture.h"

#include <algorithm>
#include <string>

#include "engine/base/random.h"

namespace slipstream::test {
namespace {

class VotingContext final : public StepContext {
 public:
  VotingContext(UpdateRank& rank, Communicator& communicator, const StepPlan& plan, std::int64_t updatesDone,
                bool overflow)
      : rank_(rank), communicator_(communicator), plan_(plan), updatesDone_(updatesDone), overflow_(overflow) {}
  const StepPlan& plan() const override { return plan_; }
  std::int64_t updatesDone() const override { return updatesDone_; }
  bool overflowVote() override {
    double vote = overflow_ ? 1 : 0;
    communicator_.allReduceMax(std::span(&vote, 1));
    return vote > 0;
  }
  double meanLoss() override {
    double loss = rank_.loss ? rank_.loss(rank_.weights()) : 0;
    communicator_.allReduceSum(std::span(&loss, 1));
    return loss / communicator_.size();
  }
  double trialLoss() override { return meanLoss(); }
  double exchangeSeconds() const override { return 0; }

 private:
  UpdateRank& rank_;
  Communicator& communicator_;
  const StepPlan& plan_;
  std::int64_t updatesDone_;
  bool overflow_;
};

}  // namespace

ParameterLayout layoutOf(const std::vector<std::int64_t>& lengths) {
  NetworkShape shape;  // tensors in forward order; the layout reverses them
  for (std::size_t t = lengths.size(); t-- > 0;) {
    TensorSpec spec;
    spec.name = "t" + std::to_string(t);
    spec.shape = {lengths[t]};
    spec.layer = static_cast<int>(lengths.size() - 1 - t);
    shape.tensors.push_back(spec);
  }
  return ParameterLayout(shape);
}

UpdateRank::UpdateRank(Communicator& communicator, const ParameterLayout& layout, std::vector<Bucket> buckets,
                       const Experiment& experiment, std::vector<int> serverOfRank, MakeUpdate make,
                       WeightSnapshots* snapshots, const HostLayout& hosts)
    : communicator_(communicator),
      layout_(layout),
      experiment_(experiment),
      whole_{0, layout.size()},
      device_(openCpuDevice(meter_)),
      update_(make({layout_, std::move(buckets), experiment_, std::move(serverOfRank), 10.0, 100, communicator_,
                    *device_, cpuKernelTables(), snapshots, hosts})) {}

StepOutcome UpdateRank::step(const std::vector<float>& gradient, bool overflow, const StepPlan& plan,
                             bool usesWeights) {
  update_->begin(plan);
  for (const auto& tensor : layout_.tensors()) {
    if (tensor.spec.layer < plan.firstTrainedLayer) break;
    const Range range = tensor.range;
    if (usesWeights) {
      update_->weights().acquire(range);
      update_->weights().release(range);
    }
    const std::span<float> memory = update_->gradients().acquire(range);
    std::copy(gradient.begin() + range.begin, gradient.begin() + range.end, memory.begin());
    update_->gradients().release(range);
    update_->gradientReady(range, 0, true);
    update_->progress();
  }
  VotingContext context(*this, communicator_, plan, steps_, overflow);
  const StepOutcome outcome = update_->finish(context);
  if (outcome.updated) ++steps_;
  return outcome;
}

Experiment plainExperiment() {
  Experiment experiment;
  experiment.optimizer.kind = OptimizerKind::sgd;
  experiment.optimizer.momentum = 0;
  experiment.optimizer.schedule.maximum = 1.0;
  return experiment;
}

std::vector<float> randomGradient(std::int64_t length, int rank, int step) {
  Random random(static_cast<std::uint64_t>(rank), RandomStream::test, static_cast<std::uint64_t>(step));
  std::vector<float> values(static_cast<std::size_t>(length));
  for (float& value : values) value = static_cast<float>(random.uniform(-1, 1));
  return values;
}

}  // namespace slipstream::test
