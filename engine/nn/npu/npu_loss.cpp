// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "engine/base/error.h"
#include "engine/nn/npu/layers.h"
#include "engine/nn/npu/npu_backend.h"

namespace slipstream {
namespace {

class NpuLoss final : public DeviceLoss {
 public:
  explicit NpuLoss(Device& device) : device_(device), operators_(device), scratch_(device) {}

  void take(std::span<const std::int32_t> labels, std::int64_t classes) override {
    if (classes <= 0 || labels.empty()) throw Error("there must be a label a sample, and a class");
    if (std::ranges::any_of(labels, [&](std::int32_t label) { return label < 0 || label >= classes; }))
      throw Error("a label is no class of the network");
    arriving_.clear();  // an earlier result that nobody asked for
    classes_ = classes;
    labels_.assign(labels.begin(), labels.end());
    work_ = scratch_.place<NpuParts>([&](NpuParts& parts) { return list(parts); });
    device_.copyIn(std::as_writable_bytes(std::span(work_.labels, labels.size())), std::as_bytes(labels));
  }

  void start(const LossSpec& spec, std::span<const float> logits, std::span<float> gradient,
             double gradientScale) override {
    if (std::ssize(logits) != samples() * classes_) throw Error("there must be a logit for each class of each sample");
    if (!gradient.empty() && gradient.size() != logits.size())
      throw Error("the gradient must be as large as the logits");
    setTargets(spec);
    const ValuesView values = matrix(logits.data());
    const ValuesView logarithms = matrix(work_.logarithms);
    operators_.give(aclnnLibrary().logSoftmax, values, std::int64_t{1}, logarithms);
    setLosses(logarithms);
    operators_.give(aclnnLibrary().largest, values, std::int64_t{1}, false,
                    vectorOf(aclnn::int32, work_.largest, samples()));
    if (!gradient.empty()) setGradient(logarithms, matrix(gradient.data()), gradientScale);
    fetch();
  }

  /// Not behind what the device was given since: backward may still run.
  LossResult result() override {
    for (const auto& copy : arriving_) copy->wait();
    LossResult result;
    const auto losses = losses_->as<float>();
    const auto largest = largest_->as<std::int32_t>();
    for (std::size_t i = 0; i < labels_.size(); ++i) {
      result.loss -= static_cast<double>(losses[i]);
      if (!std::isnan(losses[i]) && largest[i] == labels_[i]) ++result.correct;
    }
    result.loss /= static_cast<double>(labels_.size());
    return result;
  }

 private:
  /// Memory of one batch.
  struct Work {
    std::int32_t* labels;
    float* marks;       ///< the target of the label's class, and of the others
    float* targets;     ///< [samples, classes]
    float* logarithms;  ///< of the probabilities, alike
    float* terms;       ///< alike
    float* losses;      ///< of each sample, negative
    std::int32_t* largest;
  };
  Work list(NpuParts& parts) const {
    const std::int64_t values = samples() * classes_;
    return {parts.take<std::int32_t>(samples()), parts.take<float>(2),      parts.take<float>(values),
            parts.take<float>(values),           parts.take<float>(values), parts.take<float>(samples()),
            parts.take<std::int32_t>(samples())};
  }

  std::int64_t samples() const { return std::ssize(labels_); }
  ValuesView matrix(const float* values) const { return rowsOf(aclnn::float32, values, samples(), classes_); }

  void setTargets(const LossSpec& spec) {
    const double smooth = spec.kind == LossKind::crossEntropySmooth ? spec.smoothFactor : 0.0;
    const double off = classes_ > 1 ? smooth / static_cast<double>(classes_ - 1) : 0.0;
    const std::array<float, 2> marks{static_cast<float>(1.0 - smooth), static_cast<float>(off)};
    device_.copyIn(std::as_writable_bytes(std::span(work_.marks, 2)), std::as_bytes(std::span(marks)));
    operators_.give(aclnnLibrary().oneHot, vectorOf(aclnn::int32, work_.labels, samples()), static_cast<int>(classes_),
                    vectorOf(aclnn::float32, work_.marks, 1), vectorOf(aclnn::float32, work_.marks + 1, 1),
                    std::int64_t{-1}, matrix(work_.targets));
  }

  void setLosses(const ValuesView& logarithms) {
    const ValuesView terms = matrix(work_.terms);
    operators_.multiply(matrix(work_.targets), logarithms, terms);
    operators_.sum(terms, {1}, false, vectorOf(aclnn::float32, work_.losses, samples()));
  }

  /// (the sum of the targets, which is 1, times the probability - target) times its share of the scale.
  void setGradient(const ValuesView& logarithms, const ValuesView& gradient, double gradientScale) {
    const ValuesView terms = matrix(work_.terms);
    operators_.give(aclnnLibrary().exponential, logarithms, terms);
    operators_.give(aclnnLibrary().subtract, terms, matrix(work_.targets), scalar(1), terms);
    operators_.give(aclnnLibrary().scale, terms,
                    scalar(static_cast<float>(gradientScale / static_cast<double>(samples()))), gradient);
  }

  void fetch() {
    const auto count = labels_.size();
    if (!losses_ || losses_->as<float>().size() < count) {
      losses_ = device_.allocateStaging(count * sizeof(float));
      largest_ = device_.allocateStaging(count * sizeof(std::int32_t));
    }
    arriving_.clear();
    arriving_.push_back(device_.startCopyOut(losses_->bytes().first(count * sizeof(float)),
                                             std::as_bytes(std::span(work_.losses, count))));
    arriving_.push_back(device_.startCopyOut(largest_->bytes().first(count * sizeof(std::int32_t)),
                                             std::as_bytes(std::span(work_.largest, count))));
  }

  Device& device_;
  NpuOperators operators_;
  Scratch scratch_;
  std::vector<std::int32_t> labels_;
  std::int64_t classes_ = 0;  ///< of the labels that were taken
  Work work_{};
  std::unique_ptr<Buffer> losses_;  ///< on the host
  std::unique_ptr<Buffer> largest_;
  std::vector<std::unique_ptr<StartedCopy>> arriving_;  ///< goes first
};

}  // namespace

std::unique_ptr<DeviceLoss> makeNpuLoss(Device& device) {
  aclnnLibrary();
  return std::make_unique<NpuLoss>(device);
}

}  // namespace slipstream
