// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/device/opening_thread.h"

namespace slipstream {

/// An NPU that this thread opened. The runtime's calls are of the NPU that their thread has selected last.
class OpenedNpu {
 public:
  explicit OpenedNpu(int number) : number_(number) {}
  int number() const { return number_; }
  /// Selects it for this thread. Throws Error where another thread calls than the one that opened it.
  void select() const;

 private:
  int number_;
  OpeningThread opener_;
};

/// Selects an NPU for this thread, whoever opened it. Throws Error where the runtime has none of this number.
void selectNpu(int number);

}  // namespace slipstream
