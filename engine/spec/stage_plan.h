// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/spec/experiment.h"
#include "engine/spec/host_layout.h"

namespace slipstream {

/// What a stage takes over from the stage that it starts from.
enum class StartingWeights { last, snapshotMean };
inline const EnumNames<StartingWeights> startingWeights{{"last", StartingWeights::last},
                                                        {"snapshot_mean", StartingWeights::snapshotMean}};

/// Where a stage begins.
struct StageStart {
  std::string stage;  ///< an earlier one; empty: fresh weights
  StartingWeights weights = StartingWeights::last;
  bool continues = false;  ///< optimizer state, schedule and data order go on as if that stage had not ended

  /// The stage's snapshots are asked for, for its mean.
  bool wantsMean() const { return weights == StartingWeights::snapshotMean; }
};

/// One stage of a run. Steps count over the whole run, so no step appears twice.
struct StagePlan {
  std::string name;
  Experiment experiment;  ///< the file's, overridden by the stage's keys
  StageStart start;
  std::int64_t firstStep = 0;  ///< steps done when it begins
  std::int64_t endStep = 0;    ///< steps done when it is over
  std::int64_t stepsPerEpoch = 0;
  std::int64_t scheduleStep = 0;  ///< steps of the schedule that are over when it begins: of the stage it continues
  std::int64_t dataStep = 0;      ///< where in the order of the data it begins
  /// Steps done when it keeps a snapshot: the ones that are left at its end, no others.
  std::vector<std::int64_t> snapshotSteps = {};
  bool readsSnapshots = false;  ///< its algorithm reads those of the stage it starts from

  /// Its last step may be one that refreshes statistics.
  std::int64_t updates() const { return endStep - firstStep - (experiment.train.refreshStatistics ? 1 : 0); }
};

/// Where one rank lives.
struct RankPlacement {
  int rank = 0;
  int server = 0;  ///< index of the server in the rank table; groups of Adasum's scope `servers`
  std::string host;
  int deviceId = 0;
  bool operator==(const RankPlacement&) const = default;
};

/// Bytes a rank by category. The names are those of the measured memory in the store.
using MemoryForecast =
    std::map<std::string, std::int64_t>;  // weights, gradients, optimizer_state, gather, boost, activations, data

/// One run, decided once: everything that the result's bits depend on. Stored with the run, reused by resume.
struct RunPlan {
  Experiment experiment;              ///< what all stages share
  std::vector<StagePlan> stages;      ///< empty: the experiment is the only one (stagesOf)
  std::vector<RankPlacement> places;  ///< one a rank, in rank order
  bool local = true;                  ///< all ranks on this machine
  int threadsPerRank = 1;
  std::vector<std::string> classNames = {};  ///< in the order of labels; empty where they have no names
  std::string pictureNamesHash = {};         ///< SHA-256 (hashOfNames); empty where the data is no folder of images
  std::string preTrainedHash = {};           ///< SHA-256 of the file of network.pre_trained; empty: there is none
  std::int64_t trainSamples = 0;             ///< after the data set was looked at
  std::int64_t stepsPerEpoch = 0;
  std::int64_t totalSteps = 0;
  std::string instructionSet;       ///< of the CPU kernels: see processor.h
  std::vector<Decision> decisions;  ///< beside experiment.boost.decisions
  MemoryForecast memoryPerRank;
  bool allowDifferentBits = false;  ///< a resumed run may go on where its bits would not be the same
  std::int64_t endAtStep = 0;       ///< the run stops there with a checkpoint; 0: nowhere before its last step

  int ranks() const { return static_cast<int>(places.size()); }
};

/// Whether ranks exchange in memory that all of them see, where it has room: those of one machine that compute in the
/// host's memory.
bool exchangesInSharedMemory(const RunPlan& plan);

/// The hosts that exchanges of this plan tell apart: none but one where `parallel.exchange` is not `hosts`. Where all
/// ranks are on this machine, the servers of the rank table stand for hosts.
HostLayout exchangeHosts(const RunPlan& plan);
/// Of a stage whose experiment is this one.
HostLayout exchangeHosts(const RunPlan& plan, const Experiment& experiment);

/// Ranks of each server, by server index.
std::vector<int> ranksOfServers(const std::vector<RankPlacement>& places);

/// The steps of the run after which the stage keeps snapshots; none where its experiment asks for none. Fails where it
/// asks for what it has no steps for; `path` is before the keys in the failure.
Result<std::vector<std::int64_t>> plannedSnapshots(const StagePlan& stage, const std::string& path);

/// Where in its own updates a stage keeps snapshots: at the end of each of `perEpoch` parts of every epoch after
/// `firstEpoch`, the newest `keep` of them; or, with `firstFraction`, at the ends of `keep` equal parts of the rest,
/// none where it has fewer steps.
std::vector<std::int64_t> snapshotUpdates(const SnapshotSpec& spec, std::int64_t stepsPerEpoch, std::int64_t updates);

}  // namespace slipstream
