// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/failure.h"
#include "engine/base/process_identity.h"
#include "engine/record/metric_block.h"
#include "engine/record/run_record.h"

namespace slipstream {

/// The store cannot be written for now. What was being written is undone, and may be tried again later.
class StoreBlocked : public Error {
 public:
  using Error::Error;
};

/// The disk is full.
class StoreFull : public StoreBlocked {
 public:
  using StoreBlocked::StoreBlocked;
};

/// Another program holds a file of the store locked, for longer than we wait.
class StoreBusy : public StoreBlocked {
 public:
  using StoreBlocked::StoreBlocked;
};

/// A file of the store does not hold what SQLite wrote.
class StoreDamaged : public Error {
 public:
  using Error::Error;
};

/// How long a statement waits for the locks of other programs.
inline constexpr std::chrono::milliseconds lockPatience{5000};

enum class StoreAccess { read, write };

/// The run store: a folder with store.db, checkpoints/ and logs/. Many readers, one writer a run (its supervisor).
/// `write` creates what is missing. A file that is not ours, or newer than we know, is refused.
/// Functions throw Error where the database fails under them: StoreBlocked where that may pass, StoreDamaged.
class RunStore {
 public:
  static Result<std::unique_ptr<RunStore>> open(const std::filesystem::path& folder, StoreAccess access,
                                                std::chrono::milliseconds patience = lockPatience);
  virtual ~RunStore() = default;

  virtual const std::filesystem::path& folder() const = 0;
  /// False once store.db was deleted, moved or replaced: what is written from then on reaches nobody.
  virtual bool isInPlace() const = 0;

  // Reading.
  virtual std::vector<RunRecord> runs() = 0;  ///< oldest first
  /// The same without the long texts (experiment, plan, command, environment), for lists of many runs.
  virtual std::vector<RunRecord> heads() = 0;
  /// Ids of the runs that share this group, oldest first; none of the empty group.
  virtual std::vector<std::string> runsOfGroup(const std::string& group) = 0;
  /// Run id -> label; only of runs that have one.
  virtual std::map<std::string, RunLabel> labels() = 0;
  /// Another number whenever another connection has written since.
  virtual std::int64_t dataVersion() = 0;
  /// An id, a unique prefix of one, or "last".
  virtual Result<RunRecord> find(const std::string& run) = 0;
  virtual std::vector<std::string> metricNames(const std::string& runId) = 0;
  virtual Series series(const std::string& runId, const std::string& metric) = 0;
  /// One rank's own values of the metric.
  virtual Series rankSeries(const std::string& runId, const std::string& metric, int rank) = 0;
  /// Of the ranks that have reported a loss since the newest attempt began, by rank.
  virtual std::vector<RankProgress> rankProgress(const std::string& runId) = 0;
  virtual std::vector<Event> events(const std::string& runId, std::int64_t afterNumber = 0) = 0;
  virtual std::vector<CheckpointRow> checkpoints(const std::string& runId) = 0;  ///< complete ones, by step
  virtual StopKind stopRequest(const std::string& runId) = 0;
  /// Measured bytes: rank -> category -> bytes.
  virtual std::map<int, std::map<std::string, std::int64_t>> memory(const std::string& runId) = 0;
  /// What is wrong with the structure of store.db; verifyStore (store_verify.h) looks at everything.
  virtual Failures verify() = 0;

  // Writing. Each is one transaction unless it stands between begin() and commit().
  virtual void begin() = 0;
  virtual void commit() = 0;
  virtual void rollback() = 0;
  virtual std::string createRun(const NewRun& run) = 0;  ///< state queued; returns the id
  virtual void setState(const std::string& runId, RunState state, const std::string& why) = 0;
  /// Ends what was begun by setState(starting). A run that was done before, and that nothing was added to, stays done
  /// (`staysDone`): it could not be continued, and is what it was.
  void setEnd(const std::string& runId, RunState state, const std::string& why, bool staysDone) {
    setState(runId, staysDone ? RunState::done : state, staysDone ? "" : why);
  }
  virtual void setSupervisor(const std::string& runId, const ProcessIdentity& supervisor) = 0;
  /// Opens attempt K+1 that starts at `fromStep`: metrics of older attempts after that step no longer count, those at
  /// the step until the new attempt reports it.
  virtual int startAttempt(const std::string& runId, std::int64_t fromStep) = 0;
  /// Idempotent on (run, attempt, rank, sequence); false where it was there already.
  virtual bool appendMetrics(const std::string& runId, int attempt, int rank, std::int64_t sequence,
                             const MetricBlock& block) = 0;
  virtual void addEvent(const std::string& runId, const Event& event) = 0;
  virtual void setMemory(const std::string& runId, int rank, const std::map<std::string, std::int64_t>& bytes) = 0;
  virtual void addCheckpoint(const std::string& runId, const CheckpointRow& row) = 0;
  virtual void removeCheckpoint(const std::string& runId, std::int64_t step) = 0;
  virtual void requestStop(const std::string& runId, StopKind kind) = 0;
  virtual void setLabel(const std::string& runId, const RunLabel& label) = 0;
  /// Forgets the run and all its rows; its files are run_removal.h's. Bytes of its metrics as they are stored.
  virtual void removeRun(const std::string& runId) = 0;
  virtual std::int64_t metricBytes(const std::string& runId) = 0;
  /// Packs the tail of a run that has ended into chunks and empties the write-ahead log.
  virtual void fold(const std::string& runId) = 0;
  /// Runs that are not terminal but whose supervisor is gone become `lost`. Returns their ids. Call after opening to
  /// write.
  virtual std::vector<std::string> markLost() = 0;
};

}  // namespace slipstream
