// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "engine/hub/hub.h"
#include "engine/launch/run_observer.h"
#include "engine/launch/slow_hosts.h"

namespace slipstream {

/// Joins what the ranks report of a step and tells the observer once all of them have, in the order of the steps; an
/// evaluation is told after the steps before it. Knows how long a step takes.
class LiveProgress final : public HubListener {
 public:
  /// `hostOfRank`: one entry a rank; none where all are on one host.
  LiveProgress(int ranks, RunObserver& observer, std::vector<std::string> hostOfRank = {})
      : ranks_(ranks), observer_(observer), slowHosts_(std::move(hostOfRank)) {}

  void metrics(int rank, const MetricBlock& block) override;
  void event(const Event& event) override { observer_.event(event); }
  void checkpoint(const CheckpointRow&) override {}

  SlowHosts& slowHosts() { return slowHosts_; }
  /// Of the last steps; 0 before the first.
  double medianStepSeconds() const;
  /// The last step that every rank has reported; -1 before the first.
  std::int64_t newestStep() const { return newest_; }

 private:
  struct Joining {
    int ranks = 0;
    std::vector<double> losses;  ///< by rank, so that their sum does not depend on who reports first
    double stepSeconds = 0;
    double samplesPerSecond = 0;
  };

  void join(int rank, const MetricBlock& block);
  void reportEvaluations();

  const int ranks_;
  RunObserver& observer_;
  SlowHosts slowHosts_;
  std::map<std::int64_t, Joining> joining_;
  std::map<std::int64_t, double> evaluations_;  ///< step -> accuracy, not told yet
  std::deque<double> recent_;
  std::int64_t newest_ = -1;
};

}  // namespace slipstream
