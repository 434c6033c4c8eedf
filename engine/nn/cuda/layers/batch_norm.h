// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/nn/cuda/kernels/batch_norm.h"
#include "engine/nn/cuda/kernels/channel_sums.h"
#include "engine/nn/cuda/kernels/shared_norm.h"
#include "engine/nn/cuda/layers/normalize.h"

namespace slipstream {

/// As the CPU's (engine/nn/layers/batch_norm.h): sums in double and in fixed order. Where it is deferred it makes no
/// image, in evaluation neither: there is no memory for one.
template <class Ops>
class BatchNormOn final : public Layer {
 public:
  BatchNormOn(const LayerConfig& parts, const Ops& ops)
      : spec_(parts.spec),
        channels_(parts.input.channels),
        rowsPerSample_(parts.input.elements() / parts.input.channels),
        fused_(parts.fused),
        type_(parts.type),
        shared_(parts.norm),
        running_(parts.device.allocate(2 * width() * sizeof(float), MemoryCategory::weights)),
        scratch_(parts.scratch),
        ops_(ops) {
    const std::vector<float> ones(width(), 1.0F);
    parts.device.copyIn(std::as_writable_bytes(runningVariance()), std::as_bytes(std::span(ones)));
    scratch_.reserve<GpuParts>([&](GpuParts& counted) { list(counted, parts.maximumBatch); });
    GpuParts counted;
    takeKept(counted);
    kept_ = parts.device.allocate(counted.bytes(), MemoryCategory::activations);
    GpuParts kept(kept_->bytes());
    takeKept(kept);
  }

  void forward(const ForwardPass& pass) override {
    ops_.withType(pass.input.type(), [&](auto type) { forwardOf<decltype(type)>(pass); });
  }

  void backward(const BackwardPass& pass) override {
    ops_.withType(pass.input.type(), [&](auto type) { backwardOf<decltype(type)>(pass); });
  }

  std::vector<NetworkState> states() override {
    return {{spec_.name + ".moving_mean", runningMean()}, {spec_.name + ".moving_variance", runningVariance()}};
  }

 private:
  /// Memory of one call.
  struct Work {
    GradientLines lines;
    double* sums;
  };

  template <class Value>
  void forwardOf(const ForwardPass& pass) {
    const std::int64_t rows = pass.batch * rowsPerSample_;
    const Value* input = pass.input.template as<Value>();
    if (pass.mode == NetworkMode::training) {
      batchLines(pass, input, rows);
    } else {
      setLines<Value>(pass, TakeRunning{pass.weights.weight.data(), pass.weights.bias.data(), lines_,
                                        runningStatistics(), spec_.epsilon});
    }
    if (fused_.deferred) return;
    const Value* second = fused_.sum ? pass.second.template as<Value>() : nullptr;
    normalizeOn(ops_, input, second, pass.output.template as<Value>(), lines_.applied(), rows * channels_, channels_,
                fused_.relu);
  }

  template <class Value>
  void batchLines(const ForwardPass& pass, const Value* input, std::int64_t rows) {
    const FinishStatistics statistics{pass.weights.weight.data(),
                                      pass.weights.bias.data(),
                                      lines_,
                                      runningStatistics(),
                                      {spec_.epsilon, spec_.momentum, static_cast<double>(rows)}};
    double* memory = prepare(pass.batch).sums;
    double* sums = nullptr;
    withLanes(
        channels_,
        [&](auto lanes) { sums = channelSums<lanes()>(ops_, MomentTerms<Value>{input}, rows, channels_, memory); },
        input);
    setLines<Value>(pass, FinishMoments<Value>{sums, input, narrow(), statistics});
  }

  /// `finish` sets the lines of a channel.
  template <class Value, class Finish>
  void setLines(const ForwardPass& pass, const Finish& finish) const {
    if (!fused_.deferred) return ops_.each(channels_, finish);
    const ShareLines<Value> share{lines_, pass.weights.weight.data(), reinterpret_cast<Value*>(shared_->lineScale),
                                  reinterpret_cast<Value*>(shared_->lineBias), spec_.epsilon};
    ops_.each(channels_, InTurn<Finish, ShareLines<Value>>{finish, share});
  }

  template <class Value>
  void backwardOf(const BackwardPass& pass) {
    const std::int64_t rows = pass.batch * rowsPerSample_;
    const Value* gradient = pass.outputGradient.template as<Value>();
    const Value* input = pass.input.template as<Value>();
    const Work work = prepare(pass.batch);
    const DeliverGradients deliver{work.lines, pass.gradients.weight.data(), pass.gradients.bias.data(),
                                   static_cast<double>(rows), pass.accumulate};
    const double* sums = gradientSums(gradient, input, rows, work.sums);
    ops_.each(channels_, FinishGradients{sums, lines_.inverseDeviation, narrow(), deliver});
    if (pass.inputGradient.empty()) return;
    Value* result = pass.inputGradient.template as<Value>();
    withLanes(
        channels_,
        [&](auto lanes) {
          ops_.each(rows * channels_ / lanes(),
                    NormInputGradient<lanes(), Value>{gradient, input, result, lines_, work.lines, narrow(),
                                                      fused_.reluGradient});
        },
        gradient, input, result);
  }

  template <class Value>
  const double* gradientSums(const Value* gradient, const Value* input, std::int64_t rows, double* memory) const {
    const GradientTerms<Value> terms{gradient, input, lines_, fused_.reluGradient};
    double* sums = nullptr;
    withLanes(
        channels_, [&](auto lanes) { sums = channelSums<lanes()>(ops_, terms, rows, channels_, memory); }, gradient,
        input);
    return sums;
  }

  std::size_t width() const { return static_cast<std::size_t>(channels_); }
  std::uint32_t narrow() const { return static_cast<std::uint32_t>(channels_); }
  std::span<float> runningMean() { return running_->template as<float>().first(width()); }
  std::span<float> runningVariance() { return running_->template as<float>().last(width()); }
  RunningStatistics runningStatistics() { return {runningMean().data(), runningVariance().data()}; }

  void takeKept(GpuParts& parts) {
    lines_ = {parts.take<double>(channels_), parts.take<double>(channels_), parts.take<float>(channels_),
              parts.take<float>(channels_), parts.take<float>(channels_)};
    if (shared_ == nullptr) return;
    shared_->mean = lines_.mean;
    shared_->scale = lines_.scale;
    shared_->beta = lines_.beta;
    for (std::byte** line : {&shared_->lineScale, &shared_->lineBias}) {
      *line = parts.take<std::byte>(channels_ * bytesOf(type_));
    }
  }

  Work prepare(std::int64_t batch) {
    return scratch_.place<GpuParts>([&](GpuParts& parts) { return list(parts, batch); });
  }
  Work list(GpuParts& parts, std::int64_t batch) const {
    const auto sumBytes = static_cast<std::int64_t>(channelSumBytes(batch * rowsPerSample_, channels_));
    return {{parts.take<float>(channels_), parts.take<float>(channels_)},
            reinterpret_cast<double*>(parts.take<std::byte>(sumBytes))};
  }

  LayerSpec spec_;
  std::int64_t channels_;
  std::int64_t rowsPerSample_;
  FusedWork fused_;
  NumberType type_;
  SharedNorm* shared_;               ///< null where it is not deferred
  std::unique_ptr<Buffer> running_;  ///< means, then variances
  std::unique_ptr<Buffer> kept_;     ///< lines of the last forward, and what is shared
  NormLines lines_ = {};
  Scratch& scratch_;
  Ops ops_;
};

}  // namespace slipstream
