// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream {

/// While one lives, SIGINT, SIGTERM and SIGHUP do not end this process where they would: they are raised when the last
/// one is gone, so that whoever asks can first remove what it made. Signals that the process handles itself stay its
/// own. For many threads.
class DelayedSignals {
 public:
  DelayedSignals();
  ~DelayedSignals();
  DelayedSignals(const DelayedSignals&) = delete;
  DelayedSignals& operator=(const DelayedSignals&) = delete;

  /// Whether one came that waits to be raised.
  static bool came();
};

}  // namespace slipstream
