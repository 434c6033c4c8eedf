// SPDX-License-Identifier: GPL-3.0-or-later
// How two devices are compared by Adasum's kernels.
#include <array>
#include <cmath>

#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/adasum/tree.h"
#include "engine/boost/kernel_check.h"

namespace slipstream {
namespace {

constexpr std::size_t leafCount = 5;

/// Of awkward inputs one leaf holds what is no number, and another denormals alone, so that some sums are numbers.
std::vector<float> leafOf(const CheckInput& input, std::size_t leaf) {
  CheckInput mine = input;
  mine.awkward = input.awkward && leaf == 1;
  return checkValues(mine, leaf, input.awkward && leaf == 3 ? 1e-39F : 1.0F);
}

/// A number of twice a double's digits is one number: how it is parted is each device's own.
std::vector<double> joined(const std::vector<double>& highAndLow) {
  std::vector<double> sums;
  for (std::size_t k = 0; k < highAndLow.size(); k += 2) {
    sums.push_back(std::isfinite(highAndLow[k]) ? highAndLow[k] + highAndLow[k + 1] : highAndLow[k]);
  }
  return sums;
}

template <class T>
void checkAdasum(KernelCheck& check, const AdasumKernels<T>& kernels, const std::string& type) {
  const std::size_t elements = check.input.elements;
  std::vector<const T*> leaves;
  for (std::size_t leaf = 0; leaf < leafCount; ++leaf) {
    leaves.push_back(check.vectorOf<T>(leafOf(check.input, leaf)).data());
  }
  const std::span<T> output = check.vectorOf<T>(std::vector<float>(elements));
  T* const outputs[]{output.data()};
  const double coefficients[2 * leafCount]{0.5, -0.25, 1.5, 0.75, 1.0};
  const auto keep = [&](const char* kernel, std::vector<double> result) {
    check.results["adasum " + std::string(kernel) + ", " + type] = std::move(result);
  };

  std::vector<double> dots(gramSize(leafCount)), exactDots(2 * gramSize(leafCount));
  kernels.dots(check.queue, leaves.data(), leafCount, elements, dots.data());
  keep("dots", dots);
  kernels.exactDots(check.queue, leaves.data(), leafCount, elements, exactDots.data());
  keep("exact dots", joined(exactDots));
  kernels.combine(check.queue, leaves.data(), coefficients, leafCount, elements, outputs, 1);
  keep("combine", check.read(output));
  kernels.exactCombine(check.queue, leaves.data(), coefficients, leafCount, elements, outputs, 1);
  keep("exact combine", check.read(output));

  const std::array<TensorSegment, 2> parts{{{0, elements / 3, 1}, {elements / 3, elements - elements / 3, 0}}};
  const auto plan = kernels.plan(check.queue, parts);
  std::vector<double> dotsOfParts(2 * gramSize(leafCount));
  kernels.dotsOfSegments(check.queue, *plan, leaves.data(), leafCount, dotsOfParts.data());
  keep("dots of parts", dotsOfParts);
  const std::vector<double> byPart(2 * leafCount, 0.5);
  kernels.combineSegments(check.queue, *plan, leaves.data(), byPart.data(), leafCount, outputs, 1);
  keep("combine parts", check.read(output));
}

}  // namespace

void AdasumAlgorithm::checkKernels(KernelCheck& check) {
  if (const auto* kernels = check.tables.find<AdasumKernels<float>>()) checkAdasum(check, *kernels, "float");
  if (const auto* kernels = check.tables.find<AdasumKernels<double>>()) checkAdasum(check, *kernels, "double");
}

}  // namespace slipstream
