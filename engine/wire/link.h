// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/record/checkpoint_manifest.h"
#include "engine/record/run_record.h"
#include "engine/wire/link_keys.h"

namespace slipstream {

/// Where a worker finds its supervisor; from its environment (SLIPSTREAM_HUB, SLIPSTREAM_RUN, SLIPSTREAM_ATTEMPT and,
/// on several hosts, SLIPSTREAM_LINK_KEYS).
struct LinkAddress {
  std::string endpoint;
  std::string runId;
  int attempt = 1;
  std::optional<WorkerKeys> keys = std::nullopt;
};
/// The keys are removed from the environment, so that no process that this one starts has them.
Result<LinkAddress> linkAddressFromEnvironment();

/// Exit code of a worker whose line is dead.
inline constexpr int deadLinkExitCode = 75;

/// What the supervisor tells a worker at the start.
struct WorkerTask {
  RunPlan plan;
  /// The checkpoint to continue from; nothing: from step 0.
  std::optional<CheckpointManifest> checkpoint;
};

/// One tensor to be kept; the values are copied by sendCheckpoint.
struct OutgoingTensor {
  std::string name;
  std::vector<std::int64_t> shape;
  int shard = -1;
  std::span<const float> values;
};

/// A worker's line to its supervisor. Sends from a thread of its own, which also sends the heartbeat; nothing here
/// waits for the supervisor but what asks for an answer, finish and a full ring (64 MB of unacknowledged data). A line
/// that is dead for 5 s ends the process with exit code 75.
class Link {
 public:
  /// Connects, says hello and waits for the task. Throws Error where nobody answers in 30 s. `whenDead` is called (from
  /// the sending thread) in place of ending the process, for a worker that has others to take along. `operations`, also
  /// called from the sending thread, counts the collective operations that this rank has begun: with it the heartbeat
  /// says how many of them belong to the step that it is in, instead of what progress() was told last.
  static std::unique_ptr<Link> connect(const LinkAddress& address, int rank, std::function<void()> whenDead = {},
                                       std::function<std::uint64_t()> operations = {});
  virtual ~Link() = default;

  virtual const WorkerTask& task() const = 0;

  /// The values of one step. Rows of equal names are packed together and sent every 200 ms or 64 KB.
  virtual void record(std::int64_t step, const std::vector<std::string>& names, const std::vector<double>& values) = 0;
  virtual void event(EventLevel level, const std::string& code, const std::string& text) = 0;
  virtual void memory(const std::map<std::string, std::int64_t>& bytes) = 0;

  /// For the heartbeat: where this rank is. Cheap; call as often as you like.
  virtual void progress(std::int64_t step, const char* phase, std::uint64_t collectiveSequence) = 0;
  /// What the supervisor wants; read by every rank, decided by a vote of them.
  virtual StopKind stopRequested() const = 0;

  /// Copies the tensors and returns; they are shipped behind training. Every rank calls it for the same step with what
  /// it holds; the checkpoint becomes visible when all ranks' tensors and metrics up to the step are in. At most one is
  /// under way: a second call waits for the first.
  virtual void sendCheckpoint(std::int64_t step, bool full, const std::string& progressText,
                              const std::vector<OutgoingTensor>& tensors) = 0;
  /// The same for a snapshot: weights for a later stage of the run. Goes ahead of the checkpoint of its step.
  virtual void sendSnapshot(std::int64_t step, const std::vector<OutgoingTensor>& weights) = 0;
  /// What the store keeps of this run at a step; nothing where it keeps none. Waits for the answer: flush() first where
  /// this attempt has sent it.
  virtual std::optional<CheckpointManifest> checkpointAt(std::int64_t step) = 0;
  virtual std::optional<CheckpointManifest> snapshotAt(std::int64_t step) = 0;
  /// The values of a tensor of a checkpoint or snapshot of this run, by its hash.
  virtual std::vector<float> fetch(const std::string& hash) = 0;

  /// Waits until everything sent is acknowledged (committed).
  virtual void flush() = 0;
  /// Sends the final message of a rank that ends in order; flushes first. `stopped`: it ended because it was asked to.
  virtual void finish(bool stopped, std::int64_t stepsDone) = 0;
  /// Sends the final message of a rank that fails: the cause goes ahead of everything waiting. Then call MPI_Abort.
  virtual void fail(const std::string& cause) = 0;
};

}  // namespace slipstream
