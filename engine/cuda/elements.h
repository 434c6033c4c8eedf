// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>

#include "engine/cuda/host_device.h"
#include "engine/cuda/launch.h"

namespace slipstream {

template <unsigned Width, class T>
__device__ Pack<T, Width> load(const T* from) {
  return *reinterpret_cast<const Pack<T, Width>*>(from);
}
template <unsigned Width, class T>
__device__ void store(T* to, const Pack<T, Width>& values) {
  *reinterpret_cast<Pack<T, Width>*>(to) = values;
}

/// Calls work.at<4>(i) for every quad, and work.at<1>(i) for all other elements.
template <class Work>
__global__ void __launch_bounds__(256)
    overElements(const __grid_constant__ Work work, std::size_t elements, AlignedQuads quads) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t threads = gridDim.x * static_cast<std::size_t>(blockDim.x);
  const std::size_t singles = quads.singles(elements);
  for (std::size_t i = thread; i < quads.count; i += threads) work.template at<4>(quads.quad(i));
  for (std::size_t i = thread; i < singles; i += threads) work.template at<1>(quads.single(i));
}

/// Work on elements that do not depend on each other.
template <class Work>
void forElements(DeviceQueue& queue, const char* what, const Work& work, std::size_t elements, AlignedQuads quads) {
  if (elements == 0) return;
  constexpr unsigned threads = 256;
  constexpr std::size_t mostBlocks = 1 << 20;
  const std::size_t most = std::max(quads.count, quads.singles(elements));
  const std::size_t blocks = std::min((most + threads - 1) / threads, mostBlocks);
  launch(queue, what, overElements<Work>, static_cast<unsigned>(blocks), threads, work, elements, quads);
}

}  // namespace slipstream
