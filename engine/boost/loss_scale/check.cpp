// SPDX-License-Identifier: GPL-3.0-or-later
// How two devices are compared by the kernels of the loss scale.
#include <array>

#include "engine/boost/kernel_check.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/boost/loss_scale/spec.h"

namespace slipstream {

/// Every call finds "no overflow", so that a kernel which never says otherwise is seen, and one that always does.
void LossScaleAlgorithm::checkKernels(KernelCheck& check) {
  const auto* table = check.tables.find<LossScaleKernels>();
  if (table == nullptr) return;
  const LossScaleKernels& kernels = *table;
  struct Case {
    const char* name;
    float size;
    double scale;
    float limit;
  };
  static constexpr std::array<Case, 4> cases{{{"unscale", 1, 3.0, 1e-3F},
                                              {"unscale, no overflow", 1, 3.0, 1},
                                              {"unscale by 2^200", 0x1p120F, 0x1p200, 0x1p-90F},
                                              {"unscale by 2^200, no overflow", 0x1p120F, 0x1p200, 0x1p-79F}}};
  for (const Case& of : cases) {
    const auto gradient = check.drawn(1, of.size);
    const auto overflowed = check.drawn(2, 0).first(1);
    kernels.unscale(check.queue, gradient.data(), check.input.elements, of.scale, of.limit, overflowed.data());
    check.results[of.name] = check.read(gradient);
    check.results["overflows"].push_back(check.read(overflowed).front());
  }
}

}  // namespace slipstream
