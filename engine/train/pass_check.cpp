// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/pass_check.h"

#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

#include "engine/device/device.h"

namespace slipstream {

PassCheck::PassCheck(Device& device, std::span<const float> gradients) : device_(device), gradients_(gradients) {
  if (checksPasses) before_ = readValues(device_, gradients_);
}

void PassCheck::verify(const std::string& pass) const {
  if (!checksPasses) return;
  const std::vector<float> after = readValues(device_, gradients_);
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (std::isfinite(after[i]) || !std::isfinite(before_[i])) continue;
    throw std::logic_error(fmt::format("{} made {} of gradient {}, which was {}", pass, after[i], i, before_[i]));
  }
}

}  // namespace slipstream
