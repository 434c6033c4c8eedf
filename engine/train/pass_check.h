// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/device/device.h"

namespace slipstream {

#ifdef NDEBUG
inline constexpr bool checksPasses = false;
#else
inline constexpr bool checksPasses = true;
#endif

/// Verifies a gradient pass in debug builds: what was finite before it is finite after it. Elsewhere it does nothing,
/// because it waits for the device.
class PassCheck {
 public:
  /// Before the pass. `gradients` are those that it works on, of `device`.
  PassCheck(Device& device, std::span<const float> gradients);
  /// After it. Throws std::logic_error naming the pass and the element.
  void verify(const std::string& pass) const;

 private:
  Device& device_;
  std::span<const float> gradients_;
  std::vector<float> before_;  ///< none where nothing is verified
};

}  // namespace slipstream
