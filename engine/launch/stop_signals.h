// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream {

/// While it lives, SIGINT, SIGTERM and SIGHUP are counted instead of ending the process: the first asks a run to stop
/// after its step, the second to stop now. Ignored signals (nohup) stay ignored.
class StopSignals {
 public:
  /// `insideJob`: of a scheduler that says SIGTERM more than once and means no more by it than the first time.
  explicit StopSignals(bool insideJob = false);
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  static int count();
  /// Whether SIGTERM was among them, by which a scheduler speaks.
  static bool wasTerminated();
};

}  // namespace slipstream
