// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

namespace slipstream {

/// Differences between two variants, one a replica (a seed), and what the test set itself leaves open.
struct PairedDifferences {
  std::vector<double> values;
  /// Standard error of the difference that comes from judging on a finite test set; it does not shrink with more seeds.
  /// 0 for what is not judged on one.
  double testSetError = 0;

  double mean() const;
  /// Standard deviation of the values (n - 1).
  double spread() const;
  /// Whether an interval can be formed: from three replicas on, and never out of a spread of zero alone.
  bool canBeJudged() const;
};
inline constexpr int fewestReplicas = 3;

/// An interval around the mean difference, and the smallest true difference that would have been shown.
struct PairedInterval {
  double low = 0;
  double high = 0;
  double detectable = 0;  ///< with a probability of `detectionPower`
};
inline constexpr double detectionPower = 0.8;

/// What an interval of `replicas` differences reaches to, in standard errors: of the replicas by Student's t, of the
/// test set by the normal distribution.
struct IntervalReach {
  double student, normal;                      ///< half of the interval
  double studentDetectable, normalDetectable;  ///< the smallest difference that would have been shown
};
/// Of an interval that misses the true difference with a probability of `miss`.
IntervalReach intervalReach(int replicas, double miss);

/// The probability of a mean as far from `shift` as this one, or further, where `shift` is the true difference:
/// two-sided, and just small enough for the interval that misses with it to end at `shift`.
double pValue(const PairedDifferences& differences, double shift = 0);

/// The same for the claim that the true difference lies within +-`margin`: the larger one of two one-sided p-values
/// (Schuirmann 1987, J. Pharmacokin. Biopharm. 15, 657). At most alpha exactly where the interval that misses with 2
/// alpha lies within the margin.
double equivalencePValue(const PairedDifferences& differences, double margin);

/// How many differences with this spread it takes until a true one of `effect` is shown with a probability of
/// `detectionPower` by intervals that miss with `miss`; nothing where no number of up to `most` is enough, as where the
/// test set itself leaves more open.
std::optional<int> differencesNeeded(double effect, double spread, double testSetError, double miss, int most = 1000);

/// The interval around differences that can be judged. The two sources of error are added in quadrature (Howe 1974,
/// J. Am. Stat. Assoc. 69, 789; Zou and Donner 2008, Stat. Med. 27, 1693), so that each is exact where the other is
/// zero.
PairedInterval pairedInterval(const PairedDifferences& differences, const IntervalReach& reach);

}  // namespace slipstream
