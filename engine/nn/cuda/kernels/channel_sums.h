// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "engine/nn/cuda/kernels/pack.h"

namespace slipstream {

/// Sums over the rows of a matrix are taken in parts of equal size, then the parts' sums in groups of `fanIn`, level by
/// level: always in the same order, whatever runs when.
struct SumPlan {
  static constexpr std::int64_t fanIn = 32;

  std::int64_t rowsPerPart = 1;
  std::vector<std::int64_t> parts;  ///< of each level; the last is 1

  /// The levels that follow the first one, of so many parts.
  void addLevels(std::int64_t first) {
    parts = {first};
    while (parts.back() > 1) parts.push_back((parts.back() + fanIn - 1) / fanIn);
  }

  /// Elements of `width` values a row that all levels together take.
  std::int64_t sums(std::int64_t width) const {
    std::int64_t total = 0;
    for (const auto count : parts) total += count;
    return total * width;
  }
};

/// `threads`: how many sum next to each other over one row.
inline SumPlan planSums(std::int64_t rows, std::int64_t threads) {
  constexpr std::int64_t wanted = 131'072, least = 64, most = 1024;
  const std::int64_t share = (rows * threads + wanted - 1) / wanted;
  SumPlan plan{std::clamp(share, least, most), {}};
  plan.addLevels(std::max<std::int64_t>((rows + plan.rowsPerPart - 1) / plan.rowsPerPart, 1));
  return plan;
}

/// Rows whose values a thread has on their way at once: enough to keep the memory busy.
inline constexpr int rowsOnTheirWay = 4;

/// Sums of one part of the rows, for the channels of one pack: two sums each, as `terms` adds them, row after row.
/// terms.of<lanes>(channel) is what they need of the channels, in registers; its load(at) reads a row's values, and its
/// add(values, first, second) adds what is made of them.
/// sums: [parts][2][channels]
template <int lanes, class Terms>
struct PartSums {
  Terms terms;
  std::int64_t rows;
  std::int64_t rowsPerPart;
  std::uint32_t channels;
  double* sums;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    constexpr std::uint32_t width = lanes;
    const std::uint32_t packs = channels / width;
    const std::int64_t part = index / packs;
    const std::uint32_t channel = index % packs * width;
    const std::int64_t begin = part * rowsPerPart;
    const std::int64_t end = begin + rowsPerPart < rows ? begin + rowsPerPart : rows;
    Lanes<double, lanes> first{};
    Lanes<double, lanes> second{};
    const auto of = terms.template of<lanes>(channel);
    std::int64_t row = begin;
    for (; row + rowsOnTheirWay <= end; row += rowsOnTheirWay) {
      decltype(of.load(0)) loaded[rowsOnTheirWay];
      SLIPSTREAM_UNROLL
      for (int r = 0; r < rowsOnTheirWay; ++r) loaded[r] = of.load((row + r) * channels + channel);
      SLIPSTREAM_UNROLL
      for (int r = 0; r < rowsOnTheirWay; ++r) of.add(loaded[r], first, second);
    }
    for (; row < end; ++row) of.add(of.load(row * channels + channel), first, second);
    double* to = sums + part * 2 * channels + channel;
    for (int lane = 0; lane < lanes; ++lane) to[lane] = first.at[lane];
    to += channels;
    for (int lane = 0; lane < lanes; ++lane) to[lane] = second.at[lane];
  }
};

/// One level: to[part][column] = the sum of from[fanIn part ...][column].
struct SumLevel {
  const double* from;
  std::int64_t parts;
  std::uint32_t width;
  double* to;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::int64_t begin = std::int64_t{index / width} * SumPlan::fanIn;
    const std::int64_t end = begin + SumPlan::fanIn < parts ? begin + SumPlan::fanIn : parts;
    double sum = 0;
    for (std::int64_t part = begin; part < end; ++part) sum += from[part * width + index % width];
    to[index] = sum;
  }
};

/// Folds the first level, [plan.parts[0]][width] at `sums`, into the last and returns where that is. The levels
/// follow each other: plan.sums(width) values.
template <class Ops>
double* foldSums(const Ops& ops, const SumPlan& plan, std::int64_t width, double* sums) {
  for (std::size_t level = 1; level < plan.parts.size(); ++level) {
    double* next = sums + plan.parts[level - 1] * width;
    ops.each(plan.parts[level] * width, SumLevel{sums, plan.parts[level - 1], static_cast<std::uint32_t>(width), next});
    sums = next;
  }
  return sums;
}

/// [2][channels]: both sums of each channel over all rows. `lanes`: as many as divide the channels and the addresses
/// that the terms read allow. `memory` holds channelSumBytes().
template <int lanes, class Ops, class Terms>
double* channelSums(const Ops& ops, const Terms& terms, std::int64_t rows, std::int64_t channels, double* memory) {
  const SumPlan plan = planSums(rows, channels / lanes);
  ops.each(plan.parts[0] * (channels / lanes),
           PartSums<lanes, Terms>{terms, rows, plan.rowsPerPart, static_cast<std::uint32_t>(channels), memory});
  return foldSums(ops, plan, 2 * channels, memory);
}

/// Enough for any number of lanes and any number of rows up to `rows`.
inline std::size_t channelSumBytes(std::int64_t rows, std::int64_t channels) {
  const std::int64_t most =
      std::max(planSums(rows, channels).sums(2 * channels),
               planSums(rows, std::max<std::int64_t>(channels / packLanes, 1)).sums(2 * channels));
  return static_cast<std::size_t>(most) * sizeof(double);
}

/// Gradients of a bias: the sums of a matrix's columns; the second sum stays zero.
template <class Value>
struct ColumnTerms {
  const Value* values;

  template <int lanes>
  struct Of {
    const Value* values;

    SLIPSTREAM_HOST_DEVICE auto load(std::int64_t at) const { return loadPack<lanes>(values + at); }
    SLIPSTREAM_HOST_DEVICE void add(const Lanes<Value, lanes>& pack, Lanes<double, lanes>& first,
                                    Lanes<double, lanes>&) const {
      for (int lane = 0; lane < lanes; ++lane) first.at[lane] += static_cast<double>(toFloat(pack.at[lane]));
    }
  };
  template <int lanes>
  SLIPSTREAM_HOST_DEVICE Of<lanes> of(std::uint32_t) const {
    return {values};
  }
};

/// gradient = sum, or gradient + sum.
struct DeliverSums {
  const double* sums;
  float* gradient;
  bool accumulate;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const double before = accumulate ? static_cast<double>(gradient[index]) : 0.0;
    gradient[index] = static_cast<float>(before + sums[index]);
  }
};

}  // namespace slipstream
