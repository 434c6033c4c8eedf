#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/device/cuda/launch.h"

namespace slipstream {

/// The most bytes that a thread loads or stores at once, and what their address is a multiple of.
constexpr std::size_t mostAtOnce = 16;

/// Values that are loaded and stored together.
template <class T, int Width>
struct alignas(std::min(Width * sizeof(T), mostAtOnce)) Pack {
  T of[Width];
};

template <int Width, class T>
__device__ Pack<T, Width> load(const T* from) {
  return *reinterpret_cast<const Pack<T, Width>*>(from);
}
template <int Width, class T>
__device__ void store(T* to, const Pack<T, Width>& values) {
  *reinterpret_cast<Pack<T, Width>*>(to) = values;
}

/// Whether vectors that begin at these addresses may be loaded and stored by four.
template <class... T>
__host__ __device__ bool takeFour(const T*... addresses) {
  return (... && (reinterpret_cast<std::uintptr_t>(addresses) % alignof(Pack<T, 4>) == 0));
}

/// Calls work.at<4>(i) for every whole four of the elements where `byFour`, and work.at<1>(i) for all others.
template <class Work>
__global__ void __launch_bounds__(256)
    overElements(const __grid_constant__ Work work, std::size_t elements, bool byFour) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t threads = gridDim.x * static_cast<std::size_t>(blockDim.x);
  const std::size_t fours = byFour ? elements / 4 : 0;
  for (std::size_t i = thread; i < fours; i += threads) work.template at<4>(4 * i);
  for (std::size_t i = 4 * fours + thread; i < elements; i += threads) work.template at<1>(i);
}

/// Work on elements that do not depend on each other. `byFour`: all of its vectors take four.
template <class Work>
void forElements(const char* what, const Work& work, std::size_t elements, bool byFour) {
  if (elements == 0) return;
  constexpr unsigned threads = 256;
  constexpr std::size_t mostBlocks = 1 << 20;
  const std::size_t blocks = std::min((elements / (byFour ? 4 : 1) + threads) / threads, mostBlocks);
  launch(what, overElements<Work>, static_cast<unsigned>(blocks), threads, work, elements, byFour);
}

}  // namespace slipstream
