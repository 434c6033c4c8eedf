// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/run_table.h"

#include <algorithm>
#include <array>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/characters.h"
#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/record/run_record.h"

namespace slipstream {
namespace {

constexpr int mostRanks = 1 << 16;

#define SLIPSTREAM_RUN_STATE                                                                                   \
  " source_revision, seed, ranks, device, state, why, attempt, colour_slot, created_at, started_at, ended_at," \
  " supervisor_pid, supervisor_start, supervisor_boot, supervisor_host, slurm_job,"                            \
  " ifnull((SELECT remote FROM replica WHERE replica.run = run.number), '') FROM run"
#define SLIPSTREAM_WHOLE_RUN                                                                        \
  "SELECT id, name, experiment_name, variant, run_group, experiment_text, plan_text, command_text," \
  " environment_text," SLIPSTREAM_RUN_STATE
/// Copies come when they come: the order is that of the launches, wherever they were.
#define SLIPSTREAM_BY_AGE " ORDER BY created_at, number"
constexpr const char* selectRuns = SLIPSTREAM_WHOLE_RUN SLIPSTREAM_BY_AGE;
constexpr const char* selectNewestRun = SLIPSTREAM_WHOLE_RUN " ORDER BY created_at DESC, number DESC LIMIT 1";
constexpr const char* selectRun = SLIPSTREAM_WHOLE_RUN " WHERE id = ?";
#define SLIPSTREAM_RUN_HEAD "SELECT id, name, experiment_name, variant, run_group, '', '', '', ''," SLIPSTREAM_RUN_STATE
constexpr const char* selectHeads = SLIPSTREAM_RUN_HEAD SLIPSTREAM_BY_AGE;
/// As the index living_run says it.
constexpr const char* selectLiving =
    SLIPSTREAM_RUN_HEAD " WHERE state NOT IN ('done', 'failed', 'stopped', 'lost') ORDER BY number";
#undef SLIPSTREAM_BY_AGE
#undef SLIPSTREAM_RUN_HEAD
#undef SLIPSTREAM_WHOLE_RUN
#undef SLIPSTREAM_RUN_STATE

tl::unexpected<Failures> foreignRow(const std::string& id, const std::string& value, const std::string& problem) {
  return fail("run " + printable(id), printable(value), problem,
              "no slipstream writes such a row; the other runs of the store can still be read");
}

/// Fails where a stranger wrote the row: paths are made of the id, and lists of the number of ranks.
Result<RunRecord> recordOf(const Query& row) {
  RunRecord run;
  run.id = row.text(0);
  if (!isRunId(run.id)) return foreignRow(run.id, "", "its id is not 8 hexadecimal digits");
  const auto state = stateNamed(row.text(13));
  if (!state) return foreignRow(run.id, row.text(13), "its state is unknown");
  if (row.integer(11) < 0 || row.integer(11) > mostRanks)
    return foreignRow(run.id, row.text(11), "has no such number of ranks");
  run.name = row.text(1);
  run.experimentName = row.text(2);
  run.variant = row.text(3);
  run.group = row.text(4);
  run.experimentText = row.text(5);
  run.planText = row.text(6);
  run.commandText = row.text(7);
  run.environmentText = row.text(8);
  run.sourceRevision = row.text(9);
  run.seed = static_cast<std::uint64_t>(row.integer(10));
  run.ranks = row.smallInteger(11);
  run.device = row.text(12);
  run.state = *state;
  run.why = row.text(14);
  run.attempt = row.smallInteger(15);
  run.colourSlot = row.smallInteger(16);
  run.createdAt = row.integer(17);
  run.startedAt = row.integer(18);
  run.endedAt = row.integer(19);
  run.supervisor = {row.integer(20), row.integer(21), row.text(22), row.text(23)};
  run.job = row.text(24);
  run.remote = row.text(25);
  return run;
}

/// The first text behind all that begin with `prefix`, byte by byte as SQLite compares: so that a range of the index is
/// read, and not every id.
std::string behindAll(std::string prefix) {
  prefix.back() = static_cast<char>(prefix.back() + 1);
  return prefix;
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

void indexPlan(Database& database, std::int64_t number) {
  database.execute("DELETE FROM stage WHERE run = ?", number);
  database.execute(
      "INSERT INTO stage SELECT ?1, stage.key, ifnull(json_extract(stage.value, '$.name'), ''),"
      " ifnull(json_extract(stage.value, '$.start.stage'), ''), json_extract(stage.value, '$.first_step'),"
      " json_extract(stage.value, '$.end_step'), json_extract(stage.value, '$.steps_per_epoch') FROM run"
      " JOIN json_each(CASE WHEN json_valid(plan_text) THEN plan_text ELSE '{}' END, '$.stages') AS stage"
      " WHERE run.number = ?1",
      number);
  database.execute(
      "INSERT INTO stage SELECT ?1, 0, 'train', '', 0, json_extract(plan, '$.total_steps'),"
      " json_extract(plan, '$.steps_per_epoch') FROM (SELECT CASE WHEN json_valid(plan_text) THEN plan_text ELSE '{}' "
      "END AS plan FROM run WHERE number = ?1) WHERE NOT EXISTS (SELECT 1 FROM stage WHERE run = ?1)",
      number);
  database.execute(
      "UPDATE run SET imported_from = CASE WHEN json_valid(plan_text) THEN"
      " ifnull(json_extract(plan_text, '$.imported.source'), '') ELSE '' END WHERE number = ?",
      number);
}

std::vector<RunRecord> RunTable::all() {
  return read(selectRuns);
}

std::vector<RunRecord> RunTable::heads() {
  return read(selectHeads);
}

std::vector<std::string> RunTable::ofGroup(const std::string& group) {
  std::vector<std::string> ids;
  Query rows =
      database_.query("SELECT id FROM run WHERE run_group = ? AND run_group <> '' ORDER BY created_at, number", group);
  while (rows.next()) ids.push_back(rows.text(0));
  return ids;
}

std::vector<RunRecord> RunTable::read(const char* sql) {
  std::vector<RunRecord> runs;
  Query rows = database_.query(sql);
  while (rows.next()) {
    if (auto run = recordOf(rows)) runs.push_back(std::move(*run));
  }
  return runs;
}

Failures RunTable::foreignRows() {
  Failures failures;
  Query rows = database_.query(selectHeads);
  while (rows.next()) collect(recordOf(rows), failures);
  return failures;
}

std::map<std::string, RunLabel> RunTable::labels() {
  std::map<std::string, RunLabel> labels;
  Query rows = database_.query(
      "SELECT run.id, title, note, tags, pinned, archived FROM label JOIN run ON run.number = label.run");
  while (rows.next()) {
    labels[rows.text(0)] = {rows.text(1), rows.text(2), linesOf(rows.text(3)), rows.integer(4) != 0,
                            rows.integer(5) != 0};
  }
  return labels;
}

void RunTable::setLabel(const std::string& id, const RunLabel& label) {
  database_.execute("INSERT OR REPLACE INTO label (run, title, note, tags, pinned, archived) VALUES (?, ?, ?, ?, ?, ?)",
                    numberOf(id), label.title, label.note, fmt::format("{}", fmt::join(label.tags, "\n")),
                    label.pinned ? 1 : 0, label.archived ? 1 : 0);
}

/// Reads whole rows of one run alone: a store may hold ten thousand.
Result<RunRecord> RunTable::find(const std::string& run) {
  const std::string remedy = "'slipstream runs' lists the runs of the store";
  {
    Query newest = database_.query(selectNewestRun);
    if (!newest.next()) return fail("RUN", run, "the store holds no run yet", "start one with 'slipstream run'");
    if (run == "last") return recordOf(newest);
  }
  std::vector<std::string> matches;
  if (!run.empty()) {
    Query ids = database_.query("SELECT id FROM run WHERE id >= ? AND id < ? ORDER BY number", run, behindAll(run));
    while (ids.next()) matches.push_back(ids.text(0));
  }
  const bool whole = std::find(matches.begin(), matches.end(), run) != matches.end();
  if (matches.empty()) return fail("RUN", run, "no run of the store has an id that begins so", remedy);
  if (!whole && matches.size() > 1) {
    return fail("RUN", run, "several runs have ids that begin so: " + join(matches, ", "), "give more of the id");
  }
  Query found = database_.query(selectRun, whole ? run : matches.front());
  if (!found.next()) return fail("RUN", run, "the run has just been removed", remedy);
  return recordOf(found);
}

std::optional<RunState> RunTable::stateOf(const std::string& id) {
  Query row = database_.query("SELECT state FROM run WHERE id = ?", id);
  return row.next() ? stateNamed(row.text(0)) : std::nullopt;
}

std::int64_t RunTable::numberOf(const std::string& id) {
  const auto known = numbers_.find(id);
  if (known != numbers_.end()) return known->second;
  if (!isRunId(id)) throw Error("no run has the id " + printable(id));
  Query row = database_.query("SELECT number FROM run WHERE id = ?", id);
  if (!row.next()) throw Error("the run store holds no run " + id);
  return numbers_[id] = row.integer(0);
}

std::string RunTable::unusedId() {
  std::random_device random;
  while (true) {
    std::string id = fmt::format("{:08x}", random());
    if (!database_.query("SELECT 1 FROM run WHERE id = ?", id).next()) return id;
  }
}

std::string RunTable::create(const NewRun& run) {
  return insert(run, wallNanoseconds());
}

std::string RunTable::addEnded(const NewRun& run, std::int64_t startedAt, std::int64_t endedAt) {
  Transaction transaction(database_);
  const std::string id = insert(run, startedAt);
  const std::int64_t number = numberOf(id);
  database_.execute("UPDATE run SET state = 'done', attempt = 1, started_at = ?, ended_at = ? WHERE number = ?",
                    startedAt, endedAt, number);
  database_.execute("INSERT INTO attempt (run, attempt, from_step, started_at) VALUES (?, 1, 0, ?)", number, startedAt);
  transaction.commit();
  return id;
}

/// The newest run has the highest colour slot of all; copies keep those that they have where they are from.
std::string RunTable::insert(const NewRun& run, std::int64_t createdAt) {
  Transaction transaction(database_);
  const std::string id = unusedId();
  database_.execute(
      "INSERT INTO run (id, name, experiment_name, variant, run_group, experiment_text, plan_text, command_text,"
      " environment_text, source_revision, seed, ranks, device, state, created_at, colour_slot)"
      " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'queued', ?, ifnull((SELECT colour_slot + 1 FROM run WHERE "
      "number "
      "NOT IN (SELECT run FROM replica) ORDER BY number DESC LIMIT 1), 0))",
      id, run.name, run.experimentName, run.variant, run.group, run.experimentText, run.planText, run.commandText,
      run.environmentText, run.sourceRevision, static_cast<std::int64_t>(run.seed), run.ranks, run.device, createdAt);
  indexPlan(database_, database_.lastRowId());
  transaction.commit();
  return id;
}

void RunTable::setState(const std::string& id, RunState state, const std::string& why) {
  const std::int64_t now = wallNanoseconds();
  const int terminal = isTerminal(state) ? 1 : 0;
  const int started = state == RunState::starting || state == RunState::running ? 1 : 0;
  // A run that has ended has served its stop request; a later attempt starts without one.
  database_.execute(
      "UPDATE run SET state = ?1, why = ?2, measured = 0, ended_at = CASE WHEN ?3 THEN ?5 ELSE 0 END,"
      " started_at = CASE WHEN ?4 AND started_at = 0 THEN ?5 ELSE started_at END,"
      " stop_request = CASE WHEN ?3 THEN 0 ELSE stop_request END WHERE number = ?6",
      std::string(nameOf(state)), why, terminal, started, now, numberOf(id));
}

void RunTable::setSupervisor(const std::string& id, const ProcessIdentity& supervisor) {
  database_.execute(
      "UPDATE run SET supervisor_pid = ?, supervisor_start = ?, supervisor_boot = ?, supervisor_host = ?"
      " WHERE number = ?",
      supervisor.pid, supervisor.startTicks, supervisor.bootId, supervisor.host, numberOf(id));
}

void RunTable::setJob(const std::string& id, const std::string& job) {
  database_.execute(
      "UPDATE run SET slurm_job = ?, supervisor_pid = 0, supervisor_start = 0, supervisor_boot = '', supervisor_host = "
      "''"
      " WHERE number = ?",
      job, numberOf(id));
}

void RunTable::setPlan(const std::string& id, const std::string& planText) {
  Transaction transaction(database_);
  database_.execute("UPDATE run SET plan_text = ? WHERE number = ? AND attempt = 0", planText, numberOf(id));
  indexPlan(database_, numberOf(id));
  transaction.commit();
}

int RunTable::startAttempt(const std::string& id, std::int64_t fromStep) {
  Transaction transaction(database_);
  const std::int64_t number = numberOf(id);
  database_.execute("UPDATE run SET attempt = attempt + 1 WHERE number = ?", number);
  database_.execute(
      "INSERT INTO attempt (run, attempt, from_step, started_at) SELECT number, attempt, ?, ? FROM run"
      " WHERE number = ?",
      fromStep, wallNanoseconds(), number);
  int attempt = 0;
  {
    Query row = database_.query("SELECT attempt FROM run WHERE number = ?", number);
    row.next();
    attempt = row.smallInteger(0);
  }
  transaction.commit();
  return attempt;
}

void RunTable::requestStop(const std::string& id, StopKind kind) {
  database_.execute("UPDATE run SET stop_request = ? WHERE number = ?", static_cast<int>(kind), numberOf(id));
}

StopKind RunTable::stopRequest(const std::string& id) {
  Query row = database_.query("SELECT stop_request FROM run WHERE number = ?", numberOf(id));
  return row.next() ? static_cast<StopKind>(row.smallInteger(0)) : StopKind::none;
}

void RunTable::remove(const std::string& id) {
  const std::int64_t number = numberOf(id);
  database_.execute("DELETE FROM chunk WHERE series IN (SELECT number FROM series WHERE run = ?)", number);
  for (const char* statement :
       {"DELETE FROM series WHERE run = ?", "DELETE FROM folded WHERE run = ?", "DELETE FROM tail WHERE run = ?",
        "DELETE FROM checkpoint WHERE run = ?", "DELETE FROM memory WHERE run = ?", "DELETE FROM event WHERE run = ?",
        "DELETE FROM attempt WHERE run = ?", "DELETE FROM label WHERE run = ?", "DELETE FROM replica WHERE run = ?",
        "DELETE FROM stage WHERE run = ?", "DELETE FROM measure WHERE run = ?", "DELETE FROM run WHERE number = ?"}) {
    database_.execute(statement, number);
  }
  numbers_.erase(id);
}

std::int64_t RunTable::bytesOf(const std::string& id) {
  Query row = database_.query(
      "SELECT ifnull((SELECT sum(length(data)) FROM chunk JOIN series ON series.number = chunk.series"
      " WHERE series.run = ?1), 0) + ifnull((SELECT sum(length(payload)) FROM tail WHERE run = ?1), 0)",
      numberOf(id));
  row.next();
  return row.integer(0);
}

/// As the index unmeasured_run says it.
std::vector<std::string> RunTable::unmeasured(int most) {
  std::vector<std::string> ids;
  Query rows = database_.query(
      "SELECT id FROM run WHERE measured = 0 AND state IN ('done', 'failed', 'stopped', 'lost')"
      " ORDER BY number DESC LIMIT ?",
      most);
  while (rows.next()) {
    if (isRunId(rows.text(0))) ids.push_back(rows.text(0));
  }
  return ids;
}

void RunTable::setMeasures(const std::string& id, const std::vector<StageMeasure>& measures) {
  const std::int64_t number = numberOf(id);
  database_.execute("DELETE FROM measure WHERE run = ?", number);
  for (const StageMeasure& one : measures) {
    database_.execute("INSERT OR REPLACE INTO measure (run, stage, name, value) VALUES (?, ?, ?, ?)", number, one.stage,
                      one.name, one.value);
  }
  database_.execute("UPDATE run SET measured = 1 WHERE number = ?", number);
}

std::vector<std::string> RunTable::markLost() {
  std::vector<RunRecord> gone;
  for (RunRecord& run : read(selectLiving)) {
    // Of a copy only the machine that it is of can tell, and of a job its scheduler.
    if (run.supervisor.pid == 0 || !run.job.empty() || !run.remote.empty()) continue;
    if (livenessOf(run.supervisor) == Liveness::gone) gone.push_back(std::move(run));
  }
  std::vector<std::string> lost;
  for (const RunRecord& run : gone) {
    const std::string why = fmt::format(
        "its supervisor (process {} on {}) ended without a word while the run was {}; "
        "'slipstream resume {}' continues it",
        run.supervisor.pid, run.supervisor.host, nameOf(run.state), run.id);
    // Another process may have marked it, or resumed it, since it was read.
    const int changed = database_.execute(
        "UPDATE run SET state = 'lost', why = ?, ended_at = ?, stop_request = 0"
        " WHERE id = ? AND state = ? AND supervisor_pid = ? AND supervisor_start = ?",
        why, wallNanoseconds(), run.id, std::string(nameOf(run.state)), run.supervisor.pid, run.supervisor.startTicks);
    if (changed == 1) lost.push_back(run.id);
  }
  return lost;
}

}  // namespace slipstream
