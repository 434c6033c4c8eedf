// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/paired_replicas.h"

#include <cmath>
#include <map>
#include <optional>
#include <set>

namespace slipstream {
namespace {

/// What the finished runs of one seed came to.
struct Replica {
  double sum = 0;
  double variance = 0;  ///< of the test set; NaN where it is not known
  int runs = 0;
  std::set<std::string> results;  ///< RunOutcome::results

  double mean() const { return sum / runs; }
};

double testSetVariance(const StageOutcome& stage, const Measure& measure) {
  if (!measure.onTestSet) return 0;
  const auto error = stage.testSetError.find(measure.key);
  return error == stage.testSetError.end() ? NAN : error->second * error->second;
}

std::map<std::uint64_t, Replica> replicasOf(const StageOfVariant& side, const Measure& measure) {
  std::map<std::uint64_t, Replica> replicas;
  for (const RunOutcome& outcome : side.variant.outcomes) {
    const StageOutcome& stage = outcome.stages.at(side.stage);
    const auto value = stage.value(measure.key);
    if (!isComparable(outcome) || !value) continue;
    Replica& replica = replicas[outcome.run.seed];
    replica.sum += *value;
    replica.variance += testSetVariance(stage, measure);
    ++replica.runs;
    replica.results.insert(outcome.results);
  }
  return replicas;
}

}  // namespace

PairedDifferences PairedReplicas::differences() const {
  PairedDifferences differences{{}, testSetError};
  for (std::size_t i = 0; i < value.size(); ++i) differences.values.push_back(value[i] - reference[i]);
  return differences;
}

PairedReplicas pairReplicas(const StageOfVariant& reference, const StageOfVariant& other, const Measure& measure) {
  const auto before = replicasOf(reference, measure);
  const auto after = replicasOf(other, measure);
  PairedReplicas pairs;
  std::set<std::pair<std::set<std::string>, std::set<std::string>>> seen;
  double variance = 0;
  for (const auto& [seed, first] : before) {
    const auto second = after.find(seed);
    if (second == after.end()) continue;
    const bool fresh = seen.emplace(first.results, second->second.results).second;
    if (!fresh && !measure.cost) continue;
    pairs.seeds.push_back(seed);
    pairs.reference.push_back(first.mean());
    pairs.value.push_back(second->second.mean());
    variance += first.variance / first.runs + second->second.variance / second->second.runs;
  }
  // Every seed is judged on the same samples: their mean is not more certain than each of them.
  if (!pairs.seeds.empty()) pairs.testSetError = std::sqrt(variance / static_cast<double>(pairs.seeds.size()));
  return pairs;
}

std::vector<IdenticalSeeds> identicalSeeds(const std::vector<Variant>& variants) {
  std::vector<IdenticalSeeds> identical;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    std::map<std::string, std::set<std::uint64_t>> seeds;
    for (const RunOutcome& outcome : variants[i].outcomes) {
      if (isComparable(outcome)) seeds[outcome.results].insert(outcome.run.seed);
    }
    for (const auto& [results, same] : seeds) {
      if (same.size() > 1) identical.push_back({i, {same.begin(), same.end()}});
    }
  }
  return identical;
}

}  // namespace slipstream
