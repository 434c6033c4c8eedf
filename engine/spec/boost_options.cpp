// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/boost_options.h"

namespace slipstream {

void BoostConfig::setOn(const std::string& algorithm, bool on) {
  if (on) {
    on_.insert(algorithm);
  } else {
    on_.erase(algorithm);
  }
}

bool BoostConfig::isRequested(const std::string& algorithm) const {
  return mode == "manual" && written.contains("boost." + algorithm);
}

}  // namespace slipstream
