// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <stdexcept>

namespace slipstream {

/// A broken promise of the program or the machine (not of the user's input); caught only in the mains.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace slipstream
