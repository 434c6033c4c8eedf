// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <cudnn.h>

#include "engine/base/failure.h"

namespace slipstream {

/// The functions of cuDNN's graph API that we call.
struct CudnnLibrary {
  decltype(&cudnnGetVersion) getVersion = nullptr;
  decltype(&cudnnGetErrorString) getErrorString = nullptr;
  decltype(&cudnnGetLastErrorString) getLastErrorString = nullptr;
  decltype(&cudnnCreate) create = nullptr;
  decltype(&cudnnDestroy) destroy = nullptr;
  decltype(&cudnnSetStream) setStream = nullptr;
  decltype(&cudnnBackendCreateDescriptor) createDescriptor = nullptr;
  decltype(&cudnnBackendDestroyDescriptor) destroyDescriptor = nullptr;
  decltype(&cudnnBackendSetAttribute) setAttribute = nullptr;
  decltype(&cudnnBackendGetAttribute) getAttribute = nullptr;
  decltype(&cudnnBackendFinalize) finalize = nullptr;
  decltype(&cudnnBackendExecute) execute = nullptr;
};

/// Loads libcudnn at the first call: it is large, a run on the CPU does without, and so does a machine that lacks it.
/// A failure where it cannot be loaded or is too old.
const Result<CudnnLibrary>& findCudnn();

/// The same where it must be there; throws Error where it is not.
const CudnnLibrary& cudnn();

/// Throws Error with the library's own words; `what` says what was being done.
void checkCudnn(cudnnStatus_t status, const std::string& what);

}  // namespace slipstream
