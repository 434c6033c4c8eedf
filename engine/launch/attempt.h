// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "engine/hub/hub.h"
#include "engine/launch/launcher.h"
#include "engine/launch/live_progress.h"
#include "engine/launch/rank_watch.h"
#include "engine/launch/supervisor.h"

namespace slipstream {

struct AttemptEnd {
  RunState state = RunState::done;  ///< done, stopped or failed
  std::string why;
  int rank = -1;                     ///< the rank that failed, where one is known
  std::int64_t step = -1;            ///< where it was
  std::string failureSignature;      ///< why, without what differs between attempts
  std::int64_t unreportedSteps = 0;  ///< so many more may have been done before the end
  bool began = false;                ///< something of it is committed; else what earlier attempts did still counts
  bool lost = false;  ///< a process or host went, or stood still: nobody of the run says that it could not go on
};

/// One start of all the processes of a run, from mpirun's start until the last of them is gone, however it ends.
class Attempt {
 public:
  Attempt(RunStore& store, CheckpointStore& checkpoints, const std::string& runId, int number, const RunPlan& plan,
          const std::optional<CheckpointManifest>& from, const Supervision& supervision, RunObserver& observer);
  ~Attempt();
  Attempt(const Attempt&) = delete;
  Attempt& operator=(const Attempt&) = delete;

  /// Returns at its end; no process of the run is left on any host that answers then.
  AttemptEnd run();
  /// Whether something of it is committed, so that what earlier attempts did after its start no longer counts.
  bool hasBegun() const { return hub_.hasBegun(); }

 private:
  void start();
  void endRanks();
  std::optional<AttemptEnd> poll();
  bool isStuck();
  void tellSlowHost(const std::vector<RankStatus>& ranks);
  std::optional<AttemptEnd> checkStopRequest(const std::vector<RankStatus>& ranks);
  /// Throws where the store was taken away.
  void requireStore();
  void followState(const std::vector<RankStatus>& ranks);
  bool causeIsKnown(const ProcessEnd& end) const;
  std::optional<AttemptEnd> afterMpirun(const ProcessEnd& end);
  AttemptEnd failure(int rank, const std::string& problem, const std::string& logLines);
  static AttemptEnd asLost(AttemptEnd end);
  AttemptEnd failureOfRank(int rank, const std::string& problem);
  AttemptEnd failureOfHost(const LostHost& lost);
  std::optional<int> firstToFail(const std::vector<RankStatus>& ranks) const;
  /// Returns the end of ranks that have all sent their final message.
  AttemptEnd finished(const RankStatus& first);
  /// What became of the checkpoint of the last step, where it was not kept; empty where it was, or none was to be.
  std::string unkeptEnd(std::int64_t step);
  std::int64_t stepReached(int rank) const;
  void drain();

  RunStore& store_;
  const std::string runId_;
  const int number_;
  const RunPlan& plan_;
  const Supervision& supervision_;
  const std::filesystem::path logs_;
  LiveProgress progress_;
  RankWatch watch_;
  std::unique_ptr<Launcher> launcher_;
  Hub hub_;
  std::string unreached_;  ///< hosts that were at the end
  RunState state_ = RunState::starting;
  StopKind stop_ = StopKind::none;
  double stopAskedAt_ = 0;
  double stopPolledAt_ = -1;
  double storeCheckedAt_ = -1;
  double allFinishedAt_ = -1;
  double failureReportedAt_ = -1;
  double deadChildSeenAt_ = -1;  ///< and mpirun has not taken note since
};

}  // namespace slipstream
