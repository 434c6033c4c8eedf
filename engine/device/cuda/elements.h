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

/// How the elements of vectors are taken: some at the head one by one, then fours, then again one by one. A tensor of a
/// flat vector may begin anywhere, so the head is what brings all of them to where four can be taken.
struct Fours {
  std::size_t head = 0;
  std::size_t count = 0;

  __host__ __device__ std::size_t singles(std::size_t elements) const { return elements - 4 * count; }
  /// Where the i-th four begins, and where the i-th element stands that is in none.
  __host__ __device__ std::size_t four(std::size_t i) const { return head + 4 * i; }
  __host__ __device__ std::size_t single(std::size_t i) const { return i < head ? i : i + 4 * count; }
};

/// Elements before the first of which four may be taken at once.
template <class T>
__host__ __device__ unsigned headOf(const T* address) {
  constexpr std::uintptr_t whole = alignof(Pack<T, 4>);
  return static_cast<unsigned>((whole - reinterpret_cast<std::uintptr_t>(address) % whole) % whole / sizeof(T));
}

/// Of vectors that begin at these addresses; no fours where they do not come to such a place together.
template <class T, class... Others>
__host__ __device__ Fours foursOf(std::size_t elements, const T* first, const Others*... others) {
  const unsigned head = headOf(first);
  if (head > elements || !(... && (headOf(others) == head))) return {};
  return {head, (elements - head) / 4};
}

/// Calls work.at<4>(i) for every four, and work.at<1>(i) for all other elements.
template <class Work>
__global__ void __launch_bounds__(256)
    overElements(const __grid_constant__ Work work, std::size_t elements, Fours fours) {
  const std::size_t thread = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x;
  const std::size_t threads = gridDim.x * static_cast<std::size_t>(blockDim.x);
  const std::size_t singles = fours.singles(elements);
  for (std::size_t i = thread; i < fours.count; i += threads) work.template at<4>(fours.four(i));
  for (std::size_t i = thread; i < singles; i += threads) work.template at<1>(fours.single(i));
}

/// Work on elements that do not depend on each other.
template <class Work>
void forElements(const char* what, const Work& work, std::size_t elements, Fours fours) {
  if (elements == 0) return;
  constexpr unsigned threads = 256;
  constexpr std::size_t mostBlocks = 1 << 20;
  const std::size_t most = std::max(fours.count, fours.singles(elements));
  const std::size_t blocks = std::min((most + threads - 1) / threads, mostBlocks);
  launch(what, overElements<Work>, static_cast<unsigned>(blocks), threads, work, elements, fours);
}

}  // namespace slipstream
