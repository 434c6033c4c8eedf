// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/nn/cuda/cuda_backend.h"
#include "engine/nn/cuda/cudnn/library.h"
#include "engine/nn/cuda/matrix_products.h"

namespace slipstream {

Failures missingCudaLibraries() {
  Failures missing;
  const auto ask = [&](const auto& find) {
    try {
      collect(find(), missing);
    } catch (const Error& tooOld) {
      missing.push_back({"device", "", tooOld.what(), "install a newer one"});
    }
  };
  ask(findCudnn);
  ask(cublasLtIsThere);
  return missing;
}

}  // namespace slipstream
