// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <utility>

#include "engine/device/cuda/workspace.h"

namespace slipstream {
namespace {

/// Growing by little, again and again, would wait for the GPU each time; a large piece is not doubled.
constexpr std::size_t mostSpare = std::size_t{64} << 20;

std::size_t roundedUp(std::size_t bytes) {
  constexpr std::size_t page = std::size_t{2} << 20;
  return (bytes + page - 1) / page * page;
}

thread_local std::function<void()> relief;

/// Grows and never shrinks. Giving memory back waits for the GPU, so that no kernel loses what it still reads.
class Scratch {
 public:
  Scratch() = default;
  ~Scratch() { cudaFree(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  std::byte* atLeast(std::size_t bytes) {
    if (bytes > size_) grow(std::max(roundedUp(bytes), std::min(2 * size_, mostSpare)));
    return static_cast<std::byte*>(data_);
  }

 private:
  void grow(std::size_t bytes) {
    checkCuda(cudaFree(data_), "free scratch memory");
    data_ = nullptr;
    size_ = 0;
    data_ = allocateBesidePool(bytes, "allocate scratch memory");
    size_ = bytes;
  }

  void* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace

void setMemoryRelief(std::function<void()> wanted) {
  relief = std::move(wanted);
}

void relieveMemory() {
  if (relief) relief();
}

void* allocateBesidePool(std::size_t bytes, const char* what) {
  refuseWhileRecording(what);
  void* memory = nullptr;
  withRelief([&] { return cudaMalloc(&memory, bytes); }, what);
  return memory;
}

std::byte* kernelScratch(std::size_t bytes) {
  refuseWhileRecording("use scratch memory of kernels");
  thread_local std::map<int, Scratch> scratchOfGpu;
  int gpu = 0;
  checkCuda(cudaGetDevice(&gpu), "ask which GPU is used");
  return scratchOfGpu[gpu].atLeast(bytes);
}

}  // namespace slipstream
