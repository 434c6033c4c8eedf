// SPDX-License-Identifier: GPL-3.0-or-later
#include <fstream>

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include "engine/base/files.h"
#include "tests/faults/program.h"
#include "tests/faults/trials.h"
#include "tests/support/mutator.h"

namespace slipstream::test {
namespace {

constexpr int soundSteps = 120;

/// A store with one run in it.
std::filesystem::path soundStore(const TrialSettings& settings) {
  const auto folder = settings.folder / "sound";
  if (std::filesystem::exists(folder)) return folder;
  const auto file = settings.folder / "sound.json";
  const Status written = writeFile(file, smallTraining("plain", soundSteps).dump(2));
  const ProgramResult ended =
      runProgram({"run", file.string(), "--quiet", "--store", folder.string()}, settings.folder, trainingSeconds);
  if (!written || ended.exitCode != 0) throw std::runtime_error("the training itself fails: " + ended.errors);
  return folder;
}

struct Column {
  const char* table;
  const char* name;
};
constexpr Column columns[]{
    {"run", "id"},
    {"run", "name"},
    {"run", "plan_text"},
    {"run", "experiment_text"},
    {"run", "state"},
    {"run", "ranks"},
    {"run", "attempt"},
    {"run", "created_at"},
    {"run", "started_at"},
    {"run", "ended_at"},
    {"run", "environment_text"},
    {"run", "command_text"},
    {"attempt", "from_step"},
    {"event", "wall"},
    {"event", "level"},
    {"event", "text"},
    {"memory", "bytes"},
    {"memory", "rank"},
    {"checkpoint", "step"},
    {"checkpoint", "bytes"},
    {"series", "name"},
    {"series", "rank"},
    {"chunk", "samples"},
    {"chunk", "data"},
    {"chunk", "position"},
    {"tail", "payload"},
    {"run", "supervisor_pid"},
    {"run", "seed"},
};
constexpr const char* values[]{
    "9223372036854775807",         "-9223372036854775808", "-1",    "0",   "NULL",      "'../../../tmp/x'",
    "char(27) || '[2J'",           "zeroblob(1000)",       "1e308", "x''", "'running'", "2000000000",
    "printf('%.*c', 100000, '[')", "randomblob(500)"};
constexpr const char* schemas[]{
    "CREATE TRIGGER harm AFTER UPDATE ON run BEGIN DELETE FROM tail; END",
    "CREATE VIEW harm AS SELECT 1",
    "DROP TABLE label; CREATE VIEW label AS WITH RECURSIVE n(run) AS (SELECT 1 UNION ALL SELECT run + 1 FROM n)"
    " SELECT run, '' AS title, '' AS note, '' AS tags, 0 AS pinned, 0 AS archived FROM n",
    "DROP TABLE event",
    "ALTER TABLE run RENAME COLUMN state TO condition",
    "PRAGMA user_version = 77",
    "CREATE VIRTUAL TABLE harm USING fts5(text)"};

std::string stranger(const std::filesystem::path& file, std::mt19937_64& random) {
  SQLite::Database database(file.string(), SQLite::OPEN_READWRITE);
  const auto& column = columns[random() % std::size(columns)];
  const bool schema = random() % 4 == 0;
  const std::string sql = schema ? schemas[random() % std::size(schemas)]
                                 : fmt::format("UPDATE OR IGNORE {} SET {} = {}", column.table, column.name,
                                               values[random() % std::size(values)]);
  try {
    database.exec("PRAGMA foreign_keys = OFF");
    database.exec(sql);
  } catch (const SQLite::Exception&) {
    // A value that the column does not take leaves the store as it was.
  }
  return sql;
}

std::string flipped(const std::filesystem::path& file, std::mt19937_64& random) {
  std::string bytes = readFile(file).value_or("");
  const int flips = 1 + below(random, 20);
  for (int flip = 0; flip < flips; ++flip) bytes[random() % bytes.size()] = static_cast<char>(random());
  if (random() % 4 == 0) bytes.resize(random() % bytes.size());
  std::ofstream(file, std::ios::binary) << bytes;
  return fmt::format("{} bytes changed, {} left", flips, bytes.size());
}

std::vector<std::vector<std::string>> readingCommands(const std::filesystem::path& folder) {
  return {{"runs"},
          {"runs", "--json"},
          {"show", "last"},
          {"show", "last", "--json"},
          {"metrics", "last"},
          {"logs", "last"},
          {"checkpoints", "last"},
          {"report", "last", "-o", (folder / "report.html").string()},
          {"checkpoint", "export", "last", (folder / "weights.safetensors").string()},
          {"store", "verify"},
          {"stop", "last"}};
}

std::string outcomeOf(const ProgramResult& ended, bool mayFindProblems) {
  if (!ended.inTime) return "does not end in time";
  if (ended.exitCode > 2) return fmt::format("exit {}: {}", ended.exitCode, ended.errors);
  if (ended.exitCode == 1 && !mayFindProblems) return "exit 1: " + ended.errors;
  if (ended.output.find('\x1b') != std::string::npos) return "an escape reaches the terminal";
  return "";
}

std::string readOne(const TrialSettings& settings, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const auto folder = settings.folder / fmt::format("stranger-{}", seed);
  std::filesystem::copy(soundStore(settings), folder, std::filesystem::copy_options::recursive);
  const std::string harm = seed % 2 == 0 ? stranger(folder / "store.db", random) : flipped(folder / "store.db", random);
  std::string problem;
  for (auto words : readingCommands(settings.folder)) {
    words.insert(words.end(), {"--store", folder.string()});
    const ProgramResult ended = runProgram(words, settings.folder, settings.timeout);
    const std::string outcome = outcomeOf(ended, words[0] == "store");
    if (!outcome.empty()) problem += fmt::format("[{}] `{} {}`: {}; ", harm, words[0], words[1], outcome);
  }
  std::filesystem::remove_all(folder);
  return problem;
}

}  // namespace

void tryStores(Tally& tally, const TrialSettings& settings, int count) {
  repeat(tally, settings, "store", count, [&](std::uint64_t seed) { return readOne(settings, seed); });
}

}  // namespace slipstream::test
