// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream::ui {

/// Drops the results of requests that a later one has overtaken: `take()` before asking, `isLatest(ticket)` when it
/// arrives.
class LatestRequest {
 public:
  int take() { return ++last_; }
  bool isLatest(int ticket) const { return ticket == last_; }

 private:
  int last_ = 0;
};

}  // namespace slipstream::ui
