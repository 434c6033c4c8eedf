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
#include "engine/store/file_identity.h"

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
inline constexpr std::chrono::milliseconds defaultLockTimeout{5000};

enum class StoreAccess { read, write };

/// A machine whose runs a store holds copies of.
struct RemoteContact {
  std::string name;
  std::int64_t heardAt = 0;  ///< wall nanoseconds when it was last heard of; 0: never
};

/// What one stage of a run came to, under the name of v_measure (resources/docs/data.md).
struct StageMeasure {
  std::string stage;
  std::string name;
  double value = 0;
};

/// Both ends included.
struct StepRange {
  std::int64_t first = 0, last = 0;
};

class Database;
class RunTable;
class MetricTable;
class StudyTable;

/// The run store: a folder with store.db, checkpoints/ and logs/. Many readers, one writer a run (its supervisor).
/// `write` creates what is missing. A file that is not ours, or newer than we know, is refused.
/// Functions throw Error where the database fails under them: StoreBlocked where that may pass, StoreDamaged.
class RunStore {
 public:
  static Result<std::unique_ptr<RunStore>> open(const std::filesystem::path& folder, StoreAccess access,
                                                std::chrono::milliseconds lockTimeout = defaultLockTimeout);
  ~RunStore();
  RunStore(const RunStore&) = delete;
  RunStore& operator=(const RunStore&) = delete;

  const std::filesystem::path& folder() const { return folder_; }
  /// False once store.db was deleted, moved or replaced: what is written from then on reaches nobody.
  bool isInPlace() const;

  // Reading.
  std::vector<RunRecord> runs();  ///< oldest first
  /// The same without the long texts (experiment, plan, command, environment), for lists of many runs.
  std::vector<RunRecord> heads();
  /// Ids of the runs that share this group, oldest first; none of the empty group.
  std::vector<std::string> runsOfGroup(const std::string& group);
  /// Run id -> label; only of runs that have one.
  std::map<std::string, RunLabel> labels();
  /// The machines whose runs the store holds copies of, by name.
  std::vector<RemoteContact> remotes();
  /// Another number whenever another connection has written since.
  std::int64_t dataVersion();
  /// An id, a unique prefix of one, or "last".
  Result<RunRecord> find(const std::string& run);
  /// Nothing where no run has this id.
  std::optional<RunState> stateOf(const std::string& runId);
  std::vector<std::string> metricNames(const std::string& runId);
  Series series(const std::string& runId, const std::string& metric);
  /// The samples of `steps`, and perhaps some beside them: of a long series only what holds them is read.
  Series seriesWithin(const std::string& runId, const std::string& metric, const StepRange& steps);
  /// One rank's own values of the metric.
  Series rankSeries(const std::string& runId, const std::string& metric, int rank);
  /// Of the ranks that have reported a loss since the newest attempt began, by rank.
  std::vector<RankProgress> rankProgress(const std::string& runId);
  std::vector<Event> events(const std::string& runId, std::int64_t afterNumber = 0);
  std::vector<CheckpointRow> checkpoints(const std::string& runId);  ///< complete ones, by step
  StopKind stopRequest(const std::string& runId);
  /// Measured bytes: rank -> category -> bytes.
  std::map<int, std::map<std::string, std::int64_t>> memory(const std::string& runId);
  /// The studies of the store (study_table.h).
  StudyTable& studies() { return *studies_; }
  /// What is wrong with the structure of store.db; verifyStore (store_verify.h) looks at everything.
  Failures verify();

  // Writing. Each is one transaction unless it comes between begin() and commit().
  void begin();
  void commit();
  void rollback();
  std::string createRun(const NewRun& run);  ///< state queued; returns the id
  /// The same of a run that was trained elsewhere and is done: nothing of it changes any more but what is said of it.
  /// Wall nanoseconds. Its metrics are those of attempt 1.
  std::string addEndedRun(const NewRun& run, std::int64_t startedAt, std::int64_t endedAt);
  void setState(const std::string& runId, RunState state, const std::string& why);
  void setSupervisor(const std::string& runId, const ProcessIdentity& supervisor);
  /// Leaves the run to a scheduler's job (RunRecord::job): until that begins, it has no supervisor.
  void setJob(const std::string& runId, const std::string& job);
  /// Of a run that has not begun: what was planned before its hosts were known. Nothing changes later.
  void setPlan(const std::string& runId, const std::string& planText);
  /// Opens attempt K+1 that starts at `fromStep`: metrics of older attempts after that step no longer count, those at
  /// the step until the new attempt reports it.
  int startAttempt(const std::string& runId, std::int64_t fromStep);
  /// Idempotent on (run, attempt, rank, sequence); false where it was there already.
  bool appendMetrics(const std::string& runId, int attempt, int rank, std::int64_t sequence, const MetricBlock& block);
  void addEvent(const std::string& runId, const Event& event);
  void setMemory(const std::string& runId, int rank, const std::map<std::string, std::int64_t>& bytes);
  void addCheckpoint(const std::string& runId, const CheckpointRow& row);
  void removeCheckpoint(const std::string& runId, std::int64_t step);
  void requestStop(const std::string& runId, StopKind kind);
  void setLabel(const std::string& runId, const RunLabel& label);
  /// Forgets the run and all its rows; its files are run_removal.h's. Bytes of its metrics as they are stored.
  void removeRun(const std::string& runId);
  std::int64_t metricBytes(const std::string& runId);
  /// Runs that have ended and whose measures are not in the store, newest first.
  std::vector<std::string> unmeasuredRuns(int most);
  /// What an ended run came to, for whoever reads the database itself; forgotten when the run goes on.
  void setMeasures(const std::string& runId, const std::vector<StageMeasure>& measures);
  /// Packs the tail of a run that has ended into chunks and empties the write-ahead log.
  void compact(const std::string& runId);
  /// Runs that are not terminal but whose supervisor is gone become `lost`, but for those of which a scheduler has
  /// to be asked (engine/slurm). Returns their ids. Call after opening to write.
  std::vector<std::string> markLost();

 private:
  RunStore(std::filesystem::path folder, std::unique_ptr<Database> database);
  template <class Action>
  auto written(Action action);
  void forget();

  std::filesystem::path folder_;
  std::optional<FileIdentity> identity_;
  std::unique_ptr<Database> database_;
  std::unique_ptr<RunTable> runs_;
  std::unique_ptr<MetricTable> metrics_;
  std::unique_ptr<StudyTable> studies_;
};

}  // namespace slipstream
