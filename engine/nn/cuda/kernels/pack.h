// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine/base/number_type.h"
#include "engine/cuda/host_device.h"

namespace slipstream {

/// What a thread moves at once where addresses and counts allow it: 16 bytes of fp32, 8 of shorter types.
inline constexpr int packLanes = 4;

/// Values that are loaded and stored together; `lanes` is packLanes or 1.
template <class Value, int lanes>
struct alignas(sizeof(Value) * static_cast<std::size_t>(lanes)) Lanes {
  Value at[static_cast<std::size_t>(lanes)];
};

template <int lanes, class Value>
SLIPSTREAM_HOST_DEVICE Lanes<Value, lanes> loadPack(const Value* from) {
  return *reinterpret_cast<const Lanes<Value, lanes>*>(from);
}
template <int lanes, class Value>
SLIPSTREAM_HOST_DEVICE void storePack(Value* to, const Lanes<Value, lanes>& values) {
  *reinterpret_cast<Lanes<Value, lanes>*>(to) = values;
}

template <class Value>
bool standsForPacks(const Value* address) {
  return reinterpret_cast<std::uintptr_t>(address) % alignof(Lanes<Value, packLanes>) == 0;
}

/// Calls `work` with the number of lanes, as a type, that all addresses and the count of values in a row allow.
template <class Work, class... Values>
void withLanes(std::int64_t count, const Work& work, const Values*... addresses) {
  if (count % packLanes == 0 && (standsForPacks(addresses) && ...)) {
    work(std::integral_constant<int, packLanes>());
  } else {
    work(std::integral_constant<int, 1>());
  }
}

}  // namespace slipstream
