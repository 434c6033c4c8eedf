// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/record/metric_block.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/run_store.h"
#include "engine/wire/rank_status.h"

namespace slipstream {

struct HubSettings {
  std::string endpoint;  ///< ipc:///FOLDER/hub; the folder is private to this user, so nobody else can connect
  std::string runId;
  int attempt = 1;
  int ranks = 1;
  std::string planText;                          ///< toJsonText(RunPlan), given to every worker
  std::optional<CheckpointManifest> checkpoint;  ///< what workers continue from
  std::int64_t keepCheckpoints = 5;              ///< older ones are removed; 0 or less: all are kept
  /// For how long a checkpoint waits for other programs that hold the file of the weights locked.
  std::chrono::milliseconds checkpointPatience{60'000};
  std::set<std::int64_t> pinnedSteps = {};  ///< checkpoints that stay beside those, for a later stage
  /// Where the attempt begins. Later checkpoints of earlier attempts are forgotten with the first values or checkpoint
  /// of this one that are committed, in the same transaction: until then the run can still go on from them.
  std::int64_t fromStep = 0;
};

/// A store that takes nothing for now, although training goes on.
struct BlockedStore {
  double seconds = 0;
  bool byLock = false;  ///< of another program; else the disk is full
};

/// Who looks on. Called by the thread that serves the hub, after the commit.
class HubListener {
 public:
  virtual ~HubListener() = default;
  virtual void metrics(int rank, const MetricBlock& block) = 0;
  virtual void event(const Event& event) = 0;
  virtual void checkpoint(const CheckpointRow& row) = 0;
};

/// The supervisor's end of every worker's line: hands out the task, writes what comes in, and acknowledges after the
/// commit. Used by one thread; the store is this thread's too.
class Hub {
 public:
  /// Listens at once. Throws Error where the endpoint cannot be bound.
  static std::unique_ptr<Hub> open(const HubSettings& settings, RunStore& store, CheckpointStore& checkpoints,
                                   HubListener& listener);
  virtual ~Hub() = default;

  /// One round: waits up to `longest` for something to do, writes, and commits at most every 50 ms. Where the disk is
  /// full or another program holds the store locked, nothing is lost: what has come is kept, not acknowledged, and
  /// tried again.
  virtual void serve(std::chrono::milliseconds longest) = 0;
  /// Writes everything that has come; for the end, when no worker is left.
  virtual void drain() = 0;

  virtual void setStop(StopKind stop) = 0;
  virtual std::vector<RankStatus> ranks() const = 0;
  /// Whether values or a checkpoint of this attempt are committed: what earlier attempts did after its start no longer
  /// counts.
  virtual bool hasBegun() const = 0;
  /// Nothing where the store takes what comes.
  virtual std::optional<BlockedStore> blocked() const = 0;
};

}  // namespace slipstream
