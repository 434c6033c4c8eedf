// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include "engine/backends/backends.h"
#include "engine/backends/check_training.h"
#include "engine/base/random.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/tree.h"

namespace slipstream {
namespace {

constexpr std::size_t leafCount = 5;
constexpr std::size_t elements = 100'003;  // odd: every tail is used

/// What one device makes of the inputs.
struct AdasumResults {
  std::vector<double> dots;
  std::vector<double> exactDots;
  std::vector<double> combined;
  std::vector<double> exactCombined;
  std::vector<double> dotsOfSegments;
  std::vector<double> combinedParts;
};

template <class T>
std::vector<T> inputOf(std::size_t leaf) {
  Random random(leaf, RandomStream::test);
  std::vector<T> values;
  for (std::size_t i = 0; i < elements; ++i) values.push_back(static_cast<T>(random.uniform(-1, 1)));
  return values;
}

template <class T>
std::vector<double> readBack(Device& device, Buffer& buffer) {
  std::vector<T> values(elements);
  device.synchronize();
  device.copyOut(std::as_writable_bytes(std::span(values)), buffer.bytes());
  return {values.begin(), values.end()};
}

template <class T>
AdasumResults runAdasum(Device& device, const AdasumKernels<T>& kernels) {
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<const T*> leaves;
  for (std::size_t leaf = 0; leaf < leafCount; ++leaf) {
    buffers.push_back(device.allocate(elements * sizeof(T), MemoryCategory::boost));
    const std::vector<T> input = inputOf<T>(leaf);
    device.copyIn(buffers.back()->bytes(), std::as_bytes(std::span(input)));
    leaves.push_back(buffers.back()->as<T>().data());
  }
  const auto output = device.allocate(elements * sizeof(T), MemoryCategory::boost);
  T* const outputs[]{output->as<T>().data()};
  const double coefficients[2 * leafCount]{0.5, -0.25, 1.5, 0.75, 1.0};

  AdasumResults results;
  results.dots.resize(gramSize(leafCount));
  results.exactDots.resize(2 * gramSize(leafCount));
  kernels.dots(device.queue(), leaves.data(), leafCount, elements, results.dots.data());
  kernels.exactDots(device.queue(), leaves.data(), leafCount, elements, results.exactDots.data());
  kernels.combine(device.queue(), leaves.data(), coefficients, leafCount, elements, outputs, 1);
  results.combined = readBack<T>(device, *output);
  kernels.exactCombine(device.queue(), leaves.data(), coefficients, leafCount, elements, outputs, 1);
  results.exactCombined = readBack<T>(device, *output);

  const std::array<TensorSegment, 2> parts{{{0, elements / 3, 1}, {elements / 3, elements - elements / 3, 0}}};
  const auto plan = kernels.plan(device.queue(), parts);
  results.dotsOfSegments.resize(2 * gramSize(leafCount));
  kernels.dotsOfSegments(device.queue(), *plan, leaves.data(), leafCount, results.dotsOfSegments.data());
  const std::vector<double> byPart(2 * leafCount, 0.5);
  kernels.combineSegments(device.queue(), *plan, leaves.data(), byPart.data(), leafCount, outputs, 1);
  results.combinedParts = readBack<T>(device, *output);
  return results;
}

KernelDifference difference(std::string kernel, const std::vector<double>& one, const std::vector<double>& other) {
  double apart = 0;
  double size = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    const double distance = std::abs(one[i] - other[i]);
    if (std::isnan(distance)) return {std::move(kernel), distance};  // which no maximum would show
    apart = std::max(apart, distance);
    size = std::max(size, std::abs(one[i]));
  }
  return {std::move(kernel), size > 0 ? apart / size : apart};
}

template <class T>
void compareAdasum(Device& one, const AdasumKernels<T>* kernelsOfOne, Device& other,
                   const AdasumKernels<T>* kernelsOfOther, const std::string& type,
                   std::vector<KernelDifference>& found) {
  if (kernelsOfOne == nullptr || kernelsOfOther == nullptr) return;
  const AdasumResults first = runAdasum(one, *kernelsOfOne);
  const AdasumResults second = runAdasum(other, *kernelsOfOther);
  found.push_back(difference("adasum dots, " + type, first.dots, second.dots));
  found.push_back(difference("adasum exact dots, " + type, first.exactDots, second.exactDots));
  found.push_back(difference("adasum combine, " + type, first.combined, second.combined));
  found.push_back(difference("adasum exact combine, " + type, first.exactCombined, second.exactCombined));
  found.push_back(difference("adasum dots of parts, " + type, first.dotsOfSegments, second.dotsOfSegments));
  found.push_back(difference("adasum combine parts, " + type, first.combinedParts, second.combinedParts));
}

}  // namespace

std::vector<KernelDifference> compareDevices(Device& one, Device& other) {
  const KernelTables first = kernelTables(one);
  const KernelTables second = kernelTables(other);
  std::vector<KernelDifference> found;
  compareAdasum(one, first.find<AdasumKernels<float>>(), other, second.find<AdasumKernels<float>>(), "float", found);
  compareAdasum(one, first.find<AdasumKernels<double>>(), other, second.find<AdasumKernels<double>>(), "double", found);
  const auto resultsOfOther = trainingResults(other, second);
  for (const auto& [kernel, results] : trainingResults(one, first)) {
    const auto same = resultsOfOther.find(kernel);
    if (same != resultsOfOther.end()) found.push_back(difference(kernel, results, same->second));
  }
  return found;
}

}  // namespace slipstream
