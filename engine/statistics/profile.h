// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace slipstream {

/// Performance profiles (Dolan and Moré 2002, Math. Program. 91, 201). `times`: by contender and workload, infinite
/// where the target was not reached. Returns by contender and factor the share of the workloads that it finishes within
/// `factor` times the best contender's time.
std::vector<std::vector<double>> performanceProfiles(const std::vector<std::vector<double>>& times,
                                                     const std::vector<double>& factors);

/// The area under a profile, by trapezes, as a share of all there could be.
double profileScore(const std::vector<double>& profile, const std::vector<double>& factors);

/// `count` factors from 1 to `most`, equally far apart.
std::vector<double> profileFactors(double most = 4, int count = 100);

}  // namespace slipstream
