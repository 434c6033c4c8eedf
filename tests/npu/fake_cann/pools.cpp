// SPDX-License-Identifier: GPL-3.0-or-later
// The fake libopapi: pools, by definition, in double.
#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/npu/fake_cann/layer_parts.h"

namespace slipstream::fake {
namespace {

/// Calls `each(plane)` for each channel of each sample.
template <class Each>
void forEachPlane(const Operand& pictures, const Each& each) {
  const auto planes = static_cast<std::size_t>(pictures.size(0) * pictures.size(1));
  for (std::size_t plane = 0; plane < planes; ++plane) each(plane);
}

/// How many positions of the input each window has.
Values positionsOf(const Windows& windows) {
  Values counts(windows.outputs(), 0.0);
  windows.forEachElement([&](std::int64_t row, std::int64_t column) {
    windows.forEachPair(row, column, [&](std::size_t, std::size_t to) { ++counts[to]; });
  });
  return counts;
}

}  // namespace
}  // namespace slipstream::fake

using namespace slipstream::fake;  // NOLINT: the functions below have C's names

extern "C" {

aclnnStatus aclnnMaxPool2dWithIndicesGetWorkspaceSize(const aclTensor* input, const aclIntArray* kernel,
                                                      const aclIntArray* stride, const aclIntArray* padding,
                                                      const aclIntArray* dilation, bool ceils, aclTensor* output,
                                                      aclTensor* places, std::uint64_t* bytes,
                                                      aclOpExecutor** executor) {
  OperatorCall call("aclnnMaxPool2dWithIndices");
  const Operand from = call.tensor(input);
  const Operand to = call.tensor(output);
  const Operand where = call.tensor(places);
  const Windows windows = windowsOf(call, from, to, call.numbers(kernel, 2), stride, padding);
  requireOnes(call, dilation);
  call.require(
      !ceils && from.type() == to.type() && where.type() == slipstream::aclnn::int32 && where.sizes() == to.sizes(),
      "places that are no int32, or not one for each of the output");
  return call.prepared(bytes, executor, [=] {
    const Values values = from.read();
    if (std::ranges::count(values, -std::numeric_limits<double>::infinity()) > 0) {
      violation("aclnnMaxPool2dWithIndices", "it is not made for infinities");
    }
    Values largest(static_cast<std::size_t>(countOf(to.sizes())), -std::numeric_limits<double>::infinity());
    Values winners(largest.size(), -1.0);
    forEachPlane(to, [&](std::size_t plane) {
      windows.forEachElement([&](std::int64_t row, std::int64_t column) {
        windows.forEachPair(row, column, [&](std::size_t at, std::size_t out) {
          const double value = values[plane * windows.inputs() + at];
          double& best = largest[plane * windows.outputs() + out];
          double& winner = winners[plane * windows.outputs() + out];
          if (winner >= 0 && !(value > best || std::isnan(value))) return;
          best = value;
          winner = static_cast<double>(at);
        });
      });
    });
    to.write(largest);
    where.write(winners);
  });
}

aclnnStatus aclnnMaxPool2dWithIndicesBackwardGetWorkspaceSize(const aclTensor* gradient, const aclTensor* input,
                                                              const aclTensor* places, const aclIntArray* kernel,
                                                              const aclIntArray* stride, const aclIntArray* padding,
                                                              const aclIntArray* dilation, bool ceils,
                                                              aclTensor* inputGradient, std::uint64_t* bytes,
                                                              aclOpExecutor** executor) {
  OperatorCall call("aclnnMaxPool2dWithIndicesBackward");
  const Operand from = call.tensor(gradient);
  const Operand read = call.tensor(input);
  const Operand where = call.tensor(places);
  const Operand to = call.tensor(inputGradient);
  const Windows windows = windowsOf(call, read, from, call.numbers(kernel, 2), stride, padding);
  requireOnes(call, dilation);
  call.require(!ceils && to.sizes() == read.sizes() && where.sizes() == from.sizes() && from.type() == to.type(),
               "a gradient of another type or other sizes");
  return call.prepared(bytes, executor, [=] {
    const Values gradients = from.read();
    const Values winners = where.read();
    Values sums(static_cast<std::size_t>(countOf(to.sizes())), 0.0);
    for (std::size_t i = 0; i < gradients.size(); ++i) {
      const std::size_t plane = i / windows.outputs();
      sums[plane * windows.inputs() + static_cast<std::size_t>(winners[i])] += gradients[i];
    }
    to.write(sums);
  });
}

aclnnStatus aclnnAvgPool2dGetWorkspaceSize(const aclTensor* input, const aclIntArray* kernel, const aclIntArray* stride,
                                           const aclIntArray* padding, bool ceils, bool countsPadding,
                                           std::int64_t divisor, std::int8_t, aclTensor* output, std::uint64_t* bytes,
                                           aclOpExecutor** executor) {
  OperatorCall call("aclnnAvgPool2d");
  const Operand from = call.tensor(input);
  const Operand to = call.tensor(output);
  const Windows windows = windowsOf(call, from, to, call.numbers(kernel, 2), stride, padding);
  call.require(!ceils && !countsPadding && divisor == 0 && from.type() == to.type(), "what nobody asked for");
  return call.prepared(bytes, executor, [=] {
    const Values values = from.read();
    const Values counts = positionsOf(windows);
    Values means(static_cast<std::size_t>(countOf(to.sizes())), 0.0);
    forEachPlane(to, [&](std::size_t plane) {
      windows.forEachElement([&](std::int64_t row, std::int64_t column) {
        windows.forEachPair(row, column, [&](std::size_t at, std::size_t out) {
          means[plane * windows.outputs() + out] += values[plane * windows.inputs() + at] / counts[out];
        });
      });
    });
    to.write(means);
  });
}

aclnnStatus aclnnAvgPool2dBackwardGetWorkspaceSize(const aclTensor* gradient, const aclTensor* input,
                                                   const aclIntArray* kernel, const aclIntArray* stride,
                                                   const aclIntArray* padding, bool ceils, bool countsPadding,
                                                   std::int64_t divisor, std::int8_t, aclTensor* inputGradient,
                                                   std::uint64_t* bytes, aclOpExecutor** executor) {
  OperatorCall call("aclnnAvgPool2dBackward");
  const Operand from = call.tensor(gradient);
  const Operand read = call.tensor(input);
  const Operand to = call.tensor(inputGradient);
  const Windows windows = windowsOf(call, read, from, call.numbers(kernel, 2), stride, padding);
  call.require(!ceils && !countsPadding && divisor == 0 && to.sizes() == read.sizes() && from.type() == to.type(),
               "what nobody asked for, or a gradient of another type or other sizes");
  return call.prepared(bytes, executor, [=] {
    const Values gradients = from.read();
    const Values counts = positionsOf(windows);
    Values sums(static_cast<std::size_t>(countOf(to.sizes())), 0.0);
    forEachPlane(to, [&](std::size_t plane) {
      windows.forEachElement([&](std::int64_t row, std::int64_t column) {
        windows.forEachPair(row, column, [&](std::size_t at, std::size_t out) {
          sums[plane * windows.inputs() + at] += gradients[plane * windows.outputs() + out] / counts[out];
        });
      });
    });
    to.write(sums);
  });
}

}  // extern "C"
