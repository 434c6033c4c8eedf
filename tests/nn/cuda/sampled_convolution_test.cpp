// SPDX-License-Identifier: GPL-3.0-or-later
// Samples of a convolution's result, which plans are held against, beside whole results by the definition.
#include <cmath>
#include <deque>
#include <tuple>

#include <gtest/gtest.h>

#include "engine/nn/cuda/cudnn/result_samples.h"
#include "tests/nn/cuda/host_ops.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream::test {
namespace {

/// Three samples, sides of unlike lengths, padded unlike on both ends.
const ConvolutionShape unlike{3, {7, 6, 8}, {4, 3, 16}, 3, 2, {1, 1}, {0, 1}};
const ConvolutionShape plain{2, {5, 4, 8}, {5, 4, 8}, 1, 1, {}, {}};

struct SampledCase {
  const char* name;
  ConvolutionPattern pattern;
};

class SampledConvolutions : public testing::TestWithParam<std::tuple<SampledCase, NumberType>> {
 protected:
  ConvolutionPattern pattern() const { return std::get<0>(GetParam()).pattern; }
  NumberType type() const { return std::get<1>(GetParam()); }

  /// Values of the request's type.
  std::byte* make(std::int64_t count, std::uint64_t seed) {
    auto& bytes = memory_.emplace_back(static_cast<std::size_t>(count * bytesOf(type())));
    const std::vector<float> values = drawn(count, seed);
    HostOps::withType(type(), [&](auto value) {
      using Value = decltype(value);
      for (std::size_t i = 0; i < values.size(); ++i)
        reinterpret_cast<Value*>(bytes.data())[i] = fromFloat<Value>(values[i]);
    });
    return bytes.data();
  }
  PlanMemory memoryOf(const ConvolutionShape& shape) {
    using enum PlanTensor;
    const bool isForward =
        pattern() == ConvolutionPattern::forward || pattern() == ConvolutionPattern::activatedForward;
    const bool isInput = pattern() == ConvolutionPattern::inputGradient;
    const std::int64_t weightCount = shape.output.channels * shape.kernel * shape.kernel * shape.input.channels;
    PlanMemory memory{{isInput ? inputGradient : input, make(shape.batch * shape.input.elements(), 1)},
                      {isForward ? output : outputGradient, make(shape.batch * shape.output.elements(), 2)},
                      {isForward || isInput ? weights : weightGradient, make(weightCount, 3)}};
    if (!activates(pattern())) return memory;
    memory.emplace_back(scale, make(shape.input.channels, 4));
    memory.emplace_back(bias, make(shape.input.channels, 5));
    for (const PlanTensor unread : {sums, squareSums}) {
      memory.emplace_back(unread, memory_.emplace_back(static_cast<std::size_t>(shape.output.channels * 4)).data());
    }
    return memory;
  }
  static double distanceOf(const PlanRequest& request, const PlanMemory& memory) {
    const auto count = static_cast<std::size_t>(resultSamples(request).count);
    std::vector<double> partials(count * sampleLanes), samples(count);
    sumSamples(HostOps(), request, memory, partials.data());
    gatherSamples(HostOps(), request, memory, samples.data());
    return sampleDistance(samples, partials);
  }
  void run(const PlanRequest& request, const PlanMemory& memory) {
    HostConvolutions host({});
    std::vector<std::byte> scratch(1000);
    host.run(request, memory, scratch.data());
  }

  std::deque<std::vector<std::byte>> memory_;
};

TEST_P(SampledConvolutions, AreAsFarAwayAsTheirTypeRounds) {
  for (const ConvolutionShape& shape : {unlike, plain}) {
    const bool fuses =
        !activates(pattern()) || (type() == NumberType::float16 && shape.rows.before == shape.rows.after &&
                                  shape.columns.before == shape.columns.after);
    if (!fuses) continue;
    const PlanRequest request{pattern(), shape, type()};
    const PlanMemory memory = memoryOf(shape);
    EXPECT_GT(distanceOf(request, memory), 0.5) << "nothing has been computed";
    run(request, memory);
    const double rounding = type() == NumberType::float32 ? 1e-7 : type() == NumberType::float16 ? 5e-4 : 4e-3;
    EXPECT_LT(distanceOf(request, memory), rounding) << toText(request);
  }
}

/// As TF32 would.
TEST_P(SampledConvolutions, TellOperandsThatWereRounded) {
  if (type() != NumberType::float32 || activates(pattern())) GTEST_SKIP() << "fp32 alone has bits to lose";
  const PlanRequest request{pattern(), unlike, type()};
  const PlanMemory memory = memoryOf(unlike);
  std::vector<std::vector<std::byte>> whole(memory_.begin(), memory_.end());
  for (auto& bytes : memory_) {
    for (std::size_t i = 0; i < bytes.size(); i += 4) {
      bytes[i] = std::byte{0};
      bytes[i + 1] &= std::byte{0xE0};
    }
  }
  run(request, memory);
  const auto isOfResult = [&](std::size_t i) { return isResult(memory[i].first); };
  for (std::size_t i = 0; i < memory.size(); ++i) {
    if (!isOfResult(i)) std::ranges::copy(whole[i], memory_[i].begin());
  }
  EXPECT_GT(distanceOf(request, memory), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(
    Patterns, SampledConvolutions,
    testing::Combine(testing::Values(SampledCase{"forward", ConvolutionPattern::forward},
                                     SampledCase{"input_gradient", ConvolutionPattern::inputGradient},
                                     SampledCase{"weight_gradient", ConvolutionPattern::weightGradient},
                                     SampledCase{"activated_forward", ConvolutionPattern::activatedForward},
                                     SampledCase{"activated_weight_gradient",
                                                 ConvolutionPattern::activatedWeightGradient}),
                     testing::Values(NumberType::float32, NumberType::bfloat16, NumberType::float16)),
    [](const auto& instance) {
      return std::string(std::get<0>(instance.param).name) + "_" + std::string(nameOf(std::get<1>(instance.param)));
    });

TEST(SampledConvolution, OfANanIsNoNumber) {
  const std::vector<double> samples{1, std::nan("")}, partials(2 * sampleLanes, 1.0 / sampleLanes);
  EXPECT_TRUE(std::isnan(sampleDistance(samples, partials)));
}

}  // namespace
}  // namespace slipstream::test
