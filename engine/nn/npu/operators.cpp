// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/npu/operators.h"

#include "engine/base/error.h"

namespace slipstream {

void NpuOperators::check(aclnnStatus status, const char* name, const char* problem) {
  if (status == acl::success) return;
  const char* words = aclLibrary().recentError();
  throw Error(std::string("aclnn: ") + name + " " + problem + ": " + (words == nullptr ? "" : words) + " (" +
              std::to_string(status) + ")");
}

void* NpuOperators::workspace(std::uint64_t bytes) {
  if (bytes == 0) return nullptr;
  if (!workspace_ || workspace_->bytes().size() < bytes) {
    workspace_.reset();
    workspace_ = device_.allocate(bytes, MemoryCategory::activations);
  }
  return workspace_->bytes().data();
}

}  // namespace slipstream
