// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/run_store.h"

#include "engine/store/database.h"
#include "engine/store/file_identity.h"
#include "engine/store/metric_table.h"
#include "engine/store/run_table.h"
#include "engine/store/schema.h"
#include "engine/store/store_database.h"
#include "engine/store/store_folder.h"
#include "engine/store/study_table.h"

namespace slipstream {
namespace {

const DatabaseKind storeKind{
    .applicationId = 0x534C5053,
    .what = "run store",
    .scripts = storeMigrations,
    .creationPragmas = "PRAGMA page_size = 16384",
    .pragmas =
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 67108864;"
        "PRAGMA wal_autocheckpoint = 4000; PRAGMA secure_delete = OFF; PRAGMA foreign_keys = ON",
    .ifMissing = "name the folder of one with --store or SLIPSTREAM_STORE",
    .ifDamaged = "put a copy back in its place, or choose another folder with --store",
};

/// Reads values of a run; damage names it, since the other runs may be sound.
template <class Action>
auto ofRun(const std::string& runId, Action action) {
  try {
    return action();
  } catch (const StoreDamaged& damage) {
    throw StoreDamaged("run " + runId + ": " + damage.what());
  }
}

}  // namespace

Result<std::unique_ptr<Database>> openStoreDatabase(const std::filesystem::path& folder, StoreAccess access,
                                                    std::chrono::milliseconds lockTimeout) {
  return Database::open(storeFileIn(folder), access, storeKind, lockTimeout);
}

RunStore::RunStore(std::filesystem::path folder, std::unique_ptr<Database> database)
    : folder_(std::move(folder)),
      identity_(identityOf(storeFileIn(folder_))),
      database_(std::move(database)),
      runs_(std::make_unique<RunTable>(*database_)),
      metrics_(std::make_unique<MetricTable>(*database_)),
      studies_(std::make_unique<StudyTable>(*database_)) {}

RunStore::~RunStore() = default;

Result<std::unique_ptr<RunStore>> RunStore::open(const std::filesystem::path& folder, StoreAccess access,
                                                 std::chrono::milliseconds lockTimeout) {
  SLIPSTREAM_TRY(database, openStoreDatabase(folder, access, lockTimeout));
  return std::unique_ptr<RunStore>(new RunStore(folder, std::move(database)));
}

Failures foreignRuns(const std::filesystem::path& folder) {
  const auto database = openStoreDatabase(folder, StoreAccess::read);
  return database ? RunTable(**database).foreignRows() : database.error();
}

/// One transaction around `action`, unless one is open; where it throws, nothing of it stays.
template <class Action>
auto RunStore::written(Action action) {
  try {
    Transaction transaction(*database_);
    auto result = action();
    transaction.commit();
    return result;
  } catch (...) {
    forget();
    throw;
  }
}

void RunStore::forget() {
  runs_->forget();
  metrics_->forget();
}

bool RunStore::isInPlace() const {
  const auto now = identityOf(storeFileIn(folder_));
  if (now) return now == identity_;
  // A folder that nobody may look into for a while is not gone.
  std::error_code error;
  return std::filesystem::status(storeFileIn(folder_), error).type() != std::filesystem::file_type::not_found;
}

std::vector<RunRecord> RunStore::runs() {
  return runs_->all();
}

std::vector<RunRecord> RunStore::heads() {
  return runs_->heads();
}

std::vector<std::string> RunStore::runsOfGroup(const std::string& group) {
  return runs_->ofGroup(group);
}

std::map<std::string, RunLabel> RunStore::labels() {
  return runs_->labels();
}

std::vector<RemoteContact> RunStore::remotes() {
  std::vector<RemoteContact> all;
  Query rows = database_->query("SELECT name, heard_at FROM remote ORDER BY name");
  while (rows.next()) all.push_back({rows.text(0), rows.integer(1)});
  return all;
}

std::int64_t RunStore::dataVersion() {
  return database_->number("PRAGMA data_version");
}

Result<RunRecord> RunStore::find(const std::string& run) {
  return runs_->find(run);
}

std::optional<RunState> RunStore::stateOf(const std::string& runId) {
  return runs_->stateOf(runId);
}

std::vector<std::string> RunStore::metricNames(const std::string& runId) {
  return ofRun(runId, [&] { return metrics_->names(runs_->numberOf(runId)); });
}

Series RunStore::series(const std::string& runId, const std::string& metric) {
  return ofRun(runId, [&] { return metrics_->read(runs_->numberOf(runId), metric, -1); });
}

Series RunStore::seriesWithin(const std::string& runId, const std::string& metric, const StepRange& steps) {
  return ofRun(runId, [&] { return metrics_->read(runs_->numberOf(runId), metric, -1, steps); });
}

Series RunStore::rankSeries(const std::string& runId, const std::string& metric, int rank) {
  return ofRun(runId, [&] { return metrics_->read(runs_->numberOf(runId), metric, rank); });
}

std::vector<RankProgress> RunStore::rankProgress(const std::string& runId) {
  return ofRun(runId, [&] { return metrics_->progress(runs_->numberOf(runId)); });
}

std::vector<Event> RunStore::events(const std::string& runId, std::int64_t afterNumber) {
  std::vector<Event> events;
  Query rows = database_->query(
      "SELECT number, wall, attempt, rank, level, code, text FROM event WHERE run = ? AND number > ? ORDER BY number",
      runs_->numberOf(runId), afterNumber);
  while (rows.next()) {
    events.push_back({rows.integer(0), rows.integer(1), rows.smallInteger(2), rows.smallInteger(3),
                      static_cast<EventLevel>(rows.smallInteger(4)), rows.text(5), rows.text(6)});
  }
  return events;
}

std::vector<CheckpointRow> RunStore::checkpoints(const std::string& runId) {
  std::vector<CheckpointRow> checkpoints;
  Query rows =
      database_->query("SELECT step, attempt, full, bytes, new_bytes, wall FROM checkpoint WHERE run = ? ORDER BY step",
                       runs_->numberOf(runId));
  while (rows.next()) {
    checkpoints.push_back({rows.integer(0), rows.smallInteger(1), rows.integer(2) != 0, rows.integer(3),
                           rows.integer(4), rows.integer(5)});
  }
  return checkpoints;
}

std::map<int, std::map<std::string, std::int64_t>> RunStore::memory(const std::string& runId) {
  std::map<int, std::map<std::string, std::int64_t>> memory;
  Query rows = database_->query("SELECT rank, category, bytes FROM memory WHERE run = ?", runs_->numberOf(runId));
  while (rows.next()) memory[rows.smallInteger(0)][rows.text(1)] = rows.integer(2);
  return memory;
}

StopKind RunStore::stopRequest(const std::string& runId) {
  return runs_->stopRequest(runId);
}

Failures RunStore::verify() {
  Failures failures = database_->verify();
  addOnce(failures, runs_->foreignRows());
  return failures;
}

void RunStore::begin() {
  database_->begin();
}

void RunStore::commit() {
  database_->commit();
}

void RunStore::rollback() {
  database_->rollback();
  forget();
}

std::string RunStore::createRun(const NewRun& run) {
  return runs_->create(run);
}

std::string RunStore::addEndedRun(const NewRun& run, std::int64_t startedAt, std::int64_t endedAt) {
  return runs_->addEnded(run, startedAt, endedAt);
}

void RunStore::setState(const std::string& runId, RunState state, const std::string& why) {
  runs_->setState(runId, state, why);
}

void RunStore::setSupervisor(const std::string& runId, const ProcessIdentity& supervisor) {
  runs_->setSupervisor(runId, supervisor);
}

void RunStore::setJob(const std::string& runId, const std::string& job) {
  runs_->setJob(runId, job);
}

void RunStore::setPlan(const std::string& runId, const std::string& planText) {
  runs_->setPlan(runId, planText);
}

int RunStore::startAttempt(const std::string& runId, std::int64_t fromStep) {
  return runs_->startAttempt(runId, fromStep);
}

bool RunStore::appendMetrics(const std::string& runId, int attempt, int rank, std::int64_t sequence,
                             const MetricBlock& block) {
  return written([&] { return metrics_->append(runs_->numberOf(runId), attempt, rank, sequence, block); });
}

void RunStore::addEvent(const std::string& runId, const Event& event) {
  database_->execute("INSERT INTO event (run, wall, attempt, rank, level, code, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
                     runs_->numberOf(runId), event.wallNanoseconds, event.attempt, event.rank,
                     static_cast<int>(event.level), event.code, event.text);
}

void RunStore::setMemory(const std::string& runId, int rank, const std::map<std::string, std::int64_t>& bytes) {
  written([&] {
    const std::int64_t run = runs_->numberOf(runId);
    for (const auto& [category, size] : bytes) {
      database_->execute("INSERT OR REPLACE INTO memory (run, rank, category, bytes) VALUES (?, ?, ?, ?)", run, rank,
                         category, size);
    }
    return true;
  });
}

void RunStore::addCheckpoint(const std::string& runId, const CheckpointRow& row) {
  database_->execute(
      "INSERT OR REPLACE INTO checkpoint (run, step, attempt, full, bytes, new_bytes, wall)"
      " VALUES (?, ?, ?, ?, ?, ?, ?)",
      runs_->numberOf(runId), row.step, row.attempt, row.full ? 1 : 0, row.bytes, row.newBytes, row.wallNanoseconds);
}

void RunStore::removeCheckpoint(const std::string& runId, std::int64_t step) {
  database_->execute("DELETE FROM checkpoint WHERE run = ? AND step = ?", runs_->numberOf(runId), step);
}

void RunStore::requestStop(const std::string& runId, StopKind kind) {
  runs_->requestStop(runId, kind);
}

void RunStore::setLabel(const std::string& runId, const RunLabel& label) {
  written([&] {
    runs_->setLabel(runId, label);
    return true;
  });
}

void RunStore::removeRun(const std::string& runId) {
  written([&] {
    runs_->remove(runId);
    metrics_->forget();
    return true;
  });
}

void RunStore::compact(const std::string& runId) {
  written([&] {
    metrics_->compactRun(runs_->numberOf(runId));
    return true;
  });
  if (!database_->inTransaction()) database_->execute("PRAGMA wal_checkpoint(TRUNCATE)");
}

std::vector<std::string> RunStore::unmeasuredRuns(int most) {
  return runs_->unmeasured(most);
}

void RunStore::setMeasures(const std::string& runId, const std::vector<StageMeasure>& measures) {
  written([&] {
    runs_->setMeasures(runId, measures);
    return true;
  });
}

std::int64_t RunStore::metricBytes(const std::string& runId) {
  return runs_->bytesOf(runId);
}

std::vector<std::string> RunStore::markLost() {
  return runs_->markLost();
}

}  // namespace slipstream
