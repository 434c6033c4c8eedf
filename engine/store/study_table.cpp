// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/study_table.h"

#include <algorithm>
#include <array>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/store/database.h"

namespace slipstream {
namespace {

constexpr std::array<std::string_view, 4> studyStateNames{"waiting", "running", "paused", "done"};

/// A state that no slipstream wrote reads as waiting: nobody carries it on.
StudyState studyStateNamed(const std::string& name) {
  const auto found = std::ranges::find(studyStateNames, name);
  return found == studyStateNames.end() ? StudyState::waiting
                                        : static_cast<StudyState>(found - studyStateNames.begin());
}

}  // namespace

std::string_view nameOf(StudyState state) {
  return studyStateNames.at(static_cast<std::size_t>(state));
}

template <class... Values>
std::vector<StudyRecord> StudyTable::read(const char* sql, const Values&... values) {
  std::vector<StudyRecord> studies;
  Query rows = database_.query(sql, values...);
  while (rows.next()) {
    studies.push_back({rows.integer(0),
                       rows.text(1),
                       rows.text(2),
                       rows.text(3),
                       rows.text(4),
                       studyStateNamed(rows.text(5)),
                       rows.text(6),
                       rows.integer(7),
                       {rows.integer(8), rows.integer(9), rows.text(10), rows.text(11)}});
  }
  return studies;
}

#define SLIPSTREAM_STUDY_STATE                                                                     \
  " frozen_hash, file, state, why, created_at, supervisor_pid, supervisor_start, supervisor_boot," \
  " supervisor_host FROM study"

std::vector<StudyRecord> StudyTable::all() {
  return read("SELECT number, name, frozen_text," SLIPSTREAM_STUDY_STATE " ORDER BY number");
}

std::vector<StudyRecord> StudyTable::heads() {
  return read("SELECT number, name, ''," SLIPSTREAM_STUDY_STATE " ORDER BY number");
}

std::optional<StudyRecord> StudyTable::at(std::int64_t number) {
  std::vector<StudyRecord> found =
      read("SELECT number, name, frozen_text," SLIPSTREAM_STUDY_STATE " WHERE number = ?", number);
  return found.empty() ? std::nullopt : std::optional(std::move(found.front()));
}
#undef SLIPSTREAM_STUDY_STATE

/// As endOf of engine/study says it of one cell.
std::map<std::int64_t, StudyCounts> StudyTable::counts() {
  std::map<std::int64_t, StudyCounts> counts;
  Query rows = database_.query(
      "SELECT study, count(*), ifnull(sum(cell.why = '' AND run.state = 'done'), 0),"
      " ifnull(sum(cell.why <> '' OR run.state = 'failed'), 0),"
      " ifnull(sum(cell.why = '' AND cell.run <> '' AND run.number IS NULL), 0),"
      " ifnull(sum(cell.why = '' AND run.state IN ('starting', 'running', 'stopping')), 0)"
      " FROM study_cell AS cell LEFT JOIN run ON run.id = cell.run GROUP BY study");
  while (rows.next()) {
    counts[rows.integer(0)] = {rows.smallInteger(1), rows.smallInteger(2), rows.smallInteger(3), rows.smallInteger(4),
                               rows.smallInteger(5)};
  }
  return counts;
}

Result<StudyRecord> StudyTable::find(const std::string& name) {
  std::vector<std::string> names;
  for (StudyRecord& study : all()) {
    if (study.name == name) return std::move(study);
    names.push_back(study.name);
  }
  const auto near = nearestWord(name, names);
  return fail("STUDY", name, "no study of the store has this name",
              near            ? "did you mean " + *near + "?"
              : names.empty() ? "begin one: slipstream study run FILE"
                              : "name one of " + join(names, ", "));
}

std::vector<StudyCell> StudyTable::cells(std::int64_t study) {
  std::vector<StudyCell> cells;
  Query rows = database_.query(
      "SELECT cell, round, variant, factors, pair, seed, trial, settings, run, why, started_at, load_before, load_after"
      " FROM study_cell WHERE study = ? ORDER BY cell",
      study);
  while (rows.next()) {
    cells.push_back({rows.smallInteger(0), rows.smallInteger(1), rows.text(2), rows.text(3),
                     static_cast<std::uint64_t>(rows.integer(4)), static_cast<std::uint64_t>(rows.integer(5)),
                     rows.smallInteger(6), rows.text(7), rows.text(8), rows.text(9), rows.integer(10),
                     rows.smallInteger(11), rows.smallInteger(12)});
  }
  return cells;
}

std::optional<int> StudyTable::choice(std::int64_t study, const std::string& variant, const std::string& factors) {
  Query row = database_.query("SELECT trial FROM study_choice WHERE study = ? AND variant = ? AND factors = ?", study,
                              variant, factors);
  return row.next() ? std::optional(row.smallInteger(0)) : std::nullopt;
}

int StudyTable::choose(std::int64_t study, const std::string& variant, const std::string& factors, int trial) {
  database_.execute("INSERT OR IGNORE INTO study_choice (study, variant, factors, trial) VALUES (?, ?, ?, ?)", study,
                    variant, factors, trial);
  return choice(study, variant, factors).value_or(trial);
}

std::int64_t StudyTable::create(const StudyRecord& study, const std::vector<StudyCell>& cells) {
  Transaction transaction(database_);
  database_.execute(
      "INSERT INTO study (name, frozen_text, frozen_hash, file, state, created_at) VALUES (?, ?, ?, ?, ?, ?)",
      study.name, study.frozenText, study.frozenHash, study.file, std::string(nameOf(study.state)), wallNanoseconds());
  const std::int64_t number = database_.lastRowId();
  addCells(number, cells);
  transaction.commit();
  return number;
}

void StudyTable::addCells(std::int64_t study, const std::vector<StudyCell>& cells) {
  Transaction transaction(database_);
  for (const StudyCell& cell : cells) {
    database_.execute(
        "INSERT INTO study_cell (study, cell, round, variant, factors, pair, seed, trial) VALUES (?, ?, ?, ?, ?, ?, ?, "
        "?)",
        study, cell.cell, cell.round, cell.variant, cell.factors, static_cast<std::int64_t>(cell.pair),
        static_cast<std::int64_t>(cell.seed), cell.trial);
  }
  transaction.commit();
}

void StudyTable::setState(std::int64_t study, StudyState state, const std::string& why) {
  database_.execute("UPDATE study SET state = ?, why = ? WHERE number = ?", std::string(nameOf(state)), why, study);
}

void StudyTable::setSupervisor(std::int64_t study, const ProcessIdentity& supervisor) {
  database_.execute(
      "UPDATE study SET supervisor_pid = ?, supervisor_start = ?, supervisor_boot = ?, supervisor_host = ?"
      " WHERE number = ?",
      supervisor.pid, supervisor.startTicks, supervisor.bootId, supervisor.host, study);
}

void StudyTable::setRun(std::int64_t study, int cell, const std::string& run, const std::string& settings, int load) {
  database_.execute(
      "UPDATE study_cell SET run = ?, settings = ?, load_before = ?, started_at = ? WHERE study = ? AND cell = ?", run,
      settings, load, wallNanoseconds(), study, cell);
}

void StudyTable::setFailed(std::int64_t study, int cell, const std::string& why) {
  database_.execute("UPDATE study_cell SET why = ? WHERE study = ? AND cell = ?", why, study, cell);
}

void StudyTable::setLoadAfter(std::int64_t study, int cell, int load) {
  database_.execute("UPDATE study_cell SET load_after = ? WHERE study = ? AND cell = ?", load, study, cell);
}

}  // namespace slipstream
