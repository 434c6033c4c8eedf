// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

#include <cuda_runtime_api.h>

#include "engine/cuda/cuda_check.h"
#include "engine/device/device.h"

namespace slipstream {

/// A mark in a stream that others wait for: work after wait() runs after all that was queued before record(). Measures
/// no time. Made for the GPU that this thread has selected.
class CudaEvent {
 public:
  explicit CudaEvent(unsigned flags = cudaEventDisableTiming) {
    checkCuda(cudaEventCreateWithFlags(&event_, flags), "make an event");
  }
  ~CudaEvent() {
    if (event_ != nullptr) cudaEventDestroy(event_);
  }
  CudaEvent(CudaEvent&& other) noexcept : event_(std::exchange(other.event_, nullptr)) {}
  CudaEvent(const CudaEvent&) = delete;
  CudaEvent& operator=(const CudaEvent&) = delete;

  cudaEvent_t handle() const { return event_; }
  void record(cudaStream_t stream) { checkCuda(cudaEventRecord(event_, stream), "record an event"); }
  /// What `stream` is given from now on waits for the mark.
  void holdBack(cudaStream_t stream) const {
    checkCuda(cudaStreamWaitEvent(stream, event_, 0), "let a stream wait for an event");
  }
  bool done() const {
    const cudaError_t state = cudaEventQuery(event_);
    if (state != cudaErrorNotReady) checkCuda(state, "ask an event");
    if (state == cudaErrorNotReady) cudaGetLastError();
    return state == cudaSuccess;
  }
  void wait() const { checkCuda(cudaEventSynchronize(event_), "wait for an event"); }

 private:
  cudaEvent_t event_ = nullptr;
};

/// In what a GPU was given.
class CudaPoint final : public DevicePoint {
 public:
  explicit CudaPoint(cudaStream_t stream) { reached_.record(stream); }
  const CudaEvent& event() const { return reached_; }

 private:
  CudaEvent reached_;
};

}  // namespace slipstream
