#pragma once

#include <vector>

#include "engine/nn/cuda/kernels/batch_norm.h"
#include "engine/nn/cuda/kernels/channel_sums.h"
#include "engine/nn/cuda/layers/machine_layers.h"

namespace slipstream {

/// As the CPU's (engine/nn/layers/batch_norm.h): sums in double and in fixed order.
template <class Machine>
class BatchNormOn final : public Layer {
 public:
  BatchNormOn(const LayerParts& parts, const Machine& machine)
      : spec_(parts.spec),
        channels_(parts.input.channels),
        rowsPerSample_(parts.input.elements() / parts.input.channels),
        fused_(parts.fused),
        running_(parts.device.allocate(2 * width() * sizeof(float), MemoryCategory::weights)),
        kept_(parts.device.allocate(keptBytes(), MemoryCategory::activations)),
        scratch_(parts.scratch),
        machine_(machine) {
    const std::vector<float> ones(width(), 1.0F);
    parts.device.copyIn(std::as_writable_bytes(runningVariance()), std::as_bytes(std::span(ones)));
    scratch_.take(scratchBytes(parts.maximumBatch));
  }

  void forward(const ForwardPass& pass) override {
    const NormLines lines = keptLines();
    const std::int64_t rows = pass.batch * rowsPerSample_;
    machine_.withType(pass.input.type(), [&](auto type) {
      using Value = decltype(type);
      const Value* input = pass.input.template as<Value>();
      if (pass.mode == NetworkMode::training) {
        batchLines(pass, input, rows);
      } else {
        machine_.each(channels_, TakeRunning{pass.weights.weight.data(), pass.weights.bias.data(), lines,
                                             runningStatistics(), spec_.epsilon});
      }
      const Value* second = fused_.sum ? pass.second.template as<Value>() : nullptr;
      Value* output = pass.output.template as<Value>();
      withLanes(
          channels_,
          [&](auto lanes) {
            machine_.each(rows * channels_ / lanes(),
                          Normalize<lanes(), Value>{input, second, output, lines, narrow(), fused_.relu});
          },
          input, second, output);
    });
  }

  void backward(const BackwardPass& pass) override {
    machine_.withType(pass.input.type(), [&](auto type) { backwardOf<decltype(type)>(pass); });
  }

  std::vector<NetworkState> states() override {
    return {{spec_.name + ".moving_mean", runningMean()}, {spec_.name + ".moving_variance", runningVariance()}};
  }

 private:
  template <class Value>
  void batchLines(const ForwardPass& pass, const Value* input, std::int64_t rows) {
    double* memory = sumMemory(pass.batch).template take<double>(0);
    double* sums = nullptr;
    withLanes(
        channels_,
        [&](auto lanes) { sums = channelSums<lanes()>(machine_, MomentTerms<Value>{input}, rows, channels_, memory); },
        input);
    machine_.each(channels_, FinishMoments<Value>{sums,
                                                  input,
                                                  pass.weights.weight.data(),
                                                  pass.weights.bias.data(),
                                                  keptLines(),
                                                  runningStatistics(),
                                                  {spec_.epsilon, spec_.momentum, static_cast<double>(rows)},
                                                  narrow()});
  }

  template <class Value>
  void backwardOf(const BackwardPass& pass) {
    const std::int64_t rows = pass.batch * rowsPerSample_;
    const NormLines lines = keptLines();
    const Value* gradient = pass.outputGradient.template as<Value>();
    const Value* input = pass.input.template as<Value>();
    ScratchParts parts = sumMemory(pass.batch);
    const GradientLines gradientLines{parts.take<float>(channels_), parts.take<float>(channels_)};
    double* memory = parts.take<double>(0);
    double* sums = nullptr;
    withLanes(
        channels_,
        [&](auto lanes) {
          sums = channelSums<lanes()>(machine_, GradientTerms<Value>{gradient, input, lines, fused_.reluGradient}, rows,
                                      channels_, memory);
        },
        gradient, input);
    machine_.each(channels_,
                  FinishGradients{sums, lines, gradientLines, pass.gradients.weight.data(), pass.gradients.bias.data(),
                                  static_cast<double>(rows), narrow(), pass.accumulate});
    if (pass.inputGradient.empty()) return;
    Value* result = pass.inputGradient.template as<Value>();
    withLanes(
        channels_,
        [&](auto lanes) {
          machine_.each(rows * channels_ / lanes(),
                        NormInputGradient<lanes(), Value>{gradient, input, result, lines, gradientLines, narrow(),
                                                          fused_.reluGradient});
        },
        gradient, input, result);
  }

  std::size_t width() const { return static_cast<std::size_t>(channels_); }
  std::uint32_t narrow() const { return static_cast<std::uint32_t>(channels_); }
  std::span<float> runningMean() { return running_->template as<float>().first(width()); }
  std::span<float> runningVariance() { return running_->template as<float>().last(width()); }
  RunningStatistics runningStatistics() { return {runningMean().data(), runningVariance().data()}; }

  std::size_t keptBytes() const { return 2 * partBytes<double>(channels_) + 3 * partBytes<float>(channels_); }
  NormLines keptLines() {
    ScratchParts parts(kept_->bytes());
    return {parts.take<double>(channels_), parts.take<double>(channels_), parts.take<float>(channels_),
            parts.take<float>(channels_), parts.take<float>(channels_)};
  }
  std::size_t scratchBytes(std::int64_t batch) const {
    return 2 * partBytes<float>(channels_) + channelSumBytes(batch * rowsPerSample_, channels_);
  }
  ScratchParts sumMemory(std::int64_t batch) { return ScratchParts(scratch_.take(scratchBytes(batch))); }

  LayerSpec spec_;
  std::int64_t channels_;
  std::int64_t rowsPerSample_;
  FusedWork fused_;
  std::unique_ptr<Buffer> running_;  ///< means, then variances
  std::unique_ptr<Buffer> kept_;     ///< lines of the last forward
  Scratch& scratch_;
  Machine machine_;
};

}  // namespace slipstream
