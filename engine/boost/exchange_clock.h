// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>

#include "engine/base/clock.h"

namespace slipstream {

/// What exchanging cost a rank's step, in seconds of its host: where GPUs exchange by themselves (Request::wait), the
/// time that they take is not in it.
struct CommunicationTime {
  double exposed = 0;  ///< worked on it or waited for it instead of computing
  double hidden = 0;   ///< computed while some of it was under way; known to a layer's time

  CommunicationTime& operator+=(const CommunicationTime& more) {
    exposed += more.exposed;
    hidden += more.hidden;
    return *this;
  }
};

/// Splits the time of a step between exchanging and computing.
class ExchangeClock {
 public:
  /// `exchange` begins, drives on or ends exchanges, and says whether any is under way when it returns.
  template <class Exchange>
  void run(const Exchange& exchange) {
    const double computed = watch_.restart();
    if (underWay_) time_.hidden += computed;
    underWay_ = exchange();
    time_.exposed += watch_.restart();
  }
  /// What has been measured since this was asked last; nothing is under way.
  CommunicationTime take() {
    underWay_ = false;
    return std::exchange(time_, {});
  }

 private:
  Stopwatch watch_;
  CommunicationTime time_;
  bool underWay_ = false;
};

}  // namespace slipstream
