// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/step_context.h"

#include <algorithm>
#include <span>

#include "engine/base/flush_denormals.h"
#include "engine/train/running_statistics_guard.h"

namespace slipstream {

/// Where nobody checks, no rank asks: a NaN is then a failed run, not a skipped step.
bool RankContext::overflowVote() {
  std::vector<std::span<double>> flags;
  for (const auto& pass : slots_.gradientPasses) flags.push_back(pass->overflowFlags());
  std::vector<double> votes;
  for (const auto part : flags) votes.insert(votes.end(), part.begin(), part.end());
  if (votes.empty()) return false;
  const Stopwatch watch;
  communicator_.allReduceMax(votes);
  exchangeSeconds_ += watch.seconds();
  auto voted = votes.begin();
  for (const auto part : flags) {
    std::copy_n(voted, part.size(), part.begin());
    voted += std::ssize(part);
  }
  return std::ranges::any_of(votes, [](double vote) { return vote > 0; });
}

double BatchContext::trialLoss() {
  const FlushDenormals flush;
  const RunningStatisticsGuard kept(passes_.network());
  double loss = 0;
  for (const MicroBatch& part : sofar_.microBatches) {
    passes_.forward(part, NetworkMode::training, slots_.update->weights());
    if (part.share != 0) loss += passes_.loss().loss * part.share;
  }
  return meanOverRanks(loss);
}

double RankContext::meanOverRanks(double loss) {
  const Stopwatch watch;
  communicator_.allReduceSum(std::span(&loss, 1));
  exchangeSeconds_ += watch.seconds();
  return loss / communicator_.size();
}

}  // namespace slipstream
