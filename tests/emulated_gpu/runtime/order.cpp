// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's calls about streams and events.
#include "tests/emulated_gpu/runtime/handles.h"

using namespace emulated_gpu;

namespace {

/// Of events that other processes may open: a place in memory that they can map, of which nothing is given back.
std::shared_ptr<EventCounts> sharedCounts(int device) {
  std::byte* place = memory::take(sizeof(EventCounts), device);
  if (place == nullptr) return nullptr;
  return {new (place) EventCounts, [](EventCounts*) {}};
}

}  // namespace

extern "C" {

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  const auto lock = holdGpus();
  *stream = new CUstream_st{makeStream(threadState().device)};
  return cudaSuccess;
}
/// What the stream was given is still done.
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  const auto lock = holdGpus();
  delete stream;
  return cudaSuccess;
}
cudaError_t cudaStreamQuery(cudaStream_t handle) {
  if (const auto refused = refuseWhileCapturing(); refused != cudaSuccess) return refused;
  const auto lock = holdGpus();
  const auto stream = streamOf(handle);
  if (stream == nullptr) return noted(cudaErrorInvalidResourceHandle);
  advance(*stream);
  return stream->queue.empty() ? cudaSuccess : noted(cudaErrorNotReady);
}
cudaError_t cudaStreamSynchronize(cudaStream_t handle) {
  if (const auto refused = refuseWhileCapturing(); refused != cudaSuccess) return refused;
  auto lock = holdGpus();
  const auto stream = streamOf(handle);
  if (stream == nullptr) return noted(cudaErrorInvalidResourceHandle);
  finish(*stream, lock);
  return cudaSuccess;
}
cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event, unsigned) {
  const auto lock = holdGpus();
  const auto stream = streamOf(handle);
  if (stream == nullptr) return noted(cudaErrorInvalidResourceHandle);
  if (stream->captured) return refuseWhileCapturing();
  give(*stream, {.awaited = event->last()});
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned flags) {
  const auto lock = holdGpus();
  const bool isShared = (flags & cudaEventInterprocess) != 0;
  const int device = threadState().device;
  auto counts = isShared ? sharedCounts(device) : std::make_shared<EventCounts>();
  if (counts == nullptr) return noted(cudaErrorMemoryAllocation);
  *event = new CUevent_st{device, std::move(counts), isShared};
  return cudaSuccess;
}
cudaError_t cudaEventDestroy(cudaEvent_t event) {
  const auto lock = holdGpus();
  delete event;
  return cudaSuccess;
}
/// The event must be of the stream's GPU.
cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t handle) {
  const auto lock = holdGpus();
  const auto stream = streamOf(handle);
  if (stream == nullptr || stream->device != event->device) return noted(cudaErrorInvalidResourceHandle);
  if (stream->captured) return refuseWhileCapturing();
  give(*stream, {.reaches = Mark{event->counts, ++event->counts->recorded}});
  return cudaSuccess;
}
cudaError_t cudaEventQuery(cudaEvent_t event) {
  if (const auto refused = refuseWhileCapturing(); refused != cudaSuccess) return refused;
  const auto lock = holdGpus();
  advance(event->last());
  return event->last().isReached() ? cudaSuccess : noted(cudaErrorNotReady);
}
cudaError_t cudaEventSynchronize(cudaEvent_t event) {
  if (const auto refused = refuseWhileCapturing(); refused != cudaSuccess) return refused;
  auto lock = holdGpus();
  finish(event->last(), lock);
  return cudaSuccess;
}
}
