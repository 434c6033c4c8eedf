// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/conv2d.h"

#include <algorithm>
#include <map>
#include <optional>

#include <dnnl.hpp>
#include <omp.h>

#include "engine/base/chunks.h"
#include "engine/nn/convert.h"
#include "engine/nn/layers/bf16_weight_gradient.h"
#include "engine/nn/layers/packed_bf16_weights.h"

namespace slipstream {
namespace {

using DataType = dnnl::memory::data_type;
using Tag = dnnl::memory::format_tag;
using Descriptor = dnnl::memory::desc;

/// The weight gradient of a 1 x 1 convolution that leaves out no pixel: the product of all pixels' output gradients,
/// transposed, and inputs. As a matrix product it is faster than as a convolution, and is where it is stored at
/// once.
struct WeightGradientProduct {
  Descriptor outputGradient;  ///< [output channels, pixels]
  Descriptor input;           ///< [pixels, input channels]
  Descriptor gradient;        ///< [output channels, input channels]
  dnnl::matmul::primitive_desc description;
  dnnl::matmul run;
};

/// How weights get from where they are stored to where a primitive wants them.
struct WeightsOrder {
  dnnl::reorder reorder;
  std::optional<PackedBf16Weights> paired;  ///< instead of it, three times as fast
};

/// Everything that depends on the batch size only. oneDNN chooses its own weight formats: handed OHWI it would fall to
/// its reference code, a thousand times slower.
struct Primitives {
  Descriptor input;
  Descriptor output;
  dnnl::convolution_forward::primitive_desc forward;
  dnnl::convolution_backward_data::primitive_desc backwardData;
  dnnl::convolution_backward_weights::primitive_desc backwardWeights;
  dnnl::convolution_forward runForward;
  dnnl::convolution_backward_data runBackwardData;
  dnnl::convolution_backward_weights runBackwardWeights;
  WeightsOrder weightsForForward;
  WeightsOrder weightsForBackward;
  dnnl::reorder gradientToStored;
  std::optional<WeightGradientProduct> product;  ///< instead of backwardWeights
  std::optional<JoinedPixels> joined;            ///< the same
};

void add(std::span<const float> from, std::span<float> to) {
  forEachChunk(to.size(), [&](std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i) to[i] += from[i];
  });
}

DataType dataType(NumberType type) {
  return type == NumberType::float32 ? DataType::f32 : DataType::bf16;
}

/// Whether the processor, as far as oneDNN may use it, has instructions for products of bf16. Where it has AVX-512
/// without them, oneDNN imitates them, at a quarter of the speed of fp32.
bool hasBfloat16Products() {
  constexpr auto needed = static_cast<unsigned>(dnnl::cpu_isa::avx512_core_bf16);
  return (static_cast<unsigned>(dnnl::get_effective_cpu_isa()) & needed) == needed;
}

/// Where oneDNN has no fast primitives for bf16, products are taken in fp32, of values that are converted on their way.
class Conv2d final : public Layer {
 public:
  explicit Conv2d(const LayerConfig& parts)
      : spec_(parts.spec),
        input_(parts.input),
        output_(parts.output),
        storedType_(dataType(parts.type)),
        scratch_(parts.scratch),
        engine_(dnnl::engine::kind::cpu, 0),
        stream_(engine_),
        stored_({output_.channels, input_.channels, spec_.kernel, spec_.kernel}, DataType::f32, Tag::ohwi),
        bias_({output_.channels}, DataType::f32, Tag::a) {
    computeType_ = storedType_;
    if (storedType_ != DataType::f32 && (!hasBfloat16Products() || lacksPrimitives(parts.maximumBatch))) {
      computeType_ = DataType::f32;
    }
    const auto& run = primitivesFor(parts.maximumBatch);
    scratch_.reserve<CpuParts>([&](CpuParts& counted) { listForward(counted, run); });
    scratch_.reserve<CpuParts>([&](CpuParts& counted) { listWeightGradients(counted, run); });
    scratch_.reserve<CpuParts>([&](CpuParts& counted) { listInputGradients(counted, run); });
  }

  void forward(const ForwardPass& pass) override {
    const auto& run = primitivesFor(pass.batch);
    const auto work = scratch_.place<CpuParts>([&](CpuParts& parts) { return listForward(parts, run); });
    auto weights = memory(run.forward.weights_desc(), work.weights);
    auto scratchpad = memory(run.forward.scratchpad_desc(), work.scratchpad);
    auto input = asComputed(run.input, pass.input, work.input);
    auto output = target(run.output, pass.output, work.output);
    bring(pass.weights.weight, run.weightsForForward, weights);
    run.runForward.execute(stream_, {{DNNL_ARG_SRC, input},
                                     {DNNL_ARG_WEIGHTS, weights},
                                     {DNNL_ARG_BIAS, memory(bias_, pass.weights.bias)},
                                     {DNNL_ARG_DST, output},
                                     {DNNL_ARG_SCRATCHPAD, scratchpad}});
    store(output, pass.output);
    stream_.wait();
  }

  void backward(const BackwardPass& pass) override {
    const auto& run = primitivesFor(pass.batch);
    weightGradients(pass, run);
    if (!pass.inputGradient.empty()) inputGradients(pass, run);
  }

  std::vector<std::string> kernels() const override {
    std::vector<std::string> names;
    for (const auto& [batch, run] : primitives_) {
      names.emplace_back(run.forward.impl_info_str());
      names.emplace_back(run.backwardData.impl_info_str());
      names.push_back(weightGradientKernel(run));
    }
    return names;
  }

 private:
  /// Memory of one call, as far as its pass needs it.
  struct Work {
    std::byte* weights = nullptr;  ///< as the library wants them; or their gradient, as it makes it
    std::byte* scratchpad = nullptr;
    std::byte* input = nullptr;   ///< images, or their gradient, where they are converted
    std::byte* output = nullptr;  ///< the same
    std::byte* stored = nullptr;  ///< the weights' gradient as it is stored, where it is added to another
    std::byte* bias = nullptr;    ///< its gradient
  };

  static std::string weightGradientKernel(const Primitives& run) {
    if (run.joined) return "pixel products:avx512_core_bf16";
    return run.product ? run.product->description.impl_info_str() : run.backwardWeights.impl_info_str();
  }

  dnnl::memory memory(const Descriptor& description, std::span<const float> values) const {
    return {description, engine_, const_cast<float*>(values.data())};
  }
  dnnl::memory memory(const Descriptor& description, std::byte* values) const { return {description, engine_, values}; }

  bool converts() const { return computeType_ != storedType_; }
  /// Images as the primitives want them.
  dnnl::memory asComputed(const Descriptor& wanted, const ConstActivation& values, std::byte* place) {
    if (!converts()) return {wanted, engine_, const_cast<std::byte*>(values.bytes())};
    auto converted = memory(wanted, place);
    const Activation computed = computedIn(converted);
    convert({values.type(), values.bytes(), computed.size()}, computed);
    return converted;
  }
  /// Where the primitives put images; store() brings them home.
  dnnl::memory target(const Descriptor& wanted, const Activation& values, std::byte* place) {
    return memory(wanted, converts() ? place : values.bytes());
  }
  void store(const dnnl::memory& made, const Activation& values) {
    if (!converts()) return;
    stream_.wait();
    const Activation computed = computedIn(made);
    convert(computed, {values.type(), values.bytes(), computed.size()});
  }
  static Activation computedIn(const dnnl::memory& made) {
    return {NumberType::float32, static_cast<std::byte*>(made.get_data_handle()),
            made.get_desc().get_size() / sizeof(float)};
  }

  /// oneDNN refuses bf16 on processors without AVX-512, and on some others has reference code only.
  bool lacksPrimitives(std::int64_t batch) const {
    try {
      const Primitives made = described(batch);
      return isReference(made) || isNeverGenerated(made.backwardWeights.impl_info_str(), spec_.kernel, output_.width);
    } catch (const dnnl::error& error) {
      if (error.status == dnnl_unimplemented) return true;
      throw;
    }
  }
  template <class Description>
  static bool isReference(const Description& description) {
    return std::string(description.impl_info_str()).find("ref") != std::string::npos;
  }
  static bool isReference(const Primitives& made) {
    return isReference(made.forward) || isReference(made.backwardData) || isReference(made.backwardWeights);
  }

  const Primitives& primitivesFor(std::int64_t batch) {
    auto found = primitives_.find(batch);
    if (found == primitives_.end()) found = primitives_.emplace(batch, make(batch)).first;
    return found->second;
  }

  Primitives make(std::int64_t batch) const {
    Primitives made = described(batch);
    made.runForward = dnnl::convolution_forward(made.forward);
    made.runBackwardData = dnnl::convolution_backward_data(made.backwardData);
    made.weightsForForward = orderFor(made.forward.weights_desc());
    made.weightsForBackward = orderFor(made.backwardData.weights_desc());
    made.gradientToStored = reorder(made.backwardWeights.diff_weights_desc(), stored_);
    if (gainsFromPixelProducts(batch)) {
      made.joined = joinedPixels(batch);
    } else if (isProduct()) {
      made.product = makeProduct(batch);
      if (isReference(made.product->description)) made.product.reset();
    }
    if (!made.joined && !made.product) {
      made.runBackwardWeights = dnnl::convolution_backward_weights(made.backwardWeights);
    }
    return made;
  }

  JoinedPixels joinedPixels(std::int64_t batch) const {
    return {batch,
            input_,
            output_,
            spec_.kernel,
            spec_.stride,
            paddingOf(spec_, input_.height).before,
            paddingOf(spec_, input_.width).before};
  }

  /// For each place of a kernel the same pixels are packed anew: that is little beside many channels only. Of strided
  /// images oneDNN makes less.
  bool gainsFromPixelProducts(std::int64_t batch) const {
    if (computeType_ != DataType::bf16 || spec_.bias || !multipliesPixelPairs()) return false;
    constexpr std::int64_t manyChannels = 256;
    const bool packsLittle = spec_.kernel == 1 || std::min(input_.channels, output_.channels) >= manyChannels;
    return (packsLittle || spec_.stride > 1) && fitsPixelTiles(joinedPixels(batch));
  }

  bool isProduct() const {
    return spec_.kernel == 1 && spec_.stride == 1 && !spec_.bias && output_.height == input_.height &&
           output_.width == input_.width;
  }

  WeightGradientProduct makeProduct(std::int64_t batch) const {
    const std::int64_t pixels = batch * output_.height * output_.width;
    using Dims = dnnl::memory::dims;
    WeightGradientProduct made;
    made.outputGradient = {{output_.channels, pixels}, computeType_, Dims{1, output_.channels}};
    made.input = {{pixels, input_.channels}, computeType_, Dims{input_.channels, 1}};
    made.gradient = {{output_.channels, input_.channels}, DataType::f32, Dims{input_.channels, 1}};
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    made.description = {{made.outputGradient, made.input, made.gradient}, attributes, engine_};
    made.run = dnnl::matmul(made.description);
    return made;
  }

  /// Which primitives oneDNN would take; nothing is generated yet.
  Primitives described(std::int64_t batch) const {
    Primitives made;
    made.input = {{batch, input_.channels, input_.height, input_.width}, computeType_, Tag::nhwc};
    made.output = {{batch, output_.channels, output_.height, output_.width}, computeType_, Tag::nhwc};
    const Descriptor anyWeights(stored_.dims(), computeType_, Tag::any);
    const Descriptor anyGradient(stored_.dims(), DataType::f32, Tag::any);
    const Descriptor bias = spec_.bias ? bias_ : Descriptor();
    const dnnl::memory::dims strides{spec_.stride, spec_.stride};
    const auto rows = paddingOf(spec_, input_.height);
    const auto columns = paddingOf(spec_, input_.width);
    const dnnl::memory::dims before{rows.before, columns.before};
    const dnnl::memory::dims after{rows.after, columns.after};
    constexpr auto direct = dnnl::algorithm::convolution_direct;
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);
    made.forward = {
        {dnnl::prop_kind::forward_training, direct, made.input, anyWeights, bias, made.output, strides, before, after},
        attributes,
        engine_};
    made.backwardData = {
        {direct, made.input, anyWeights, made.output, strides, before, after}, attributes, engine_, made.forward};
    made.backwardWeights = {{direct, made.input, anyGradient, bias, made.output, strides, before, after},
                            attributes,
                            engine_,
                            made.forward};
    return made;
  }

  dnnl::reorder reorder(const Descriptor& from, const Descriptor& to) const {
    return dnnl::reorder(dnnl::reorder::primitive_desc(engine_, from, engine_, to));
  }

  WeightsOrder orderFor(const Descriptor& wanted) const { return {reorder(stored_, wanted), pairedWeights(wanted)}; }

  void bring(std::span<const float> weights, const WeightsOrder& order, dnnl::memory& ordered) {
    if (order.paired)
      return packPairs(*order.paired, weights.data(), static_cast<Bfloat16*>(ordered.get_data_handle()));
    auto stored = memory(stored_, weights);
    order.reorder.execute(stream_, stored, ordered);
  }

  void weightGradients(const BackwardPass& pass, const Primitives& run) {
    const auto work = scratch_.place<CpuParts>([&](CpuParts& parts) { return listWeightGradients(parts, run); });
    // Where nothing is added to it, the gradient is made in its own place.
    auto stored = pass.accumulate ? memory(stored_, work.stored) : memory(stored_, pass.gradients.weight);
    auto bias = memory(bias_, work.bias);
    auto input = asComputed(run.input, pass.input, work.input);
    auto outputGradient = asComputed(run.output, pass.outputGradient, work.output);
    if (run.joined) {
      sumPixelProducts(*run.joined, outputGradient, input, stored, work);
    } else if (run.product) {
      multiply(*run.product, outputGradient, input, stored, work);
    } else {
      convolve(run, outputGradient, input, stored, bias, work);
    }
    stream_.wait();
    if (pass.accumulate) add(valuesOf(stored), pass.gradients.weight);
    deliver(bias, pass.gradients.bias, pass.accumulate);
  }

  static void sumPixelProducts(const JoinedPixels& joined, const dnnl::memory& outputGradient,
                               const dnnl::memory& input, const dnnl::memory& stored, const Work& work) {
    const int threads = omp_get_max_threads();
    sumOfPixelProducts(joined, static_cast<const Bfloat16*>(input.get_data_handle()),
                       static_cast<const Bfloat16*>(outputGradient.get_data_handle()),
                       {work.scratchpad, pixelProductBytes(joined, threads)}, threads,
                       static_cast<float*>(stored.get_data_handle()));
  }

  void multiply(const WeightGradientProduct& product, const dnnl::memory& outputGradient, const dnnl::memory& input,
                const dnnl::memory& stored, const Work& work) {
    const auto seenAs = [&](const Descriptor& description, const dnnl::memory& values) {
      return dnnl::memory(description, engine_, values.get_data_handle());
    };
    product.run.execute(stream_,
                        {{DNNL_ARG_SRC, seenAs(product.outputGradient, outputGradient)},
                         {DNNL_ARG_WEIGHTS, seenAs(product.input, input)},
                         {DNNL_ARG_DST, seenAs(product.gradient, stored)},
                         {DNNL_ARG_SCRATCHPAD, memory(product.description.scratchpad_desc(), work.scratchpad)}});
  }

  void convolve(const Primitives& run, const dnnl::memory& outputGradient, const dnnl::memory& input,
                dnnl::memory& stored, const dnnl::memory& bias, const Work& work) {
    auto gradient = memory(run.backwardWeights.diff_weights_desc(), work.weights);
    auto scratchpad = memory(run.backwardWeights.scratchpad_desc(), work.scratchpad);
    run.runBackwardWeights.execute(stream_, {{DNNL_ARG_SRC, input},
                                             {DNNL_ARG_DIFF_DST, outputGradient},
                                             {DNNL_ARG_DIFF_WEIGHTS, gradient},
                                             {DNNL_ARG_DIFF_BIAS, bias},
                                             {DNNL_ARG_SCRATCHPAD, scratchpad}});
    run.gradientToStored.execute(stream_, gradient, stored);
  }

  static std::span<const float> valuesOf(const dnnl::memory& made) {
    return {static_cast<const float*>(made.get_data_handle()), made.get_desc().get_size() / sizeof(float)};
  }
  static void deliver(const dnnl::memory& made, std::span<float> gradient, bool accumulate) {
    const auto values = valuesOf(made).first(gradient.size());
    if (accumulate) return add(values, gradient);
    std::copy(values.begin(), values.end(), gradient.begin());
  }

  void inputGradients(const BackwardPass& pass, const Primitives& run) {
    const auto work = scratch_.place<CpuParts>([&](CpuParts& parts) { return listInputGradients(parts, run); });
    auto weights = memory(run.backwardData.weights_desc(), work.weights);
    auto scratchpad = memory(run.backwardData.scratchpad_desc(), work.scratchpad);
    auto outputGradient = asComputed(run.output, pass.outputGradient, work.output);
    auto inputGradient = target(run.input, pass.inputGradient, work.input);
    bring(pass.weights.weight, run.weightsForBackward, weights);
    run.runBackwardData.execute(stream_, {{DNNL_ARG_DIFF_DST, outputGradient},
                                          {DNNL_ARG_WEIGHTS, weights},
                                          {DNNL_ARG_DIFF_SRC, inputGradient},
                                          {DNNL_ARG_SCRATCHPAD, scratchpad}});
    store(inputGradient, pass.inputGradient);
    stream_.wait();
  }

  static std::byte* partFor(const Descriptor& description, CpuParts& parts) {
    return parts.take<std::byte>(static_cast<std::int64_t>(description.get_size()));
  }
  Work listImages(CpuParts& parts, const Primitives& run) const {
    if (!converts()) return {};
    return {.input = partFor(run.input, parts), .output = partFor(run.output, parts)};
  }
  Work listForward(CpuParts& parts, const Primitives& run) const {
    Work work = listImages(parts, run);
    work.weights = partFor(run.forward.weights_desc(), parts);
    work.scratchpad = partFor(run.forward.scratchpad_desc(), parts);
    return work;
  }
  Work listInputGradients(CpuParts& parts, const Primitives& run) const {
    Work work = listImages(parts, run);
    work.weights = partFor(run.backwardData.weights_desc(), parts);
    work.scratchpad = partFor(run.backwardData.scratchpad_desc(), parts);
    return work;
  }
  Work listWeightGradients(CpuParts& parts, const Primitives& run) const {
    Work work = listImages(parts, run);
    work.stored = partFor(stored_, parts);
    work.bias = partFor(bias_, parts);
    if (run.joined) {
      work.scratchpad =
          parts.take<std::byte>(static_cast<std::int64_t>(pixelProductBytes(*run.joined, omp_get_max_threads())));
    } else if (run.product) {
      work.scratchpad = partFor(run.product->description.scratchpad_desc(), parts);
    } else {
      work.weights = partFor(run.backwardWeights.diff_weights_desc(), parts);
      work.scratchpad = partFor(run.backwardWeights.scratchpad_desc(), parts);
    }
    return work;
  }

  LayerSpec spec_;
  SampleShape input_;
  SampleShape output_;
  DataType storedType_;  ///< of images
  DataType computeType_ = DataType::f32;
  Scratch& scratch_;
  dnnl::engine engine_;
  dnnl::stream stream_;
  Descriptor stored_;  ///< weights and their gradient as all of us store them
  Descriptor bias_;
  std::map<std::int64_t, Primitives> primitives_;  ///< by batch size
};

}  // namespace

bool isNeverGenerated(std::string_view implementation, std::int64_t kernel, std::int64_t outputWidth) {
  constexpr std::int64_t longestRow = 512;
  return kernel > 1 && outputWidth > longestRow && implementation.find("amx") != std::string_view::npos;
}

std::unique_ptr<Layer> makeConv2d(const LayerConfig& parts) {
  return std::make_unique<Conv2d>(parts);
}

}  // namespace slipstream
