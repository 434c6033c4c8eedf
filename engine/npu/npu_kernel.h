// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <bit>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "engine/base/error.h"
#include "engine/npu/npu_queue.h"

namespace slipstream {

/// Reads an argument back as what the kernel declares. Throws Error where the launch gave a number of another size.
template <class T>
T npuArgument(const NpuArgument& argument) {
  if (argument.bytes != sizeof(T)) throw Error("a kernel of the NPU was given an argument of the wrong size");
  if constexpr (std::is_pointer_v<T>) {
    return reinterpret_cast<T>(static_cast<std::uintptr_t>(argument.bits));
  } else if constexpr (std::is_same_v<T, float>) {
    return std::bit_cast<float>(static_cast<std::uint32_t>(argument.bits));
  } else {
    return static_cast<T>(argument.bits);
  }
}

template <class... Parameters, std::size_t... Index>
void callNpuKernel(void (*kernel)(Parameters...), const NpuArgument* arguments, std::index_sequence<Index...>) {
  kernel(npuArgument<Parameters>(arguments[Index])...);
}

template <class... Parameters>
constexpr unsigned npuParameterCount(void (*)(Parameters...)) {
  return sizeof...(Parameters);
}

/// Calls the kernel's function for one block, on the host.
template <auto Kernel>
void npuKernelOnHost(const NpuArgument* arguments) {
  callNpuKernel(Kernel, arguments, std::make_index_sequence<npuParameterCount(Kernel)>());
}

/// The description of a kernel whose function is compiled for the host.
template <auto Kernel>
constexpr NpuKernel npuKernel(const char* name) {
  return {name, npuKernelOnHost<Kernel>, npuParameterCount(Kernel)};
}

}  // namespace slipstream
