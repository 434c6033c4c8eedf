// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/cuda/cudnn/library.h"

#include <array>

#include "engine/base/error.h"
#include "engine/base/shared_library.h"
#include "engine/nn/cuda/cudnn/version.h"

namespace slipstream {
namespace {

/// cuDNN loads NVRTC for a plan that it compiles and unloads it behind it: a hundred MB, nine tenths of the time that
/// such plans took, and 72 KB that nobody gives back, each time. Held, it is loaded once. Where it is missing, cuDNN
/// says so itself.
void holdCompiler() {
  static_cast<void>(SharedLibrary::open("libnvrtc.so.13", SLIPSTREAM_NVRTC_LIBRARY, ""));
}

Result<CudnnLibrary> load() {
  SLIPSTREAM_TRY(file, SharedLibrary::open("libcudnn.so.9", SLIPSTREAM_CUDNN_LIBRARY, cudnnRemedy));
  CudnnLibrary library;
  file.find(library.getVersion, "cudnnGetVersion");
  SLIPSTREAM_CHECK(checkCudnnVersion(library.getVersion()));
  file.find(library.getErrorString, "cudnnGetErrorString");
  file.find(library.getLastErrorString, "cudnnGetLastErrorString");
  file.find(library.create, "cudnnCreate");
  file.find(library.destroy, "cudnnDestroy");
  file.find(library.setStream, "cudnnSetStream");
  file.find(library.createDescriptor, "cudnnBackendCreateDescriptor");
  file.find(library.destroyDescriptor, "cudnnBackendDestroyDescriptor");
  file.find(library.setAttribute, "cudnnBackendSetAttribute");
  file.find(library.getAttribute, "cudnnBackendGetAttribute");
  file.find(library.finalize, "cudnnBackendFinalize");
  file.find(library.execute, "cudnnBackendExecute");
  holdCompiler();
  return library;
}

}  // namespace

const Result<CudnnLibrary>& findCudnn() {
  static const Result<CudnnLibrary> library = load();
  return library;
}

const CudnnLibrary& cudnn() {
  const auto& library = findCudnn();
  if (!library) throw Error(toText(library.error()));
  return *library;
}

void checkCudnn(cudnnStatus_t status, const std::string& what) {
  if (status == CUDNN_STATUS_SUCCESS) return;
  std::array<char, 1024> details{};
  cudnn().getLastErrorString(details.data(), details.size());
  throw Error("cuDNN: " + what + ": " + cudnn().getErrorString(status) + " " + details.data());
}

}  // namespace slipstream
