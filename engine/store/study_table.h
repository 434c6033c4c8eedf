// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/base/failure.h"
#include "engine/base/process_identity.h"

namespace slipstream {

class Database;

enum class StudyState { waiting, running, paused, done };
std::string_view nameOf(StudyState state);

/// A study as it was frozen; only its state changes.
struct StudyRecord {
  std::int64_t number = 0;
  std::string name;
  std::string frozenText;
  std::string frozenHash;
  std::string file;  ///< where it was read from
  StudyState state = StudyState::waiting;
  std::string why;  ///< it does not go on
  std::int64_t createdAt = 0;
  ProcessIdentity supervisor;  ///< whose queue it is; pid 0: nobody's
};

/// One training of a study: written before it starts.
struct StudyCell {
  int cell = 0;   ///< its place in the order of starting
  int round = 0;  ///< in which its seed was added
  std::string variant;
  std::string factors;     ///< JSON: key -> value
  std::uint64_t pair = 0;  ///< cells of one pair are compared with each other
  std::uint64_t seed = 0;
  int trial = 0;              ///< of tuning, from 1; 0: measured
  std::string settings = {};  ///< JSON: what was set above the variant when it began
  std::string run = {};       ///< id; empty: none was begun
  std::string why = {};       ///< no run could begin
  std::int64_t startedAt = 0;
  int loadBefore = -1, loadAfter = -1;  ///< processes of the machine that wanted a core, in hundredths; -1: unknown
};

/// How the cells of a study stand.
struct StudyCounts {
  int cells = 0;  ///< all of them
  int done = 0, failed = 0, deleted = 0;
  int living = 0;  ///< have a run that is being trained

  int open() const { return cells - done - failed - deleted; }
};

/// The studies of a run store. Part of the open transaction where there is one.
class StudyTable {
 public:
  explicit StudyTable(Database& database) : database_(database) {}

  std::vector<StudyRecord> all();  ///< oldest first
  /// The same without the frozen texts, for lists of many studies.
  std::vector<StudyRecord> heads();
  /// By number; of studies that have cells.
  std::map<std::int64_t, StudyCounts> counts();
  Result<StudyRecord> find(const std::string& name);
  /// Nothing where no study has this number.
  std::optional<StudyRecord> at(std::int64_t number);
  std::vector<StudyCell> cells(std::int64_t study);
  /// The trial of tuning that was chosen for a variant where these factors hold, once one was.
  std::optional<int> choice(std::int64_t study, const std::string& variant, const std::string& factors);

  /// Writes the study and its cells in one transaction; returns its number.
  std::int64_t create(const StudyRecord& study, const std::vector<StudyCell>& cells);
  void addCells(std::int64_t study, const std::vector<StudyCell>& cells);
  void setState(std::int64_t study, StudyState state, const std::string& why = "");
  void setSupervisor(std::int64_t study, const ProcessIdentity& supervisor);
  void setRun(std::int64_t study, int cell, const std::string& run, const std::string& settings, int load);
  void setFailed(std::int64_t study, int cell, const std::string& why);
  /// Chooses a trial unless one was chosen before; returns the one that counts.
  int choose(std::int64_t study, const std::string& variant, const std::string& factors, int trial);
  void setLoadAfter(std::int64_t study, int cell, int load);

 private:
  template <class... Values>
  std::vector<StudyRecord> read(const char* sql, const Values&... values);

  Database& database_;
};

}  // namespace slipstream
