// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream {

/// P(Z <= z) of a standard normal variable.
double normalBelow(double z);

/// Returns the value that a standard normal variable stays below with `probability`, which lies in (0, 1).
double normalQuantile(double probability);

/// P(|T| > t) of Student's t with `degrees` >= 1 degrees of freedom; t >= 0.
double studentBeyond(double t, int degrees);

/// The value that Student's t stays below with `probability`.
double studentQuantile(double probability, int degrees);

/// P(T > critical) where the numerator of Student's t is shifted by `shift` standard errors (noncentral t).
double studentPower(double shift, double critical, int degrees);

/// Returns how many standard errors a true shift must have to exceed `critical` times the estimated standard error with
/// a probability of `power`: the noncentrality of Student's t.
double detectableShift(double critical, int degrees, double power);

}  // namespace slipstream
