// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/convert.h"

#include "engine/base/chunks.h"
#include "engine/base/processor_clones.h"
#include "engine/nn/convert_loops.h"
#include "engine/nn/masked.h"

namespace slipstream {
namespace {

template <class From, class To>
SLIPSTREAM_PROCESSOR_CLONES void convertValues(const From* from, To* to, std::size_t count) {
  convertLoop(from, to, count);
}

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void addValues(const Value* first, const Value* second, Value* sum, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) sum[i] = fromFloat<Value>(toFloat(first[i]) + toFloat(second[i]));
}

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void addValuesWherePositive(const Value* output, const Value* first, const Value* second,
                                                        Value* sum, std::size_t count) {
#pragma GCC ivdep
  for (std::size_t i = 0; i < count; ++i) {
    const float value = toFloat(first[i]) + toFloat(second[i]);
    sum[i] = fromFloat<Value>(keptWhere(toFloat(output[i]) > 0.0F, value));
  }
}

}  // namespace

void convert(ConstActivation from, Activation to) {
  if (from.size() != to.size()) throw Error("values are converted to another number of values");
  withType(from.type(), [&](auto fromType) {
    withType(to.type(), [&](auto toType) {
      const auto* read = from.as<decltype(fromType)>();
      auto* written = to.as<decltype(toType)>();
      forEachChunk(to.size(),
                   [&](std::size_t first, std::size_t count) { convertValues(read + first, written + first, count); });
    });
  });
}

void addActivations(ConstActivation first, ConstActivation second, Activation sum) {
  withType(sum.type(), [&](auto type) {
    using Value = decltype(type);
    forEachChunk(sum.size(), [&](std::size_t at, std::size_t count) {
      addValues(first.as<Value>() + at, second.as<Value>() + at, sum.as<Value>() + at, count);
    });
  });
}

void addActivationsWherePositive(ConstActivation output, ConstActivation first, ConstActivation second,
                                 Activation sum) {
  withType(sum.type(), [&](auto type) {
    using Value = decltype(type);
    forEachChunk(sum.size(), [&](std::size_t at, std::size_t count) {
      addValuesWherePositive(output.as<Value>() + at, first.as<Value>() + at, second.as<Value>() + at,
                             sum.as<Value>() + at, count);
    });
  });
}

}  // namespace slipstream
