// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/error.h"
#include "engine/record/metric_block.h"
#include "engine/store/replica.h"
#include "engine/store/run_table.h"
#include "engine/store/series_chunk.h"
#include "engine/store/store_database.h"

namespace slipstream {
namespace {

constexpr int mostCopiedRanks = 1 << 16;
constexpr int mostAttempts = 1 << 20;
constexpr std::size_t longestPosition = 400;

void require(bool holds, const std::string& run, const char* what) {
  if (!holds) throw Error(fmt::format("what has come of run {} holds {}", run, what));
}

bool isWriter(int attempt, int rank) {
  return attempt >= 0 && attempt <= mostAttempts && rank >= 0 && rank < mostCopiedRanks;
}

void checkChunk(const std::string& run, const ChunkRow& chunk) {
  Series samples;
  decodeChunk(chunk.data, samples);
  require(isWriter(chunk.attempt, chunk.rank) && chunk.position >= 0 && !chunk.name.empty() &&
              std::ssize(samples.steps) == chunk.samples,
          run, "a chunk of a series that cannot be");
}

void checkBlock(const std::string& run, const WaitingBlock& block) {
  const auto content = decodeMetricBlock(block.payload);
  require(content && isWriter(block.attempt, block.rank) && block.sequence >= 0 &&
              std::ssize(content->steps) == block.steps,
          run, "a block of metrics that cannot be");
}

/// Whatever is read later has to be what a store of ours holds.
void check(const RunChange& change) {
  const std::string& run = change.run;
  require(isRunId(run), "?", "no id");
  require(!change.to.empty() && change.to.size() <= longestPosition, run, "no position");
  if (change.record) {
    const RunRecord& record = *change.record;
    require(record.id == run && record.ranks >= 0 && record.ranks <= mostCopiedRanks && record.attempt >= 0 &&
                record.attempt <= mostAttempts,
            run, "a record that cannot be");
  }
  for (const AttemptRow& row : change.attempts.value_or(std::vector<AttemptRow>{})) {
    require(isWriter(row.attempt, 0), run, "an attempt that cannot be");
  }
  for (const auto& [rank, bytes] : change.memory.value_or(std::map<int, std::map<std::string, std::int64_t>>{})) {
    require(isWriter(0, rank), run, "memory of a rank that cannot be");
  }
  for (const Event& event : change.events)
    require(event.rank < mostCopiedRanks, run, "an event of a rank that cannot be");
  for (const ChunkRow& chunk : change.chunks) checkChunk(run, chunk);
  for (const WaitingBlock& block : change.waiting) checkBlock(run, block);
  for (const CompactedRange& range : change.folded.value_or(std::vector<CompactedRange>{})) {
    require(isWriter(range.attempt, range.rank) && range.first <= range.last, run, "a range that cannot be");
  }
}

std::int64_t numberOfRun(Database& database, const std::string& run) {
  Query row = database.query("SELECT number FROM run WHERE id = ?", run);
  return row.next() ? row.integer(0) : 0;
}

std::int64_t insertRun(Database& database, const RunRecord& run) {
  database.execute(
      "INSERT INTO run (id, name, experiment_name, variant, run_group, experiment_text, plan_text, command_text,"
      " environment_text, source_revision, seed, ranks, device, colour_slot, state, created_at)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?)",
      run.id, run.name, run.experimentName, run.variant, run.group, run.experimentText, run.planText, run.commandText,
      run.environmentText, run.sourceRevision, static_cast<std::int64_t>(run.seed), run.ranks, run.device,
      run.colourSlot, run.createdAt);
  const std::int64_t number = database.lastRowId();
  indexPlan(database, number);
  return number;
}

void writeState(Database& database, std::int64_t number, const RunRecord& run, StopKind stop) {
  database.execute(
      "UPDATE run SET state = ?, why = ?, attempt = ?, stop_request = ?, started_at = ?, ended_at = ?,"
      " supervisor_pid = ?, supervisor_start = ?, supervisor_boot = ?, supervisor_host = ? WHERE number = ?",
      std::string(nameOf(run.state)), run.why, run.attempt, static_cast<int>(stop), run.startedAt, run.endedAt,
      run.supervisor.pid, run.supervisor.startTicks, run.supervisor.bootId, run.supervisor.host, number);
}

void writeLabel(Database& database, std::int64_t number, const RunLabel& label) {
  database.execute("DELETE FROM label WHERE run = ?", number);
  if (label == RunLabel{}) return;
  database.execute("INSERT INTO label (run, title, note, tags, pinned, archived) VALUES (?, ?, ?, ?, ?, ?)", number,
                   label.title, label.note, fmt::format("{}", fmt::join(label.tags, "\n")), label.pinned ? 1 : 0,
                   label.archived ? 1 : 0);
}

void writeLists(Database& database, std::int64_t number, const RunChange& change) {
  if (change.attempts) {
    database.execute("DELETE FROM attempt WHERE run = ?", number);
    for (const AttemptRow& row : *change.attempts) {
      database.execute("INSERT OR REPLACE INTO attempt (run, attempt, from_step, started_at) VALUES (?, ?, ?, ?)",
                       number, row.attempt, row.fromStep, row.startedAt);
    }
  }
  if (change.memory) {
    database.execute("DELETE FROM memory WHERE run = ?", number);
    for (const auto& [rank, categories] : *change.memory) {
      for (const auto& [category, bytes] : categories) {
        database.execute("INSERT INTO memory (run, rank, category, bytes) VALUES (?, ?, ?, ?)", number, rank, category,
                         bytes);
      }
    }
  }
  if (change.checkpoints) {
    database.execute("DELETE FROM checkpoint WHERE run = ?", number);
    for (const CheckpointRow& row : *change.checkpoints) {
      database.execute(
          "INSERT OR REPLACE INTO checkpoint (run, step, attempt, full, bytes, new_bytes, wall)"
          " VALUES (?, ?, ?, ?, ?, ?, ?)",
          number, row.step, row.attempt, row.full ? 1 : 0, row.bytes, row.newBytes, row.wallNanoseconds);
    }
  }
}

void writeEvents(Database& database, std::int64_t number, const std::vector<Event>& events) {
  for (const Event& event : events) {
    database.execute("INSERT INTO event (run, wall, attempt, rank, level, code, text) VALUES (?, ?, ?, ?, ?, ?, ?)",
                     number, event.wallNanoseconds, event.attempt, event.rank, static_cast<int>(event.level),
                     event.code, event.text);
  }
}

void writeChunk(Database& database, std::int64_t number, const ChunkRow& chunk) {
  database.execute("INSERT OR IGNORE INTO series (run, name, attempt, rank) VALUES (?, ?, ?, ?)", number, chunk.name,
                   chunk.attempt, chunk.rank);
  std::int64_t series = 0;
  {
    Query row = database.query("SELECT number FROM series WHERE run = ? AND name = ? AND attempt = ? AND rank = ?",
                               number, chunk.name, chunk.attempt, chunk.rank);
    if (row.next()) series = row.integer(0);
  }
  database.execute("INSERT OR REPLACE INTO chunk (series, position, samples, data) VALUES (?, ?, ?, ?)", series,
                   chunk.position, chunk.samples, bytesOf(chunk.data));
}

void writeTail(Database& database, std::int64_t number, const RunChange& change) {
  for (const WaitingBlock& block : change.waiting) {
    database.execute(
        "INSERT OR IGNORE INTO tail (run, attempt, rank, sequence, steps, payload) VALUES (?, ?, ?, ?, ?, ?)", number,
        block.attempt, block.rank, block.sequence, block.steps, bytesOf(block.payload));
  }
  if (!change.folded) return;
  database.execute("DELETE FROM folded WHERE run = ?", number);
  for (const CompactedRange& range : *change.folded) {
    database.execute("INSERT OR REPLACE INTO folded (run, attempt, rank, first, last) VALUES (?, ?, ?, ?, ?)", number,
                     range.attempt, range.rank, range.first, range.last);
    database.execute("DELETE FROM tail WHERE run = ? AND attempt = ? AND rank = ? AND sequence BETWEEN ? AND ?", number,
                     range.attempt, range.rank, range.first, range.last);
  }
}

}  // namespace

ReplicaTarget::ReplicaTarget(std::unique_ptr<Database> database, std::string remote)
    : database_(std::move(database)), remote_(std::move(remote)) {}

ReplicaTarget::~ReplicaTarget() = default;

Result<std::unique_ptr<ReplicaTarget>> ReplicaTarget::open(const std::filesystem::path& folder, std::string remote) {
  SLIPSTREAM_TRY(database, openStoreDatabase(folder, StoreAccess::write));
  return std::unique_ptr<ReplicaTarget>(new ReplicaTarget(std::move(database), std::move(remote)));
}

Status ReplicaTarget::follow(const std::string& storeId) {
  Transaction transaction(*database_);
  std::string known;
  {
    Query row = database_->query("SELECT store FROM remote WHERE name = ?", remote_);
    if (row.next()) known = row.text(0);
  }
  if (!known.empty() && known != storeId) {
    return fail("remote " + remote_, "", "its store is another one than that of the runs that were copied from it",
                fmt::format("forget the copies: 'slipstream remote remove {}'", remote_));
  }
  if (known.empty())
    database_->execute("INSERT INTO remote (name, store, heard_at) VALUES (?, ?, 0)", remote_, storeId);
  transaction.commit();
  return {};
}

std::map<std::string, std::string> ReplicaTarget::positions() {
  std::map<std::string, std::string> all;
  Query rows = database_->query(
      "SELECT run.id, replica.position FROM replica JOIN run ON run.number = replica.run WHERE replica.remote = ?",
      remote_);
  while (rows.next()) all[rows.text(0)] = rows.text(1);
  return all;
}

ReplicaTarget::Applied ReplicaTarget::apply(const RunChange& change) {
  check(change);
  Transaction transaction(*database_);
  std::int64_t number = numberOfRun(*database_, change.run);
  std::string position;
  if (number != 0) {
    Query row = database_->query("SELECT position FROM replica WHERE run = ? AND remote = ?", number, remote_);
    if (!row.next()) return Applied::notOurs;
    position = row.text(0);
  }
  if (position != change.from) return Applied::behind;
  if (change.anew && number != 0) {
    RunTable(*database_).remove(change.run);
    number = 0;
  }
  if (number == 0) {
    require(change.record.has_value(), change.run, "no record");
    number = insertRun(*database_, *change.record);
  }
  write(change, number);
  transaction.commit();
  return Applied::done;
}

void ReplicaTarget::write(const RunChange& change, std::int64_t number) {
  if (change.record) writeState(*database_, number, *change.record, change.stopRequest);
  if (change.label) writeLabel(*database_, number, *change.label);
  writeLists(*database_, number, change);
  writeEvents(*database_, number, change.events);
  for (const ChunkRow& chunk : change.chunks) writeChunk(*database_, number, chunk);
  writeTail(*database_, number, change);
  database_->execute("UPDATE run SET measured = 0 WHERE number = ? AND measured = 1", number);
  database_->execute("INSERT OR REPLACE INTO replica (run, remote, position, complete) VALUES (?, ?, ?, ?)", number,
                     remote_, change.to, change.complete ? 1 : 0);
}

bool ReplicaTarget::remove(const std::string& run) {
  Transaction transaction(*database_);
  {
    Query row = database_->query(
        "SELECT 1 FROM replica JOIN run ON run.number = replica.run WHERE run.id = ? AND replica.remote = ?", run,
        remote_);
    if (!row.next()) return false;
  }
  RunTable(*database_).remove(run);
  transaction.commit();
  return true;
}

std::vector<std::string> ReplicaTarget::removeAll() {
  Transaction transaction(*database_);
  std::vector<std::string> removed;
  for (const auto& [run, position] : positions()) {
    RunTable(*database_).remove(run);
    removed.push_back(run);
  }
  database_->execute("DELETE FROM remote WHERE name = ?", remote_);
  transaction.commit();
  return removed;
}

void ReplicaTarget::heard(std::int64_t wallNanoseconds) {
  database_->execute("UPDATE remote SET heard_at = ? WHERE name = ?", wallNanoseconds, remote_);
}

}  // namespace slipstream
