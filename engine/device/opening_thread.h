// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <thread>

#include "engine/base/error.h"

namespace slipstream {

/// The thread that made this, and opened device `kind`:`number` then. What another thread gave the device would be on
/// that thread's stream, in no order with what the opening thread gives.
class OpeningThread {
 public:
  /// Throws Error where another thread calls.
  void refuseOthers(const char* kind, int number) const {
    if (std::this_thread::get_id() == id_) return;
    throw Error("the device " + std::string(kind) + ":" + std::to_string(number) +
                " is used by another thread than the one that opened it");
  }

 private:
  std::thread::id id_ = std::this_thread::get_id();
};

}  // namespace slipstream
