// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "engine/cuda/cuda_check.h"
#include "engine/cuda/stream.h"
#include "engine/cuda/upload_ring.h"
#include "engine/device/device.h"

namespace slipstream {

class CudaQueue;

/// Memory of a GPU beside its pool, which the meter counts as boost's. Giving it back waits for the GPU.
class CudaMemory {
 public:
  /// After the queue's relief where the GPU has too little. Throws Error that says what to do where it still has.
  CudaMemory(CudaQueue& queue, std::size_t bytes, const char* what);
  ~CudaMemory() { cudaFree(data_); }
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  std::byte* data() const { return static_cast<std::byte*>(data_); }

 private:
  void* data_ = nullptr;
  std::optional<CountedMemory> counted_;
};

/// What a GPU is given but started copies: kernels of ours and of libraries, copies inside. One stream, and memory in
/// which kernels leave what the next ones read. The stream is the queue's own and does not wait for the legacy one,
/// which all threads share and which cannot be recorded; so nothing here may use that, not even by cudaMemcpy or by
/// waiting for the whole device.
class CudaQueue final : public DeviceQueue {
 public:
  /// Of the GPU that this thread has selected. `relief` gives back memory that lies free; it is called where scratch
  /// memory, a table or a graph does not fit, before that is tried again. `meter` outlives it.
  CudaQueue(MemoryMeter& meter, std::function<void()> relief);
  ~CudaQueue() override;

  cudaStream_t stream() const { return stream_; }
  MemoryMeter& meter() const { return meter_; }

  /// Memory of the GPU, at least `bytes`, that stays the same until somebody asks for more of it. Kept from call to
  /// call, and counted by the meter. Not for recorded work, as it moves when it grows. Throws Error where the GPU has
  /// none left, or this thread records.
  std::byte* scratch(std::size_t bytes);
  template <class T>
  T* scratch(std::size_t count) {
    return reinterpret_cast<T*>(scratch(count * sizeof(T)));
  }

  /// Makes a call of the runtime, and once more after relief where the GPU has no memory left for it.
  template <class Call>
  cudaError_t relieved(const Call& call) {
    const cudaError_t result = call();
    if (result != cudaErrorMemoryAllocation) return result;
    cudaGetLastError();  // else the next call would report it again
    relief_();
    return call();
  }
  template <class Call>
  void withRelief(const Call& call, const char* what) {
    checkCuda(relieved(call), what);
  }

  /// Copies to the GPU, in order; both are equally long. `values` may change as soon as it returns.
  template <class T>
  void upload(std::span<T> to, std::span<const T> values) {
    uploads_.copy(std::as_writable_bytes(to), std::as_bytes(values), stream_);
  }
  template <class T>
  void upload(T* to, std::span<const T> values) {
    upload(std::span<T>(to, values.size()), values);
  }

  /// Waits for what the queue was given, and copies from the GPU.
  template <class T>
  void download(std::span<T> values, const T* from, const char* what) {
    refuseWhileRecording(what);
    checkCuda(cudaMemcpyAsync(values.data(), from, values.size_bytes(), cudaMemcpyDeviceToHost, stream_), what);
    checkCuda(cudaStreamSynchronize(stream_), what);
  }

 private:
  MemoryMeter& meter_;
  std::function<void()> relief_;
  cudaStream_t stream_ = nullptr;
  UploadRing uploads_;
  std::unique_ptr<CudaMemory> scratch_;
  std::size_t scratchBytes_ = 0;
};

/// Of a CUDA device.
inline CudaQueue& cudaQueue(DeviceQueue& queue) {
  return static_cast<CudaQueue&>(queue);
}

/// A table that stays on the GPU.
template <class T>
class CudaTable {
 public:
  CudaTable(CudaQueue& queue, std::span<const T> values) {
    if (values.empty()) return;
    memory_.emplace(queue, values.size_bytes(), "allocate a table");
    queue.upload(reinterpret_cast<T*>(memory_->data()), values);
  }
  const T* data() const { return memory_ ? reinterpret_cast<const T*>(memory_->data()) : nullptr; }

 private:
  std::optional<CudaMemory> memory_;
};

}  // namespace slipstream
