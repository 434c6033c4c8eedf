#pragma once

#include <algorithm>
#include <array>

#include "engine/base/error.h"
#include "engine/nn/cuda/kernels/softmax.h"
#include "engine/nn/cuda/layers/machine_layers.h"
#include "engine/nn/device_loss.h"

namespace slipstream {

/// Softmax cross-entropy in double, each sum in fixed order.
template <class Machine>
class LossOn : public DeviceLoss {
 public:
  LossOn(Device& device, const Machine& machine) : device_(device), scratch_(device), machine_(machine) {}

  LossResult crossEntropy(const LossSpec& spec, std::span<const float> logits, std::span<const std::int32_t> labels,
                          std::int64_t classes, std::span<float> gradient, double gradientScale) override {
    check(logits, labels, classes, gradient);
    const std::int64_t samples = std::ssize(labels);
    const Work work = prepare(samples);
    device_.copyIn(std::as_writable_bytes(std::span(work.labels, labels.size())), std::as_bytes(labels));
    const double smooth = spec.kind == LossKind::crossEntropySmooth ? spec.smoothFactor : 0.0;
    const SmoothTarget target{1.0 - smooth, classes > 1 ? smooth / static_cast<double>(classes - 1) : 0.0};
    machine_.each(samples * rowLanes, SoftmaxParts{logits.data(), classes, work.parts});
    machine_.each(samples, SoftmaxLoss{logits.data(), work.labels, classes, work.parts, target, work.losses});
    if (!gradient.empty()) {
      machine_.each(std::ssize(gradient),
                    SoftmaxGradient{logits.data(), work.labels, classes, work.losses, target,
                                    gradientScale / static_cast<double>(samples), gradient.data()});
    }
    machine_.each(1, SumLosses{work.losses, samples, work.totals});
    std::array<double, 2> totals{};
    device_.copyOut(std::as_writable_bytes(std::span(totals)), std::as_bytes(std::span(work.totals, totals.size())));
    return {totals[0], static_cast<std::int64_t>(totals[1])};
  }

 private:
  /// Memory of one call.
  struct Work {
    std::int32_t* labels;
    SoftmaxPart* parts;
    SampleLoss* losses;
    double* totals;
  };

  static void check(std::span<const float> logits, std::span<const std::int32_t> labels, std::int64_t classes,
                    std::span<float> gradient) {
    if (classes <= 0 || labels.empty() || std::ssize(logits) != std::ssize(labels) * classes)
      throw Error("there must be one label a sample, and a logit for each of its classes");
    if (!gradient.empty() && gradient.size() != logits.size())
      throw Error("the gradient must be as large as the logits");
    if (std::ranges::any_of(labels, [&](std::int32_t label) { return label < 0 || label >= classes; }))
      throw Error("a label is no class of the network");
  }

  Work prepare(std::int64_t samples) {
    ScratchParts parts(scratch_.take(partBytes<std::int32_t>(samples) + partBytes<SoftmaxPart>(samples * rowLanes) +
                                     partBytes<SampleLoss>(samples) + partBytes<double>(2)));
    Work work{};
    work.labels = parts.take<std::int32_t>(samples);
    work.parts = parts.take<SoftmaxPart>(samples * rowLanes);
    work.losses = parts.take<SampleLoss>(samples);
    work.totals = parts.take<double>(2);
    return work;
  }

  Device& device_;
  Scratch scratch_;
  Machine machine_;
};

}  // namespace slipstream
