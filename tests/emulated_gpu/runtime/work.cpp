// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's calls that give work to streams: kernels, copies, graphs.
#include <cstring>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "tests/emulated_gpu/coverage/kernel_runs.h"
#include "tests/emulated_gpu/device/grid.h"
#include "tests/emulated_gpu/runtime/give_work.h"
#include "tests/emulated_gpu/runtime/handles.h"

namespace emulated_gpu {
namespace {

constexpr unsigned mostThreads = 1024;
constexpr unsigned mostBlocks = 0x7fffffffU;

bool isOneDimension(const dim3& size) {
  return size.y == 1 && size.z == 1;
}

bool fits(const cudaLaunchConfig_t& config) {
  return isOneDimension(config.gridDim) && isOneDimension(config.blockDim) && config.gridDim.x > 0 &&
         config.gridDim.x <= mostBlocks && config.blockDim.x > 0 && config.blockDim.x <= mostThreads &&
         config.dynamicSmemBytes == 0;
}

bool isOfDevice(Place place) {
  return place == Place::device;
}
bool isOfHost(Place place) {
  return place == Place::pinned || place == Place::pageable;
}

bool fitsKind(cudaMemcpyKind kind, Place to, Place from) {
  switch (kind) {
    case cudaMemcpyHostToDevice:
      return isOfHost(from) && isOfDevice(to);
    case cudaMemcpyDeviceToHost:
      return isOfDevice(from) && isOfHost(to);
    case cudaMemcpyDeviceToDevice:
      return isOfDevice(from) && isOfDevice(to);
    case cudaMemcpyHostToHost:
      return isOfHost(from) && isOfHost(to);
    case cudaMemcpyDefault:
      return to != Place::astray && from != Place::astray;
  }
  return false;
}

/// The runtime takes values out of pageable memory before the call returns; where it writes into such, it may do so
/// later.
Operation copyOf(void* to, const void* from, std::size_t bytes, Place source) {
  if (source != Place::pageable) return {[=] { std::memmove(to, from, bytes); }};
  const auto* first = static_cast<const std::byte*>(from);
  return {
      [to, values = std::vector<std::byte>(first, first + bytes)] { std::memcpy(to, values.data(), values.size()); }};
}

}  // namespace

void giveWork(cudaStream_t handle, std::function<void()> work) {
  const auto lock = holdGpus();
  give(*streamOf(handle), {std::move(work)});
}

cudaError_t launchKernel(const cudaLaunchConfig_t& config, const void* kernel, std::function<void()> thread) {
  const auto lock = holdGpus();
  if (!fits(config)) return noted(cudaErrorInvalidConfiguration);
  const auto stream = streamOf(config.stream);
  if (stream == nullptr || stream->device != threadState().device) return noted(cudaErrorInvalidResourceHandle);
  const Grid grid{&kernelAt(kernel), config.gridDim.x, config.blockDim.x, std::move(thread)};
  noteKernelRun(grid.kernel->name);
  give(*stream, {[grid] { runGrid(grid); }});
  return cudaSuccess;
}

}  // namespace emulated_gpu

using namespace emulated_gpu;

extern "C" {

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind, cudaStream_t handle) {
  const auto lock = holdGpus();
  const auto stream = streamOf(handle);
  if (stream == nullptr) return noted(cudaErrorInvalidResourceHandle);
  const Place source = memory::placeOf(from, bytes);
  const Place target = memory::placeOf(to, bytes);
  if (!fitsKind(kind, target, source)) return noted(cudaErrorInvalidValue);
  if (stream->captured && (source == Place::pageable || target == Place::pageable)) return refuseWhileCapturing();
  give(*stream, copyOf(to, from, bytes, source));
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void* memory, int value, std::size_t bytes, cudaStream_t handle) {
  const auto lock = holdGpus();
  const auto stream = streamOf(handle);
  if (stream == nullptr) return noted(cudaErrorInvalidResourceHandle);
  if (memory::placeOf(memory, bytes) != Place::device) return noted(cudaErrorInvalidValue);
  give(*stream, {[=] { std::memset(memory, value, bytes); }});
  return cudaSuccess;
}

cudaError_t cudaStreamBeginCapture(cudaStream_t handle, cudaStreamCaptureMode) {
  const auto lock = holdGpus();
  const auto stream = streamOf(handle);
  if (stream == nullptr || stream->captured) return noted(cudaErrorStreamCaptureUnsupported);
  stream->captured.emplace();
  stream->isCaptureBroken = false;
  threadState().capturing = stream;
  return cudaSuccess;
}
cudaError_t cudaStreamEndCapture(cudaStream_t handle, cudaGraph_t* graph) {
  const auto lock = holdGpus();
  const auto stream = streamOf(handle);
  *graph = nullptr;
  if (stream == nullptr || !stream->captured) return noted(cudaErrorStreamCaptureUnmatched);
  threadState().capturing.reset();
  Operations work = std::move(*stream->captured);
  stream->captured.reset();
  if (stream->isCaptureBroken) return noted(cudaErrorStreamCaptureInvalidated);
  *graph = new CUgraph_st{std::move(work)};
  return cudaSuccess;
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long) {
  *executable = new CUgraphExec_st{graph->work};
  return cudaSuccess;
}
cudaError_t cudaGraphUpload(cudaGraphExec_t, cudaStream_t) {
  return cudaSuccess;
}
cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t handle) {
  const auto lock = holdGpus();
  const auto stream = streamOf(handle);
  if (stream == nullptr) return noted(cudaErrorInvalidResourceHandle);
  for (const Operation& operation : executable->work) give(*stream, operation);
  return cudaSuccess;
}
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  delete executable;
  return cudaSuccess;
}
cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  delete graph;
  return cudaSuccess;
}
}
