// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

// Kernels are functions of an index: a GPU runs them one thread an index, a test one after the other.
#ifdef __CUDACC__
#define SLIPSTREAM_HOST_DEVICE __host__ __device__
#else
#define SLIPSTREAM_HOST_DEVICE
#endif
// Before a loop whose results are to stay in registers. The host's compiler warns of what it does not know.
#ifdef __CUDA_ARCH__
#define SLIPSTREAM_UNROLL _Pragma("unroll")
#else
#define SLIPSTREAM_UNROLL
#endif

namespace slipstream {

constexpr unsigned warpThreads = 32;

/// The most bytes that a thread loads or stores at once, and what their address is a multiple of.
constexpr std::size_t mostAtOnce = 16;

/// Values that are loaded and stored together.
template <class T, unsigned Width>
struct alignas(std::min(Width * sizeof(T), mostAtOnce)) Pack {
  T of[Width];
};

/// Splits the elements of vectors into groups of four that are loaded at once (Pack), and single ones before and behind
/// them: a tensor of a flat vector may begin at any element, so the first of them may be short of the alignment.
struct AlignedQuads {
  std::size_t head = 0;
  std::size_t count = 0;

  SLIPSTREAM_HOST_DEVICE std::size_t singles(std::size_t elements) const { return elements - 4 * count; }
  /// Index of the first element of quad i, and of the i-th element that is in no quad.
  SLIPSTREAM_HOST_DEVICE std::size_t quad(std::size_t i) const { return head + 4 * i; }
  SLIPSTREAM_HOST_DEVICE std::size_t single(std::size_t i) const { return i < head ? i : i + 4 * count; }
};

/// Returns how many elements the address is behind the last one at which a quad may begin.
template <class T>
SLIPSTREAM_HOST_DEVICE unsigned behindAlignment(const T* address) {
  return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(address) % alignof(Pack<T, 4>) / sizeof(T));
}

/// Returns the number of elements before the first at which a quad may begin.
template <class T>
SLIPSTREAM_HOST_DEVICE unsigned headOf(const T* address) {
  constexpr unsigned apart = alignof(Pack<T, 4>) / sizeof(T);
  return (apart - behindAlignment(address)) % apart;
}

/// Returns the split of vectors that begin at these addresses; no quads where they are not aligned alike.
template <class T, class... Others>
SLIPSTREAM_HOST_DEVICE AlignedQuads alignedQuads(std::size_t elements, const T* first, const Others*... others) {
  const unsigned head = headOf(first);
  if (head > elements || !(... && (headOf(others) == head))) return {};
  return {head, (elements - head) / 4};
}

}  // namespace slipstream
