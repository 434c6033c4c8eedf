#include "engine/record/database.h"

#include <cerrno>

#include <fmt/format.h>
#include <sqlite3.h>

#include "engine/base/error.h"

namespace slipstream {
namespace {

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
    default:
      break;
  }
  const int cause = handle == nullptr ? 0 : sqlite3_system_errno(handle);
  const bool noRoom = error.getErrorCode() == SQLITE_IOERR && (cause == ENOSPC || cause == EDQUOT);
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

Database::Database(const std::string& name, int flags, std::chrono::milliseconds patience)
    : database_(name, flags, static_cast<int>(patience.count())), patience_(patience) {}

void Database::waitForLocks(bool wait) {
  guarded(database_.getHandle(), [&] { database_.setBusyTimeout(wait ? static_cast<int>(patience_.count()) : 0); });
}

SQLite::Statement& Database::statement(const char* sql) {
  auto& cached = statements_[sql];
  guarded(database_.getHandle(), [&] {
    if (!cached) cached = std::make_unique<SQLite::Statement>(database_, sql);
    return cached->tryReset();
  });
  return *cached;
}

void Database::executeScript(const std::string& script) {
  guarded(database_.getHandle(), [&] { return database_.exec(script); });
}

std::int64_t Database::number(const char* sql) {
  Query row = query(sql);
  return row.next() ? row.integer(0) : 0;
}

bool Database::readOnly() const {
  return sqlite3_db_readonly(database_.getHandle(), "main") == 1;
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
