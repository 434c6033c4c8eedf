// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <memory>

#include "engine/backends/backends.h"
#include "engine/backends/check_training.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/tree.h"

namespace slipstream {
namespace {

constexpr std::size_t leafCount = 5;

/// What one device makes of the inputs.
struct AdasumResults {
  std::vector<double> dots;
  std::vector<double> exactDots;
  std::vector<double> combined;
  std::vector<double> exactCombined;
  std::vector<double> dotsOfSegments;
  std::vector<double> combinedParts;
};

/// Of a device: so many numbers, where the input wants them.
template <class T>
class Vector {
 public:
  Vector(Device& device, const CheckInput& input, const std::vector<float>& of)
      : device_(device), offset_(input.offset) {
    std::vector<T> values(offset_);
    for (const float value : of) values.push_back(static_cast<T>(value));
    buffer_ = device.allocate(values.size() * sizeof(T), MemoryCategory::boost);
    device.copyIn(buffer_->bytes(), std::as_bytes(std::span(values)));
  }

  T* data() { return buffer_->as<T>().data() + offset_; }

  std::vector<double> read() {
    std::vector<T> values(buffer_->as<T>().size());
    device_.synchronize();
    device_.copyOut(std::as_writable_bytes(std::span(values)), buffer_->bytes());
    return {values.begin() + static_cast<std::ptrdiff_t>(offset_), values.end()};
  }

 private:
  Device& device_;
  std::size_t offset_;
  std::unique_ptr<Buffer> buffer_;
};

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
AdasumResults runAdasum(Device& device, const AdasumKernels<T>& kernels, const CheckInput& input) {
  const std::size_t elements = input.elements;
  std::vector<Vector<T>> vectors;
  std::vector<const T*> leaves;
  for (std::size_t leaf = 0; leaf < leafCount; ++leaf) {
    leaves.push_back(vectors.emplace_back(device, input, leafOf(input, leaf)).data());
  }
  Vector<T> output(device, input, std::vector<float>(elements));
  T* const outputs[]{output.data()};
  const double coefficients[2 * leafCount]{0.5, -0.25, 1.5, 0.75, 1.0};

  AdasumResults results;
  results.dots.resize(gramSize(leafCount));
  std::vector<double> exactDots(2 * gramSize(leafCount));
  kernels.dots(device.queue(), leaves.data(), leafCount, elements, results.dots.data());
  kernels.exactDots(device.queue(), leaves.data(), leafCount, elements, exactDots.data());
  results.exactDots = joined(exactDots);
  kernels.combine(device.queue(), leaves.data(), coefficients, leafCount, elements, outputs, 1);
  results.combined = output.read();
  kernels.exactCombine(device.queue(), leaves.data(), coefficients, leafCount, elements, outputs, 1);
  results.exactCombined = output.read();

  const std::array<TensorSegment, 2> parts{{{0, elements / 3, 1}, {elements / 3, elements - elements / 3, 0}}};
  const auto plan = kernels.plan(device.queue(), parts);
  results.dotsOfSegments.resize(2 * gramSize(leafCount));
  kernels.dotsOfSegments(device.queue(), *plan, leaves.data(), leafCount, results.dotsOfSegments.data());
  const std::vector<double> byPart(2 * leafCount, 0.5);
  kernels.combineSegments(device.queue(), *plan, leaves.data(), byPart.data(), leafCount, outputs, 1);
  results.combinedParts = output.read();
  return results;
}

KernelDifference difference(std::string kernel, const std::vector<double>& one, const std::vector<double>& other) {
  double apart = 0;
  double size = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i] == other[i] || (std::isnan(one[i]) && std::isnan(other[i]))) continue;
    const double distance = std::abs(one[i] - other[i]);
    // Only one of the two is no number, or they are infinities of two signs.
    if (!std::isfinite(distance)) return {std::move(kernel), std::numeric_limits<double>::quiet_NaN()};
    apart = std::max(apart, distance);
  }
  for (const double value : one) size = std::isfinite(value) ? std::max(size, std::abs(value)) : size;
  return {std::move(kernel), size > 0 ? apart / size : apart};
}

template <class T>
void compareAdasum(Device& one, const AdasumKernels<T>* kernelsOfOne, Device& other,
                   const AdasumKernels<T>* kernelsOfOther, const std::string& type, const CheckInput& input,
                   std::vector<KernelDifference>& found) {
  if (kernelsOfOne == nullptr || kernelsOfOther == nullptr) return;
  const AdasumResults first = runAdasum(one, *kernelsOfOne, input);
  const AdasumResults second = runAdasum(other, *kernelsOfOther, input);
  found.push_back(difference("adasum dots, " + type, first.dots, second.dots));
  found.push_back(difference("adasum exact dots, " + type, first.exactDots, second.exactDots));
  found.push_back(difference("adasum combine, " + type, first.combined, second.combined));
  found.push_back(difference("adasum exact combine, " + type, first.exactCombined, second.exactCombined));
  found.push_back(difference("adasum dots of parts, " + type, first.dotsOfSegments, second.dotsOfSegments));
  found.push_back(difference("adasum combine parts, " + type, first.combinedParts, second.combinedParts));
}

std::vector<KernelDifference> differencesOf(Device& one, Device& other, const CheckInput& input) {
  const KernelTables first = kernelTables(one);
  const KernelTables second = kernelTables(other);
  std::vector<KernelDifference> found;
  compareAdasum(one, first.find<AdasumKernels<float>>(), other, second.find<AdasumKernels<float>>(), "float", input,
                found);
  compareAdasum(one, first.find<AdasumKernels<double>>(), other, second.find<AdasumKernels<double>>(), "double", input,
                found);
  const auto resultsOfOther = trainingResults(other, second, input);
  for (const auto& [kernel, results] : trainingResults(one, first, input)) {
    const auto same = resultsOfOther.find(kernel);
    if (same != resultsOfOther.end()) found.push_back(difference(kernel, results, same->second));
  }
  return found;
}

}  // namespace

std::vector<KernelDifference> compareDevices(Device& one, Device& other) {
  std::vector<KernelDifference> all;
  for (const CheckInput& input : checkInputs()) {
    const auto found = differencesOf(one, other, input);
    if (all.empty()) all = found;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const bool stays = std::isnan(all[k].largest) || found[k].largest <= all[k].largest;
      if (!stays) all[k] = found[k];
    }
  }
  return all;
}

}  // namespace slipstream
