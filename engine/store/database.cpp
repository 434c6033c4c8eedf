// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/database.h"

#include <cerrno>

#include <fmt/format.h>
#include <sqlite3.h>

#include "engine/base/error.h"

namespace slipstream {
namespace {

/// A statement may take so many steps of SQLite's machine: some seconds, a hundred times what our largest take.
constexpr int stepsAUnit = 100'000;
constexpr int mostUnits = 3'000;

/// Throws what SQLite reports as an error of ours.
[[noreturn]] void raise(const SQLite::Exception& error, sqlite3* handle) {
  const char* path = handle == nullptr ? nullptr : sqlite3_db_filename(handle, "main");
  const std::string text = fmt::format("{}: {}", path == nullptr ? "database" : path, error.what());
  switch (error.getErrorCode() & 0xFF) {  // the rest tells kinds of one code apart
    case SQLITE_FULL:
      throw StoreFull(text);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw StoreBusy(text);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      throw StoreDamaged(text);
    case SQLITE_INTERRUPT:
      throw StoreDamaged(text + ": reading it does not come to an end");
    case SQLITE_TOOBIG:
      throw StoreDamaged(text + ": a value is larger than any that slipstream writes");
    default:
      break;
  }
  const int cause = handle == nullptr ? 0 : sqlite3_system_errno(handle);
  const bool noRoom =
      (error.getErrorCode() & 0xFF) == SQLITE_IOERR && (cause == ENOSPC || cause == EDQUOT || cause == EFBIG);
  if (noRoom) throw StoreFull(text);
  throw Error(text);
}

/// Runs `action`; what SQLite reports becomes an error of ours.
template <class Action>
auto guarded(sqlite3* handle, Action action) {
  try {
    return action();
  } catch (const SQLite::Exception& error) {
    raise(error, handle);
  }
}

}  // namespace

bool Query::next() {
  return guarded(handle_, [&] { return statement_.executeStep(); });
}

std::string_view Query::bytes(int column) const {
  const SQLite::Column value = statement_.getColumn(column);
  const auto* data = static_cast<const char*>(value.getBlob());
  return {data, static_cast<std::size_t>(value.getBytes())};
}

Database::Database(const std::string& name, int flags, std::chrono::milliseconds lockTimeout)
    : database_(name, flags, static_cast<int>(lockTimeout.count())), lockTimeout_(lockTimeout) {
  distrust();
}

/// The file may be a stranger's: no part of its schema may call functions with effects, no statement may change the
/// schema behind SQLite's back, no value is larger than ours are, and a statement that goes round in circles ends.
void Database::distrust() {
  constexpr int longestValue = 256 << 20;
  sqlite3* handle = database_.getHandle();
  sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(handle, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, longestValue);
  sqlite3_progress_handler(handle, stepsAUnit, &Database::countWork, this);
}

int Database::countWork(void* database) {
  return ++static_cast<Database*>(database)->work_ > mostUnits ? 1 : 0;
}

void Database::waitForLocks(bool wait) {
  guarded(database_.getHandle(), [&] { database_.setBusyTimeout(wait ? static_cast<int>(lockTimeout_.count()) : 0); });
}

SQLite::Statement& Database::statement(const char* sql) {
  auto& cached = statements_[sql];
  work_ = 0;
  guarded(database_.getHandle(), [&] {
    if (!cached) cached = std::make_unique<SQLite::Statement>(database_, sql);
    return cached->tryReset();
  });
  return *cached;
}

void Database::executeScript(const std::string& script) {
  work_ = 0;
  guarded(database_.getHandle(), [&] { return database_.exec(script); });
}

std::int64_t Database::number(const char* sql) {
  Query row = query(sql);
  return row.next() ? row.integer(0) : 0;
}

bool Database::readOnly() const {
  return sqlite3_db_readonly(database_.getHandle(), "main") == 1;
}

void Database::readAlone() {
  sqlite3_db_config(database_.getHandle(), SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, nullptr);
  executeScript("PRAGMA locking_mode = EXCLUSIVE");
}

Failures Database::verify() {
  Failures failures;
  Query faults = query("PRAGMA integrity_check");
  while (faults.next()) {
    if (faults.text(0) == "ok") continue;
    failures.push_back({database_.getFilename(), "", faults.text(0), "copy what can still be read to another store"});
  }
  return failures;
}

bool Database::inTransaction() const {
  return sqlite3_get_autocommit(database_.getHandle()) == 0;
}

void Database::begin() {
  execute("BEGIN IMMEDIATE");
}

void Database::commit() {
  execute("COMMIT");
}

void Database::rollback() {
  if (inTransaction()) execute("ROLLBACK");
}

}  // namespace slipstream
