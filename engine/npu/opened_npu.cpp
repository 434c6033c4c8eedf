// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/opened_npu.h"

#include <string>

#include "engine/npu/acl_library.h"
#include "engine/spec/device_kind.h"

namespace slipstream {

void OpenedNpu::select() const {
  opener_.refuseOthers(npuKind().name.c_str(), number_);
  selectNpu(number_);
}

void selectNpu(int number) {
  const aclError result = aclLibrary().setDevice(number);
  if (result != acl::success) checkAcl(result, "select NPU " + std::to_string(number));
}

}  // namespace slipstream
