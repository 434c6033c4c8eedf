#include <bit>
#include <map>

#include "engine/device/cuda/workspace.h"

namespace slipstream {
namespace {

/// Grows and never shrinks. Giving memory back waits for the GPU, so that no kernel loses what it still reads.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { cudaFree(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* atLeast(std::size_t bytes) {
    if (bytes > size_) grow(std::bit_ceil(bytes));
    return static_cast<std::byte*>(data_);
  }

 private:
  void grow(std::size_t bytes) {
    checkCuda(cudaFree(data_), "free scratch memory");
    data_ = nullptr;
    size_ = 0;
    checkCuda(cudaMalloc(&data_, bytes), "allocate scratch memory");
    size_ = bytes;
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

std::byte* kernelScratch(std::size_t bytes) {
  thread_local std::map<int, Scratch> scratchOfGpu;
  int gpu = 0;
  checkCuda(cudaGetDevice(&gpu), "ask which GPU is used");
  return scratchOfGpu[gpu].atLeast(bytes);
}

}  // namespace slipstream
