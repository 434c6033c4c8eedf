// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream {

/// The probability that intervals that miss with `miss`, around `count` >= 2 paired differences with this spread, lie
/// on the side of a true difference of `effect`. `testSetError` as in PairedDifferences.
double detectionProbability(double effect, double spread, double testSetError, double miss, int count);

/// The smallest true difference that `count` paired differences with this spread show with `detectionPower`.
double detectableDifference(double spread, double testSetError, double miss, int count);

}  // namespace slipstream
