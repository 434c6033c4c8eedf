// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/npu/layers.h"

namespace slipstream {
namespace {

/// Computes in fp32: of half images Ascend's operator asks for half weights, and ours are not.
class NpuBatchNorm final : public Layer {
 public:
  NpuBatchNorm(const LayerConfig& parts, NpuOperators& operators)
      : spec_(parts.spec),
        shape_(asPictures(parts.input)),
        fused_(parts.fused),
        type_(parts.type),
        running_(parts.device.allocate(2 * width() * sizeof(float), MemoryCategory::weights)),
        saved_(parts.device.allocate(2 * width() * sizeof(float), MemoryCategory::activations)),
        scratch_(parts.scratch),
        operators_(operators) {
    const std::vector<float> ones(width(), 1.0F);
    parts.device.copyIn(std::as_writable_bytes(second(running_)), std::as_bytes(std::span(ones)));
    scratch_.reserve<NpuParts>([&](NpuParts& counted) { return list(counted, parts.maximumBatch); });
  }

  void forward(const ForwardPass& pass) override {
    const Work work = prepare(pass.batch);
    const ValuesView output = imagesOf(pass.output, pass.batch, shape_);
    const ValuesView normalized = fused_.sum ? imagesOf(output.type, work.images, pass.batch, shape_) : output;
    const ValuesView inFp32 = isFp32() ? normalized : wide(work.wideResult, pass.batch);
    operators_.give(aclnnLibrary().batchNorm, widened(imagesOf(pass.input, pass.batch, shape_), work.wideInput),
                    vectorOf(pass.weights.weight), vectorOf(pass.weights.bias), vectorOf(first(running_)),
                    vectorOf(second(running_)), pass.mode == NetworkMode::training, 1.0 - spec_.momentum, spec_.epsilon,
                    inFp32, vectorOf(first(saved_)), vectorOf(second(saved_)));
    if (!isFp32()) operators_.copy(normalized, inFp32);
    if (fused_.sum) operators_.add(normalized, imagesOf(pass.second, pass.batch, shape_), output);
    if (fused_.relu) operators_.relu(output, output);
  }

  void backward(const BackwardPass& pass) override {
    const Work work = prepare(pass.batch);
    const bool wantsInput = !pass.inputGradient.empty();
    const ValuesView gammaGradient = vectorOf(aclnn::float32, work.gamma, shape_.channels);
    const ValuesView betaGradient = vectorOf(aclnn::float32, work.beta, shape_.channels);
    const ValuesView inputGradient = imagesOf(pass.inputGradient, pass.batch, shape_);
    const ValuesView inFp32 = isFp32() ? inputGradient : wide(work.wideResult, pass.batch);
    operators_.give(aclnnLibrary().batchNormBackward, widened(gradientOf(pass, work), work.wideGradient),
                    widened(imagesOf(pass.input, pass.batch, shape_), work.wideInput), vectorOf(pass.weights.weight),
                    vectorOf(first(running_)), vectorOf(second(running_)), vectorOf(first(saved_)),
                    vectorOf(second(saved_)), true, spec_.epsilon, flags({wantsInput, true, true}),
                    wantsInput ? describe(inFp32) : TensorOfNpu(), gammaGradient, betaGradient);
    if (wantsInput && !isFp32()) operators_.copy(inputGradient, inFp32);
    operators_.deliver(gammaGradient, vectorOf(pass.gradients.weight), pass.accumulate);
    operators_.deliver(betaGradient, vectorOf(pass.gradients.bias), pass.accumulate);
  }

  std::vector<NetworkState> states() override {
    return {{spec_.name + ".moving_mean", first(running_)}, {spec_.name + ".moving_variance", second(running_)}};
  }

 private:
  /// Memory of one call.
  struct Work {
    std::byte* images;
    float* gamma;
    float* beta;
    float* wideInput;  ///< these are of half images only
    float* wideGradient;
    float* wideResult;
  };
  Work list(NpuParts& parts, std::int64_t batch) const {
    const bool needsPictures = fused_.sum || fused_.reluGradient;
    const std::int64_t wideElements = isFp32() ? 0 : batch * shape_.elements();
    return {parts.take<std::byte>(needsPictures ? batch * shape_.elements() * bytesOf(type_) : 0),
            parts.take<float>(shape_.channels),
            parts.take<float>(shape_.channels),
            parts.take<float>(wideElements),
            parts.take<float>(wideElements),
            parts.take<float>(wideElements)};
  }
  Work prepare(std::int64_t batch) {
    return scratch_.place<NpuParts>([&](NpuParts& parts) { return list(parts, batch); });
  }

  /// Cut where the ReLU behind cut the output.
  ValuesView gradientOf(const BackwardPass& pass, const Work& work) {
    const ValuesView given = imagesOf(pass.outputGradient, pass.batch, shape_);
    if (!fused_.reluGradient) return given;
    const ValuesView cut = imagesOf(given.type, work.images, pass.batch, shape_);
    operators_.passWhereAbove(0, given, imagesOf(pass.output, pass.batch, shape_), cut);
    return cut;
  }

  bool isFp32() const { return type_ == NumberType::float32; }
  ValuesView wide(const float* values, std::int64_t batch) const {
    return imagesOf(aclnn::float32, values, batch, shape_);
  }
  /// The images in fp32, which are copied for that where they are not.
  ValuesView widened(const ValuesView& images, const float* copy) {
    if (isFp32()) return images;
    const ValuesView result = wide(copy, images.sizes.front());
    operators_.copy(result, images);
    return result;
  }

  static SampleShape asPictures(SampleShape shape) {
    return shape.height == 0 ? SampleShape{1, 1, shape.channels} : shape;
  }
  std::size_t width() const { return static_cast<std::size_t>(shape_.channels); }
  std::span<float> first(const std::unique_ptr<Buffer>& pair) const { return pair->as<float>().first(width()); }
  std::span<float> second(const std::unique_ptr<Buffer>& pair) const { return pair->as<float>().last(width()); }

  LayerSpec spec_;
  SampleShape shape_;
  FusedWork fused_;
  NumberType type_;
  std::unique_ptr<Buffer> running_;  ///< means, then variances
  std::unique_ptr<Buffer> saved_;    ///< of the last forward: means, then inverse deviations
  Scratch& scratch_;
  NpuOperators& operators_;
};

}  // namespace

std::unique_ptr<Layer> makeNpuBatchNorm(const LayerConfig& parts, NpuOperators& operators) {
  return std::make_unique<NpuBatchNorm>(parts, operators);
}

}  // namespace slipstream
