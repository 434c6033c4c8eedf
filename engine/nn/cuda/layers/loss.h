// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "engine/base/error.h"
#include "engine/nn/cuda/kernels/channel_sums.h"
#include "engine/nn/cuda/kernels/softmax.h"
#include "engine/nn/cuda/layers/layer_ops.h"
#include "engine/nn/device_loss.h"

namespace slipstream {

/// Softmax cross-entropy in double, each sum in fixed order.
template <class Ops>
class LossOn : public DeviceLoss {
 public:
  LossOn(Device& device, const Ops& ops) : device_(device), scratch_(device), ops_(ops) {}

  void take(std::span<const std::int32_t> labels, std::int64_t classes) override {
    if (classes <= 0 || labels.empty()) throw Error("there must be a label a sample, and a class");
    if (std::ranges::any_of(labels, [&](std::int32_t label) { return label < 0 || label >= classes; }))
      throw Error("a label is no class of the network");
    arriving_.reset();  // an earlier result that nobody asked for
    classes_ = classes;
    samples_ = std::ssize(labels);
    work_ = prepare(samples_);
    device_.copyIn(std::as_writable_bytes(std::span(work_.labels, labels.size())), std::as_bytes(labels));
  }

  void start(const LossSpec& spec, std::span<const float> logits, std::span<float> gradient,
             double gradientScale) override {
    if (std::ssize(logits) != samples_ * classes_) throw Error("there must be a logit for each class of each sample");
    if (!gradient.empty() && gradient.size() != logits.size())
      throw Error("the gradient must be as large as the logits");
    const double smooth = spec.kind == LossKind::crossEntropySmooth ? spec.smoothFactor : 0.0;
    const SmoothTarget target{1.0 - smooth, classes_ > 1 ? smooth / static_cast<double>(classes_ - 1) : 0.0};
    const auto samples = static_cast<std::uint32_t>(samples_);
    ops_.each(samples_ * rowLanes, SoftmaxParts{logits.data(), classes_, samples, work_.parts});
    ops_.each(samples_, SoftmaxLoss{logits.data(), work_.labels, classes_, samples, work_.parts, target, work_.losses});
    if (!gradient.empty()) {
      ops_.each(std::ssize(gradient), SoftmaxGradient{logits.data(), work_.labels, classes_, work_.losses, target,
                                                      gradientScale / static_cast<double>(samples_), gradient.data()});
    }
    summed_ = samples_;
    const double* sums = foldSums(ops_, planOf(samples_), lossWidth, &work_.losses->logSum);
    if (!totals_) totals_ = device_.allocateStaging(sizeof(SampleLoss));
    arriving_ =
        device_.startCopyOut(totals_->bytes().first(sizeof(SampleLoss)), std::as_bytes(std::span(sums, lossWidth)));
  }

  /// Not behind what the device was given since: backward may still run.
  LossResult result() override {
    if (arriving_) arriving_->wait();
    const SampleLoss& total = totals_->template as<SampleLoss>()[0];
    return {total.loss / static_cast<double>(summed_), static_cast<std::int64_t>(total.correct)};
  }

 private:
  /// Values of a SampleLoss, which are added up like the columns of a matrix.
  static constexpr std::int64_t lossWidth = sizeof(SampleLoss) / sizeof(double);

  /// Memory of one batch.
  struct Work {
    std::int32_t* labels;
    SoftmaxPart* parts;
    SampleLoss* losses;  ///< one a sample, and behind them their sums, level by level
  };

  static SumPlan planOf(std::int64_t samples) {
    SumPlan plan;
    plan.addLevels(samples);
    return plan;
  }

  Work prepare(std::int64_t samples) {
    return scratch_.place<GpuParts>([&](GpuParts& parts) -> Work {
      return {parts.take<std::int32_t>(samples), parts.take<SoftmaxPart>(samples * rowLanes),
              parts.take<SampleLoss>(planOf(samples).sums(1))};
    });
  }

  Device& device_;
  Scratch scratch_;
  Ops ops_;
  std::int64_t samples_ = 0, classes_ = 0;  ///< of the labels that were taken
  std::int64_t summed_ = 0;                 ///< samples of the result that is asked for
  Work work_{};
  std::unique_ptr<Buffer> totals_;         ///< on the host
  std::unique_ptr<StartedCopy> arriving_;  ///< goes first
};

}  // namespace slipstream
