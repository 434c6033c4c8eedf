// SPDX-License-Identifier: GPL-3.0-or-later
// Every table against the CPU's, at sizes and offsets that are drawn, with values that arithmetic stumbles over.
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/tree.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/nn/optimizer_kernels.h"
#include "tests/kernels/kernels_fixture.h"

namespace slipstream {
namespace {

using namespace test;

/// What is drawn for one turn.
struct Drawn {
  explicit Drawn(std::uint64_t turn) {
    Random random(turn, RandomStream::test, 100'003);
    size = 1 + random.below(100'003);
    for (std::size_t& offset : offsets) offset = random.below(4);
    name = "turn " + std::to_string(turn) + ", size " + std::to_string(size);
  }
  std::size_t size;
  std::array<std::size_t, 3> offsets{};
  std::string name;
};

class RandomSizesOn : public Kernels {
 protected:
  /// The same three vectors on the device and for the CPU's kernels.
  struct Three {
    Three(Device& device, const Drawn& drawn) {
      for (std::size_t k = 0; k < 3; ++k) {
        host.push_back(awkwardValues(drawn.size, k));
        vectors.emplace_back(device, host.back(), drawn.offsets[k]);
      }
    }
    void expectSame(const std::string& of) {
      for (std::size_t k = 0; k < 3; ++k)
        expectSameBits(vectors[k].read(), host[k], of + ", vector " + std::to_string(k));
    }
    std::vector<std::vector<float>> host;
    std::vector<DeviceVector<float>> vectors;
  };
  static constexpr std::uint64_t turns = 6;
};
SLIPSTREAM_ON_ALL_DEVICES(RandomSizesOn);

TEST_P(RandomSizesOn, VectorsAreTheCpus) {
  const auto& kernels = tableOf(cpuVectorKernels, cudaVectorKernels, npuVectorKernels);
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    const Drawn drawn(turn);
    Three of(device(), drawn);
    const auto run = [&](const VectorKernels& by, DeviceQueue& queue, float* x, float* y, float* z) {
      const std::array<const float*, 2> parts{x, y};
      const std::array<float*, 2> results{z, x};
      by.sum(queue, parts, results, drawn.size, 0.3F, true);
      by.scale(queue, {y, drawn.size}, -1.7F);
      by.difference(queue, {x, drawn.size}, {y, drawn.size}, {z, drawn.size});
      by.subtract(queue, {x, drawn.size}, {z, drawn.size});
    };
    run(kernels, queue(), of.vectors[0].data(), of.vectors[1].data(), of.vectors[2].data());
    run(cpuVectorKernels(), hostQueue(), of.host[0].data(), of.host[1].data(), of.host[2].data());
    of.expectSame(drawn.name);
  }
}

TEST_P(RandomSizesOn, StepsAreTheCpus) {
  const auto& kernels = tableOf(cpuOptimizerKernels, cudaOptimizerKernels, npuOptimizerKernels);
  constexpr StepNumbers stepNumbers{0.1F, 0.5F, 0.01F, 0.9F, 0.8F};
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    const Drawn drawn(turn);
    Three of(device(), drawn);
    const std::vector<TensorSegment> parts{{0, drawn.size, 0}};
    const auto run = [&](const OptimizerKernels& by, DeviceQueue& queue, float* w, const float* g, float* v) {
      by.step(queue, *by.plan(queue, parts), {StepForm::nesterov, w, g, v, std::span(&stepNumbers, 1)});
    };
    run(kernels, queue(), of.vectors[0].data(), of.vectors[1].data(), of.vectors[2].data());
    run(cpuOptimizerKernels(), hostQueue(), of.host[0].data(), of.host[1].data(), of.host[2].data());
    of.expectSame(drawn.name);
  }
}

TEST_P(RandomSizesOn, GradientsAreUnscaledAsTheCpuDoes) {
  const auto& kernels = tableOf(cpuLossScaleKernels, cudaLossScaleKernels, npuLossScaleKernels);
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    const Drawn drawn(turn);
    Three of(device(), drawn);
    DeviceVector<float> overflowed(device(), {0});
    float expected = 0;
    const float limit = turn % 2 == 0 ? 0.5F : std::numeric_limits<float>::max();
    kernels.unscale(queue(), of.vectors[0].data(), drawn.size, 3.0, limit, overflowed.data());
    cpuLossScaleKernels().unscale(hostQueue(), of.host[0].data(), drawn.size, 3.0, limit, &expected);
    EXPECT_EQ(overflowed.read().front(), expected) << drawn.name;
    of.expectSame(drawn.name);
  }
}

TEST_P(RandomSizesOn, MovesAndCombinationsAreTheCpus) {
  const auto& dimReduce = tableOf(cpuDimReduceKernels, cudaDimReduceKernels, npuDimReduceKernels);
  const auto& adasum = tableOf(cpuAdasumKernels<float>, cudaAdasumKernels<float>, npuAdasumKernels);
  const std::array<double, 2> coefficients{0.75, 1.0 / 3};
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    const Drawn drawn(turn);
    Three of(device(), drawn);
    const auto move = [&](const DimReduceKernels& by, DeviceQueue& queue, float* x, float* y, float* z) {
      by.residualStep(queue, 0.9F, x, y, z, drawn.size);
      by.moveAlong(queue, x, -0.3F, z, y, drawn.size);
    };
    move(dimReduce, queue(), of.vectors[0].data(), of.vectors[1].data(), of.vectors[2].data());
    move(cpuDimReduceKernels(), hostQueue(), of.host[0].data(), of.host[1].data(), of.host[2].data());
    of.expectSame(drawn.name);
    const auto combine = [&](const AdasumKernels<float>& by, DeviceQueue& queue, const float* x, const float* y,
                             float* z) {
      const std::array<const float*, 2> leaves{x, y};
      by.combine(queue, leaves.data(), coefficients.data(), 2, drawn.size, &z, 1);
    };
    combine(adasum, queue(), of.vectors[0].data(), of.vectors[2].data(), of.vectors[1].data());
    combine(cpuAdasumKernels<float>(), hostQueue(), of.host[0].data(), of.host[2].data(), of.host[1].data());
    expectNextTo(of.vectors[1].read(), of.host[1], 2, drawn.name);
  }
}

/// Dot products of values among which are infinities and NaN are those of the CPU, which are none themselves.
TEST_P(RandomSizesOn, DotsAreTheCpus) {
  const auto& kernels = tableOf(cpuAdasumKernels<float>, cudaAdasumKernels<float>, npuAdasumKernels);
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    const Drawn drawn(turn);
    std::vector<std::vector<float>> host{randomValues(drawn.size, 1), randomValues(drawn.size, 2, 1e-30, 1e-20),
                                         awkwardValues(drawn.size, 3)};
    std::vector<DeviceVector<float>> vectors;
    for (std::size_t k = 0; k < 3; ++k) vectors.emplace_back(device(), host[k], drawn.offsets[k]);
    const std::array<const float*, 3> leaves{vectors[0].data(), vectors[1].data(), vectors[2].data()};
    const std::array<const float*, 3> ofHost{host[0].data(), host[1].data(), host[2].data()};
    std::array<double, 6> found{};
    std::array<double, 6> expected{};
    kernels.dots(queue(), leaves.data(), 3, drawn.size, found.data());
    cpuAdasumKernels<float>().dots(hostQueue(), ofHost.data(), 3, drawn.size, expected.data());
    for (std::size_t pair = 0; pair < 6; ++pair) {
      if (!std::isfinite(expected[pair])) {
        EXPECT_FALSE(std::isfinite(found[pair])) << drawn.name << ", pair " << pair;
        continue;
      }
      // By Cauchy and Schwarz no sum of magnitudes is larger than the norms' product.
      const double norms = pair == 1 ? std::sqrt(expected[0] * expected[3]) : expected[pair];
      EXPECT_NEAR(found[pair], expected[pair], norms * promised(1e-13)) << drawn.name << ", pair " << pair;
    }
  }
}

/// A part that begins and ends inside a row; sums are doubles that ranks exchange.
TEST_P(RandomSizesOn, RowsAreCentredAsOnTheCpu) {
  const auto& kernels =
      tableOf(cpuGradCentralizationKernels, cudaGradCentralizationKernels, npuGradCentralizationKernels);
  for (std::uint64_t turn = 0; turn < turns; ++turn) {
    const Drawn drawn(turn);
    const std::size_t columns = 1 + drawn.size / 7;
    const RowsSegment part{columns / 3, drawn.size, columns};
    auto gradient = randomValues(drawn.size, 1, -1, 3);
    const auto weights = randomValues(drawn.size, 2);
    DeviceVector<float> values(device(), gradient, drawn.offsets[0]);
    DeviceVector<float> of(device(), weights, drawn.offsets[1]);
    DeviceVector<double> sums(device(), std::vector<double>(part.rows(), 7.0));
    std::vector<double> expected(part.rows());
    kernels.sumRows(queue(), values.data(), of.data(), 0.5, part, sums.data());
    cpuGradCentralizationKernels().sumRows(hostQueue(), gradient.data(), weights.data(), 0.5, part, expected.data());
    const auto found = sums.read();
    for (std::size_t row = 0; row < found.size(); ++row) {
      EXPECT_NEAR(found[row], expected[row], static_cast<double>(4 * columns) * promised(1e-15)) << drawn.name;
    }
    kernels.subtractMeans(queue(), values.data(), part, sums.data());
    cpuGradCentralizationKernels().subtractMeans(hostQueue(), gradient.data(), part, found.data());
    expectNextTo(values.read(), gradient, 1, drawn.name);
  }
}

}  // namespace
}  // namespace slipstream
