// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace slipstream {

/// How long something took, or how long it was watched without happening.
struct TimeToEvent {
  double time = 0;
  bool happened = true;
};

/// The share that it has not happened to, from this time on.
struct SurvivalStep {
  double time = 0;
  int atRisk = 0;  ///< were watched until then
  int events = 0;
  double survival = 1;
  double deviation = 0;  ///< standard error of it (Greenwood)
};

/// Kaplan and Meier's estimate (1958, J. Am. Stat. Assoc. 53, 457): a step a time at which something happened, rising.
std::vector<SurvivalStep> kaplanMeier(std::vector<TimeToEvent> times);

/// An interval around the share of a step, on the scale of log(-log) (Kalbfleisch and Prentice 1980, section 1.3), so
/// that it stays within 0 and 1; the share alone where it is 0 or 1, of which the estimate knows no deviation.
struct SurvivalInterval {
  double low = 0, high = 0;
};
SurvivalInterval survivalInterval(const SurvivalStep& step, double miss);

/// The area under the estimate up to `horizon`: the mean of what it takes, cut off there. Times must have been watched
/// as far.
double restrictedMean(const std::vector<SurvivalStep>& steps, double horizon);

}  // namespace slipstream
