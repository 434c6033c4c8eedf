// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream {

/// Returns the value that a standard normal variable stays below with `probability`, which lies in (0, 1).
double normalQuantile(double probability);

/// The same of Student's t with `degrees` >= 1 degrees of freedom.
double studentQuantile(double probability, int degrees);

/// Returns how many standard errors a true shift must have to exceed `critical` times the estimated standard error with
/// a probability of `power`: the noncentrality of Student's t.
double detectableShift(double critical, int degrees, double power);

}  // namespace slipstream
