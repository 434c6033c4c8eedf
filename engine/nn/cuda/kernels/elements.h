// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/kernels/pack.h"

namespace slipstream {

/// to = work(from) of the index-th pack, in fp32.
template <int lanes, class Work, class To, class From>
struct MapElements {
  Work work;
  To* to;
  const From* from;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::int64_t first = std::int64_t{index} * lanes;
    const auto values = loadPack<lanes>(from + first);
    Lanes<To, lanes> results;
    for (int lane = 0; lane < lanes; ++lane) results.at[lane] = fromFloat<To>(work(toFloat(values.at[lane])));
    storePack(to + first, results);
  }
};

/// to = work(a, b) of the index-th pack, in fp32; `to` may be either of them.
template <int lanes, class Work, class To, class A, class B>
struct ZipElements {
  Work work;
  To* to;
  const A* a;
  const B* b;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::int64_t first = std::int64_t{index} * lanes;
    const auto left = loadPack<lanes>(a + first);
    const auto right = loadPack<lanes>(b + first);
    Lanes<To, lanes> results;
    for (int lane = 0; lane < lanes; ++lane) {
      results.at[lane] = fromFloat<To>(work(toFloat(left.at[lane]), toFloat(right.at[lane])));
    }
    storePack(to + first, results);
  }
};

/// sum = a + b where `output` is positive, else zero; `sum` may be either of them.
template <int lanes, class Value>
struct AddWherePositive {
  Value* sum;
  const Value* output;
  const Value* a;
  const Value* b;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::int64_t first = std::int64_t{index} * lanes;
    const auto outputs = loadPack<lanes>(output + first);
    const auto left = loadPack<lanes>(a + first);
    const auto right = loadPack<lanes>(b + first);
    Lanes<Value, lanes> results;
    for (int lane = 0; lane < lanes; ++lane) {
      const float value = toFloat(left.at[lane]) + toFloat(right.at[lane]);
      results.at[lane] = fromFloat<Value>(toFloat(outputs.at[lane]) > 0.0F ? value : 0.0F);
    }
    storePack(sum + first, results);
  }
};

/// x = work(x, value of its channel), in place; channels are innermost.
template <class Work, class Value>
struct MapChannels {
  Work work;
  Value* values;
  const float* ofChannels;
  std::uint32_t channels;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    values[index] = fromFloat<Value>(work(toFloat(values[index]), ofChannels[index % channels]));
  }
};

struct Same {
  SLIPSTREAM_HOST_DEVICE float operator()(float value) const { return value; }
};
/// At least zero; a NaN stays one.
struct CutBelowZero {
  SLIPSTREAM_HOST_DEVICE float operator()(float value) const { return value < 0.0F ? 0.0F : value; }
};
struct Sum {
  SLIPSTREAM_HOST_DEVICE float operator()(float a, float b) const { return a + b; }
};
/// A sum and the ReLU that reads it.
struct SumCutBelowZero {
  SLIPSTREAM_HOST_DEVICE float operator()(float a, float b) const { return CutBelowZero()(a + b); }
};
/// The gradient where the output of the ReLU is positive.
struct PassWherePositive {
  SLIPSTREAM_HOST_DEVICE float operator()(float output, float gradient) const {
    return output > 0.0F ? gradient : 0.0F;
  }
};

/// Whole packs, then what is left over one by one. `ops` as in layer_ops.h.
template <class Ops, class Work, class To, class From>
void mapElements(const Ops& ops, std::int64_t count, const Work& work, const From* from, To* to) {
  const bool packs = standsForPacks(from) && standsForPacks(to);
  const std::int64_t whole = packs ? count / packLanes : 0;
  const std::int64_t done = whole * packLanes;
  ops.each(whole, MapElements<packLanes, Work, To, From>{work, to, from});
  ops.each(count - done, MapElements<1, Work, To, From>{work, to + done, from + done});
}
template <class Ops, class Work, class To, class A, class B>
void zipElements(const Ops& ops, std::int64_t count, const Work& work, const A* a, const B* b, To* to) {
  const bool packs = standsForPacks(a) && standsForPacks(b) && standsForPacks(to);
  const std::int64_t whole = packs ? count / packLanes : 0;
  const std::int64_t done = whole * packLanes;
  ops.each(whole, ZipElements<packLanes, Work, To, A, B>{work, to, a, b});
  ops.each(count - done, ZipElements<1, Work, To, A, B>{work, to + done, a + done, b + done});
}
template <class Ops, class Value>
void addPacksWherePositive(const Ops& ops, std::int64_t count, const Value* output, const Value* a, const Value* b,
                           Value* sum) {
  const bool packs = standsForPacks(output) && standsForPacks(a) && standsForPacks(b) && standsForPacks(sum);
  const std::int64_t whole = packs ? count / packLanes : 0;
  const std::int64_t done = whole * packLanes;
  ops.each(whole, AddWherePositive<packLanes, Value>{sum, output, a, b});
  ops.each(count - done, AddWherePositive<1, Value>{sum + done, output + done, a + done, b + done});
}

}  // namespace slipstream
