// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/base/clock.h"
#include "engine/comm/communicator.h"
#include "engine/spec/experiment.h"
#include "engine/wire/link.h"

namespace slipstream {

/// How much of the steps' time went by until their samples were there.
class DataWaiting {
 public:
  void begin() { step_.restart(); }
  void dataReady() { stepWaited_ = step_.seconds(); }
  void end() { add(stepWaited_, step_.seconds()); }
  /// A step of `whole` seconds, of which it waited for `waited`.
  void add(double waited, double whole) {
    waited_ += waited;
    whole_ += whole;
  }

  /// Says in the run's record whether the loader kept ahead of training; nothing of data that are only copied.
  /// Collective: the rank that waited longest counts.
  void report(const DatasetSpec& dataset, Link& link, Communicator& communicator) const;

 private:
  Stopwatch step_;
  double stepWaited_ = 0;
  double waited_ = 0;
  double whole_ = 0;
};

/// Training waited during `share` (0..1) of the steps' time.
std::string waitingText(double share, const DatasetSpec& dataset);

}  // namespace slipstream
