// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <span>

#include "engine/device/cuda/cuda_check.h"
#include "engine/device/cuda/stream.h"
#include "engine/device/device.h"

namespace slipstream {

/// Memory of the GPU that the calling thread uses, at least `bytes`, in which kernels leave what the next ones read. It
/// is kept from call to call, and belongs to this thread until it asks again: ranks that are threads of one process do
/// not meet in it. Not for recorded work, as it moves when it grows. Throws Error where the GPU has none left, or this
/// thread records. No meter counts it.
std::byte* kernelScratch(std::size_t bytes);

/// Called where scratch memory, a table or a graph of this thread does not fit, before it is tried again: what gives
/// back memory that lies free. Empty: nothing does.
void setMemoryRelief(std::function<void()> relief);

/// The calling thread's relief, if it has one.
void relieveMemory();

/// Makes a call of the runtime, and once more after relief where the GPU has no memory left for it.
template <class Call>
void withRelief(const Call& call, const char* what) {
  cudaError_t result = call();
  if (result == cudaErrorMemoryAllocation) {
    cudaGetLastError();  // else the next call would report it again
    relieveMemory();
    result = call();
  }
  checkCuda(result, what);
}

/// cudaMalloc, after relief where it needs that.
void* allocateBesidePool(std::size_t bytes, const char* what);

template <class T>
T* kernelScratch(std::size_t count) {
  return reinterpret_cast<T*>(kernelScratch(count * sizeof(T)));
}

/// Copies to the GPU, in the order of the stream. `values` may change as soon as it returns: the runtime has taken them
/// out of pageable memory by then.
template <class T>
void upload(T* to, std::span<const T> values) {
  if (values.empty()) return;
  refuseWhileRecording("copy a table to the GPU");
  checkCuda(cudaMemcpyAsync(to, values.data(), values.size_bytes(), cudaMemcpyHostToDevice, kernelStream()),
            "copy a table to the GPU");
}

/// Waits for what the stream was given, and copies from the GPU.
template <class T>
void download(std::span<T> values, const T* from, const char* what) {
  refuseWhileRecording(what);
  checkCuda(cudaMemcpyAsync(values.data(), from, values.size_bytes(), cudaMemcpyDeviceToHost, kernelStream()), what);
  checkCuda(cudaStreamSynchronize(kernelStream()), what);
}

/// A table that stays on the GPU.
template <class T>
class CudaTable {
 public:
  explicit CudaTable(std::span<const T> values) {
    if (values.empty()) return;
    data_ = static_cast<T*>(allocateBesidePool(values.size_bytes(), "allocate a table"));
    upload(data_, values);
  }
  ~CudaTable() { cudaFree(data_); }
  CudaTable(const CudaTable&) = delete;
  CudaTable& operator=(const CudaTable&) = delete;
  const T* data() const { return data_; }

 private:
  T* data_ = nullptr;
};

}  // namespace slipstream
