// SPDX-License-Identifier: GPL-3.0-or-later
// The runtime's calls by which processes reach each other's memory and events.
#include <cstring>
#include <map>

#include "tests/emulated_gpu/runtime/handles.h"

using namespace emulated_gpu;

namespace {

template <class Handle>
cudaError_t putPiece(Handle* handle, const void* begin) {
  const memory::SharedPiece piece = memory::share(begin);
  if (piece.bytes == 0) return noted(cudaErrorInvalidValue);
  static_assert(sizeof(piece) <= sizeof(*handle));
  std::memset(handle, 0, sizeof(*handle));
  std::memcpy(handle, &piece, sizeof(piece));
  return cudaSuccess;
}

template <class Handle>
std::shared_ptr<std::byte> mapPiece(const Handle& handle) {
  memory::SharedPiece piece;
  std::memcpy(&piece, &handle, sizeof(piece));
  return memory::mapShared(piece);
}

std::map<void*, std::shared_ptr<std::byte>>& mapped() {
  static auto* all = new std::map<void*, std::shared_ptr<std::byte>>;
  return *all;
}

}  // namespace

extern "C" {

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t* handle, void* memory) {
  const auto lock = holdGpus();
  return putPiece(handle, memory);
}
cudaError_t cudaIpcOpenMemHandle(void** memory, cudaIpcMemHandle_t handle, unsigned) {
  const auto lock = holdGpus();
  auto piece = mapPiece(handle);
  if (piece == nullptr) return noted(cudaErrorInvalidValue);
  *memory = piece.get();
  mapped()[*memory] = std::move(piece);
  return cudaSuccess;
}
/// Waits for the GPUs, as cudaFree does.
cudaError_t cudaIpcCloseMemHandle(void* memory) {
  auto lock = holdGpus();
  for (int device = 0; device < deviceCount; ++device) finishDevice(device, lock);
  return noted(mapped().erase(memory) == 1 ? cudaSuccess : cudaErrorInvalidValue);
}

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t* handle, cudaEvent_t event) {
  const auto lock = holdGpus();
  if (!event->isShared) return noted(cudaErrorInvalidResourceHandle);
  return putPiece(handle, event->counts.get());
}
cudaError_t cudaIpcOpenEventHandle(cudaEvent_t* event, cudaIpcEventHandle_t handle) {
  const auto lock = holdGpus();
  auto piece = mapPiece(handle);
  if (piece == nullptr) return noted(cudaErrorInvalidValue);
  auto* counts = reinterpret_cast<EventCounts*>(piece.get());
  *event = new CUevent_st{threadState().device, {std::move(piece), counts}, true};
  runBesidesOtherProcesses();
  return cudaSuccess;
}
}
