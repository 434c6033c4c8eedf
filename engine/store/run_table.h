// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "engine/store/database.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// Keeps what the views show of a run's plan: its stages, and where it was imported from.
void indexPlan(Database& database, std::int64_t number);

/// The rows of table `run`: what was asked of each run, and its state.
class RunTable {
 public:
  explicit RunTable(Database& database) : database_(database) {}

  std::vector<RunRecord> all();
  /// Without the long texts.
  std::vector<RunRecord> heads();
  /// Ids of the runs of one launch, oldest first.
  std::vector<std::string> ofGroup(const std::string& group);
  std::map<std::string, RunLabel> labels();
  Result<RunRecord> find(const std::string& run);
  std::optional<RunState> stateOf(const std::string& id);
  /// Throws Error where no run has this id.
  std::int64_t numberOf(const std::string& id);

  std::string create(const NewRun& run);
  std::string addEnded(const NewRun& run, std::int64_t startedAt, std::int64_t endedAt);
  void setState(const std::string& id, RunState state, const std::string& why);
  void setSupervisor(const std::string& id, const ProcessIdentity& supervisor);
  void setJob(const std::string& id, const std::string& job);
  void setPlan(const std::string& id, const std::string& planText);
  int startAttempt(const std::string& id, std::int64_t fromStep);
  void requestStop(const std::string& id, StopKind kind);
  StopKind stopRequest(const std::string& id);
  void setLabel(const std::string& id, const RunLabel& label);
  /// Every row that belongs to the run.
  void remove(const std::string& id);
  std::int64_t bytesOf(const std::string& id);
  std::vector<std::string> unmeasured(int most);
  void setMeasures(const std::string& id, const std::vector<StageMeasure>& measures);
  std::vector<std::string> markLost();
  /// Rows that no slipstream writes, which every list leaves out; one failure each.
  Failures foreignRows();

  /// Forgets what it has learned: after a rollback some of it may be untrue.
  void forget() { numbers_.clear(); }

 private:
  std::string insert(const NewRun& run, std::int64_t createdAt);
  std::string unusedId();
  std::vector<RunRecord> read(const char* sql);

  Database& database_;
  std::unordered_map<std::string, std::int64_t> numbers_;  ///< by id
};

}  // namespace slipstream
