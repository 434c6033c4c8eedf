// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/nn/npu/aclnn_api.h"

struct aclTensor {
  int type;
  std::vector<std::int64_t> sizes;
  std::vector<std::int64_t> strides;
  int format;
  void* data;
};
struct aclScalar {
  double value;
};
struct aclIntArray {
  std::vector<std::int64_t> values;
};
struct aclBoolArray {
  std::vector<bool> values;
};

namespace slipstream::fake {

/// A violation where there is no such descriptor any more; `call` uses it.
void requireDescriptor(const std::string& call, const void* descriptor);
std::size_t bytesOfElement(const std::string& call, int type);

}  // namespace slipstream::fake

extern "C" {
/// Descriptors that were not destroyed.
std::size_t fakeCannLiveDescriptors();
}
