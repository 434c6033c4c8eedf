// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/comm/nccl_communicator.h"

namespace slipstream {

// No nccl.h was found when this was configured (cmake/Cuda.cmake).
Status ncclIsThere() {
  return fail("device", cudaKind().name, "this build has no NCCL", "build where CUDA's toolkit and nccl.h are found");
}
std::unique_ptr<Communicator> joinNccl(Communicator&, Device&) {
  throw Error("this build has no NCCL");
}

}  // namespace slipstream
