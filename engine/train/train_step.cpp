#include "engine/train/train_step.h"

#include <array>

#include "engine/device/cpu/flush_denormals.h"
#include "engine/train/step_context.h"

namespace slipstream {
namespace {

/// Tells the Update about every layer, and hands over each tensor's gradient when it is complete.
class GradientHandover final : public LayerObserver {
 public:
  GradientHandover(const ParameterLayout& layout, StepSlots& slots, int microBatch, bool isLast)
      : layout_(layout), slots_(slots), microBatch_(microBatch), isLast_(isLast) {}

  void beforeForward(int layer) override { slots_.update->beforeForward(layer); }
  void afterForward(int layer) override { slots_.update->afterForward(layer); }
  void beforeBackward(int layer) override { slots_.update->beforeBackward(layer); }

  void afterBackward(int layer) override {
    for (const FlatTensor& tensor : layout_.tensors()) {
      if (tensor.spec.layer == layer) handOver(tensor);
    }
    slots_.update->progress();
  }

 private:
  void handOver(const FlatTensor& tensor) {
    if (isLast_ && !slots_.gradientPasses.empty()) {
      const std::span<float> gradient = slots_.update->gradients().acquire(tensor.range);
      for (const auto& pass : slots_.gradientPasses) pass->apply(tensor, gradient);
      slots_.update->gradients().release(tensor.range);
    }
    slots_.update->gradientReady(tensor.range, microBatch_, isLast_);
  }

  const ParameterLayout& layout_;
  StepSlots& slots_;
  int microBatch_;
  bool isLast_;
};

}  // namespace

TrainStep::TrainStep(Network& network, StepSlots& slots, const LossSpec& loss, Communicator& communicator)
    : network_(network), slots_(slots), loss_(loss), communicator_(communicator) {}

StepResult TrainStep::run(const Batch& batch, std::int64_t step) {
  StepPlan plan;
  for (const auto& policy : slots_.policies) policy->plan(step, previous_, plan);

  double loss = 0;
  for (int microBatch = 0; microBatch < plan.microBatches; ++microBatch) {
    const Range samples{batch.count * microBatch / plan.microBatches,
                        batch.count * (microBatch + 1) / plan.microBatches};
    loss += passOver(batch, samples, plan, microBatch);
  }
  BatchContext context(network_, *slots_.update, loss_, communicator_, batch, plan, step);
  previous_ = slots_.update->finish(context);
  return {loss, previous_};
}

/// Forward and backward over some samples of the batch; returns their share of the batch's mean loss.
double TrainStep::passOver(const Batch& batch, Range samples, const StepPlan& plan, int microBatch) {
  const FlushDenormals flush;
  const std::int64_t classes = network_.shape().outputs.back().elements();
  const std::int64_t elements = network_.shape().input.elements();
  const double share = static_cast<double>(samples.size()) / static_cast<double>(batch.count);
  const auto part = [](const auto& values, std::int64_t begin, std::int64_t count) {
    return std::span(values).subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count));
  };

  GradientHandover handover(network_.layout(), slots_, microBatch, microBatch + 1 == plan.microBatches);
  Update& update = *slots_.update;
  const auto logits = network_.forward(part(batch.inputs, samples.begin * elements, samples.size() * elements),
                                       samples.size(), NetworkMode::training, update.weights(), &handover);
  outputGradient_.resize(static_cast<std::size_t>(samples.size() * classes));
  const LossResult result = crossEntropy(loss_, logits, part(batch.labels, samples.begin, samples.size()), classes,
                                         outputGradient_, share * plan.lossScale);
  network_.backward(outputGradient_, samples.size(), update.weights(), update.gradients(), microBatch > 0,
                    plan.firstTrainedLayer, &handover);
  return result.loss * share;
}

}  // namespace slipstream
