// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_centralization/grad_centralization.h"

#include <algorithm>

#include "engine/base/clock.h"
#include "engine/device/device.h"

namespace slipstream {
namespace {

/// SGD adds its decay after centralisation, others take it off the weights, and where dim_reduce owns the update no
/// optimizer adds any.
double centralizedDecay(const Experiment& experiment, const std::string& tensor) {
  const OptimizerKind kind = experiment.optimizer.kind;
  const bool decaysGradient = kind != OptimizerKind::sgd && !infoOf(kind).decaysSeparately;
  if (!decaysGradient || experiment.boost.isOn("dim_reduce")) return 0;
  return weightDecayOf(experiment.optimizer, tensor) * optimizerDivisor(experiment);
}

/// The part's place in the rows of its tensor.
RowsSegment rowsOf(const GradientPart& part, std::size_t columns) {
  return {static_cast<std::size_t>(part.offset) % columns, part.gradient.size(), columns};
}

}  // namespace

GradCentralization::GradCentralization(const UpdateContext& parts)
    : kernels_(parts.kernels.of<GradCentralizationKernels>()), layout_(parts.layout), device_(parts.device) {
  std::size_t sums = 0;
  for (const FlatTensor& tensor : layout_.tensors()) {
    if (!centralizes(parts.experiment, tensor.spec)) {
      rules_.push_back({});
      continue;
    }
    const auto rows = static_cast<std::size_t>(tensor.spec.shape.front());
    const std::size_t columns = static_cast<std::size_t>(tensor.range.size()) / rows;
    rules_.push_back({true, centralizedDecay(parts.experiment, tensor.spec.name), sums, rows, columns});
    sums += rows;
  }
  if (sums > 0) sums_ = device_.allocate(sums * sizeof(double), MemoryCategory::boost);
}

void GradCentralization::apply(Range range, std::span<float> gradients, std::span<const float> weights) {
  if (!acts()) return;
  for (std::size_t t = 0; t < rules_.size(); ++t) {
    const Range& tensor = layout_.tensors()[t].range;
    if (!rules_[t].on || tensor.begin < range.begin || tensor.begin >= range.end) continue;
    const auto begin = static_cast<std::size_t>(tensor.begin - range.begin);
    const auto count = static_cast<std::size_t>(tensor.size());
    const GradientPart whole{static_cast<int>(t), 0, gradients.subspan(begin, count), weights.subspan(begin, count)};
    sum(whole);
    subtract(whole);
  }
}

double GradCentralization::apply(std::span<const GradientPart> parts, Communicator& sharers) {
  if (!acts()) return 0;
  std::ranges::for_each(parts, [&](const GradientPart& part) { sum(part); });
  std::vector<double> sums = sumsOf(parts);
  const Stopwatch watch;
  sharers.allReduceSum(sums);
  const double exchanging = watch.seconds();
  writeValues(device_, sums_->as<double>(), std::span<const double>(sums));
  std::ranges::for_each(parts, [&](const GradientPart& part) { subtract(part); });
  return exchanging;
}

/// Of the tensor's rows from `firstRow` on.
std::span<double> GradCentralization::sumsOf(const Rule& rule, std::size_t firstRow) {
  return sums_->as<double>().subspan(rule.firstSum + firstRow, rule.rows - firstRow);
}

void GradCentralization::sum(const GradientPart& part) {
  const Rule& rule = ruleOf(part.tensor);
  if (!rule.on || part.gradient.empty()) return;
  const auto sums = sumsOf(rule, static_cast<std::size_t>(part.offset) / rule.columns);
  kernels_.sumRows(device_.queue(), part.gradient.data(), part.weights.data(), rule.decay, rowsOf(part, rule.columns),
                   sums.data());
}

void GradCentralization::subtract(const GradientPart& part) {
  const Rule& rule = ruleOf(part.tensor);
  if (!rule.on || part.gradient.empty()) return;
  const auto sums = sumsOf(rule, static_cast<std::size_t>(part.offset) / rule.columns);
  kernels_.subtractMeans(device_.queue(), part.gradient.data(), rowsOf(part, rule.columns), sums.data());
}

/// This rank's share of every row's sum, so that the shares of all ranks add up to it: zero for rows that it has
/// nothing of, and an equal share of what several ranks have.
std::vector<double> GradCentralization::sumsOf(std::span<const GradientPart> parts) {
  const std::vector<double> mine = readValues(device_, std::span<const double>(sums_->as<double>()));
  std::vector<double> sums(mine.size());
  for (const GradientPart& part : parts) {
    const Rule& rule = ruleOf(part.tensor);
    if (!rule.on || part.gradient.empty()) continue;
    const std::size_t first = rule.firstSum + static_cast<std::size_t>(part.offset) / rule.columns;
    for (std::size_t row = first; row < first + rowsOf(part, rule.columns).rows(); ++row) {
      sums[row] = mine[row] / part.holders;
    }
  }
  return sums;
}

}  // namespace slipstream
