// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/bootstrap.h"

#include <algorithm>
#include <cmath>

#include "engine/base/random.h"

namespace slipstream {
namespace {

struct MeanAndError {
  double mean = 0, error = 0;
};

MeanAndError meanAndError(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  const double mean = sum / count;
  for (const double value : values) squares += (value - mean) * (value - mean);
  return {mean, std::sqrt(squares / (count - 1) / count)};
}

/// The value below which a share of the sorted ones lies, between two of them in proportion.
double quantileOf(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t next = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[next] - sorted[below]);
}

}  // namespace

std::optional<BootstrapInterval> bootstrapInterval(const std::vector<double>& differences, double miss,
                                                   std::uint64_t seed, int draws) {
  const auto [mean, error] = meanAndError(differences);
  if (std::ssize(differences) < fewestForBootstrap || !(error > 0)) return std::nullopt;
  Random random(seed, RandomStream::shuffle);
  std::vector<double> ratios, drawn(differences.size());
  while (std::ssize(ratios) < draws) {
    for (double& value : drawn) value = differences[random.below(differences.size())];
    const auto [drawnMean, drawnError] = meanAndError(drawn);
    if (drawnError > 0) ratios.push_back((drawnMean - mean) / drawnError);
  }
  std::ranges::sort(ratios);
  return BootstrapInterval{mean - quantileOf(ratios, 1 - miss / 2) * error,
                           mean - quantileOf(ratios, miss / 2) * error};
}

}  // namespace slipstream
