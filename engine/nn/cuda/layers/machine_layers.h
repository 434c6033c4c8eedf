#pragma once

#include "engine/nn/layers/layer.h"

// The layers of a GPU. What computes stands behind `Machine`, a value that copies cheaply:
//   each(count, work)     work(index) for every index below count, after all that was given before
//   withType(type, work)  work(a value of the type as this machine computes with it)
//   multiply(...)         matrix products, as engine/nn/layers/matrix_product.h
//   convolutions()        a ConvolutionRunner (convolution_runner.h)
// A GPU's machine is in cuda_machine.h; tests have one that works in loops on the host, so that all of this is tested
// where there is no GPU.

namespace slipstream {

/// Device memory of one call: parts of one block, each aligned for packs and plans.
class ScratchParts {
 public:
  static constexpr std::size_t alignment = 256;
  static constexpr std::size_t rounded(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }

  explicit ScratchParts(std::span<std::byte> memory) : at_(memory.data()) {}
  template <class T>
  T* take(std::int64_t count) {
    auto* part = reinterpret_cast<T*>(at_);
    at_ += rounded(static_cast<std::size_t>(count) * sizeof(T));
    return part;
  }

 private:
  std::byte* at_;
};

template <class T>
constexpr std::size_t partBytes(std::int64_t count) {
  return ScratchParts::rounded(static_cast<std::size_t>(count) * sizeof(T));
}

}  // namespace slipstream
