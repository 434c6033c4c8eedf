// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/emulated_gpu/runtime/handles.h"

namespace emulated_gpu {

ThreadState& threadState() {
  thread_local ThreadState state;
  return state;
}

cudaError_t noted(cudaError_t result) {
  if (result != cudaSuccess) threadState().last = result;
  return result;
}

cudaError_t refuseWhileCapturing() {
  if (threadState().capturing == nullptr) return cudaSuccess;
  threadState().capturing->isCaptureBroken = true;
  return noted(cudaErrorStreamCaptureUnsupported);
}

StreamPointer streamOf(cudaStream_t handle) {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  constexpr std::uintptr_t legacy = 1;
  if (number <= legacy) return nullptr;
  if (handle != cudaStreamPerThread) return handle->stream;
  StreamPointer& own = threadState().ownStreams[static_cast<std::size_t>(threadState().device)];
  if (own == nullptr) own = makeStream(threadState().device);
  return own;
}

}  // namespace emulated_gpu
