// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What nvcc knows without being told, for g++: it is included in front of every .cu file. Kernels become functions,
// which the emulation calls once a thread.

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <tuple>

#include <cuda_runtime_api.h>

#define __global__
#define __device__
#define __host__
#define __grid_constant__
#define __launch_bounds__(...)
// Each array of a plain function gets a section of its own: g++ 12 does not put an inline function's and another one's
// into the same, and takes no notice of the attribute in templates, whose arrays are found by the names of their
// symbols.
#define EMULATED_TEXT_OF(number) #number
#define EMULATED_SECTION(number) "emulated_shared_" EMULATED_TEXT_OF(number)
#define __shared__ static __attribute__((section(EMULATED_SECTION(__COUNTER__))))

/// Of the emulated thread that runs.
extern uint3 threadIdx;
extern uint3 blockIdx;
extern dim3 blockDim;
extern dim3 gridDim;

struct cudaLaunchConfig_t {
  dim3 gridDim;
  dim3 blockDim;
  std::size_t dynamicSmemBytes;
  cudaStream_t stream;
  const void* attrs;
  unsigned numAttrs;
};

namespace emulated_gpu {

/// Where in the sources threads meet.
struct Site {
  const char* file;
  int line;
  bool operator==(const Site&) const = default;
};

cudaError_t launchKernel(const cudaLaunchConfig_t& config, const void* kernel, std::function<void()> thread);

void meetBlock(const Site& site);
/// Exchanges up to eight bytes with the lane of the warp whose number differs by `flip`.
void exchangeWithLane(unsigned lanes, const void* mine, void* theirs, std::size_t bytes, unsigned flip,
                      const Site& site);

}  // namespace emulated_gpu

/// As the toolkit's: parameters are converted and copied when the kernel is started.
template <class... Parameters, class... Arguments>
cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t* config, void (*kernel)(Parameters...),
                               Arguments&&... arguments) {
  std::tuple<Parameters...> copies(std::forward<Arguments>(arguments)...);
  return emulated_gpu::launchKernel(*config, reinterpret_cast<const void*>(kernel),
                                    [kernel, copies = std::move(copies)] { std::apply(kernel, copies); });
}

inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
  emulated_gpu::meetBlock({file, line});
}

template <class T>
T __shfl_xor_sync(unsigned lanes, T value, unsigned flip, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
  static_assert(sizeof(T) <= 8);
  T other;
  emulated_gpu::exchangeWithLane(lanes, &value, &other, sizeof(T), flip, {file, line});
  return other;
}

inline unsigned __float_as_uint(float value) {
  return std::bit_cast<unsigned>(value);
}
inline float __fadd_rn(float a, float b) {
  return a + b;
}
inline double __dadd_rn(double a, double b) {
  return a + b;
}

template <class A, class B>
constexpr std::common_type_t<A, B> min(A a, B b) {
  return b < a ? b : a;
}
template <class A, class B>
constexpr std::common_type_t<A, B> max(A a, B b) {
  return a < b ? b : a;
}
