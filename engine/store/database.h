// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include <SQLiteCpp/SQLiteCpp.h>

#include "engine/base/failure.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// What tells one kind of our databases from another, and how it is kept.
struct DatabaseKind {
  std::int32_t applicationId = 0;
  std::string what;                           ///< "run store", for messages
  std::span<const std::string_view> scripts;  ///< migrations: script i brings version i to i + 1
  std::string creationPragmas;                ///< that must be before the first table
  std::string pragmas;                        ///< of every writing connection
  std::string ifMissing = {};                 ///< what to do about it, for messages
  std::string ifDamaged = {};
  /// Bytes of the whole path of its folder: SQLite opens no path above 512, and adds endings to them.
  std::size_t longestFolder = 450;
};

/// One row after the other of a cached statement, which it frees (and with it the read snapshot) when it goes.
class Query {
 public:
  Query(SQLite::Statement& statement, sqlite3* handle) : statement_(statement), handle_(handle) {}
  Query(const Query&) = delete;
  Query& operator=(const Query&) = delete;
  ~Query() { statement_.tryReset(); }

  bool next();
  std::int64_t integer(int column) const { return statement_.getColumn(column).getInt64(); }
  int smallInteger(int column) const { return statement_.getColumn(column).getInt(); }
  std::string text(int column) const { return statement_.getColumn(column).getString(); }
  /// Valid until next().
  std::string_view bytes(int column) const;

 private:
  SQLite::Statement& statement_;
  sqlite3* handle_;
};

/// A thin layer over SQLiteCpp: statements are cached, and errors are our own (StoreFull, StoreBusy, StoreDamaged).
class Database {
 public:
  /// `write` creates the file where it is missing and brings an older one up to date; `read` changes nothing, and can
  /// do with a file and a folder that may not be written to. `lockTimeout`: how long each statement waits for the locks
  /// of other programs.
  static Result<std::unique_ptr<Database>> open(const std::filesystem::path& file, StoreAccess access,
                                                const DatabaseKind& kind,
                                                std::chrono::milliseconds lockTimeout = defaultLockTimeout);

  template <class... Values>
  Query query(const char* sql, const Values&... values) {
    return {bound(sql, values...), database_.getHandle()};
  }
  /// Runs a statement to its end; returns the number of rows that it changed.
  template <class... Values>
  int execute(const char* sql, const Values&... values) {
    Query statement(bound(sql, values...), database_.getHandle());
    while (statement.next()) {
    }
    return database_.getChanges();
  }
  std::int64_t lastRowId() const { return database_.getLastInsertRowid(); }

  std::filesystem::path file() const { return database_.getFilename(); }
  bool inTransaction() const;
  void begin();
  void commit();
  /// Harmless where SQLite has rolled back already.
  void rollback();

  /// Several statements, outside the cache; rows are dropped.
  void executeScript(const std::string& script);
  /// The first column of the first row; 0 where there is none.
  std::int64_t number(const char* sql);
  bool readOnly() const;
  /// False: what another program has locked is StoreBusy at once.
  void waitForLocks(bool wait);
  /// Reads without SQLite's shared files beside the database, which take room; nobody else may have it open meanwhile,
  /// and the log that lies beside it stays. Before the first query.
  void readAlone();
  /// SQLite's own check of the file: one failure a fault.
  Failures verify();

  /// Only opens the file (or a URI, by the flags), and trusts nothing in it; others call `open`.
  Database(const std::string& name, int flags, std::chrono::milliseconds lockTimeout);

 private:
  void distrust();
  static int countWork(void* database);
  template <class... Values>
  SQLite::Statement& bound(const char* sql, const Values&... values) {
    SQLite::Statement& found = statement(sql);
    int index = 0;
    (bindOne(found, ++index, values), ...);
    return found;
  }
  static void bindOne(SQLite::Statement& statement, int index, std::int64_t value) { statement.bind(index, value); }
  static void bindOne(SQLite::Statement& statement, int index, int value) { statement.bind(index, value); }
  /// NaN becomes NULL.
  static void bindOne(SQLite::Statement& statement, int index, double value) { statement.bind(index, value); }
  static void bindOne(SQLite::Statement& statement, int index, const std::string& value) {
    statement.bind(index, value);
  }
  /// Not copied: lives longer than the statement runs.
  static void bindOne(SQLite::Statement& statement, int index, std::span<const std::byte> value) {
    statement.bindNoCopy(index, value.data(), static_cast<int>(value.size()));
  }
  SQLite::Statement& statement(const char* sql);

  SQLite::Database database_;
  std::chrono::milliseconds lockTimeout_;
  int work_ = 0;  ///< of the statement that was asked for last, in units of countWork
  std::unordered_map<std::string_view, std::unique_ptr<SQLite::Statement>> statements_;  ///< keys are literals
};

inline std::span<const std::byte> bytesOf(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}

/// A write transaction (BEGIN IMMEDIATE), or part of the one that is open already; rolled back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database) : database_(database), owner_(!database.inTransaction()) {
    if (owner_) database_.begin();
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  ~Transaction() {
    if (owner_ && !committed_) database_.rollback();
  }
  void commit() {
    if (owner_) database_.commit();
    committed_ = true;
  }

 private:
  Database& database_;
  bool owner_;
  bool committed_ = false;
};

/// Several queries that see the same moment; part of the open transaction where there is one.
class Snapshot {
 public:
  explicit Snapshot(Database& database) : database_(database), owner_(!database.inTransaction()) {
    if (owner_) database_.execute("BEGIN DEFERRED");
  }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;
  ~Snapshot() {
    if (owner_) database_.rollback();
  }

 private:
  Database& database_;
  bool owner_;
};

}  // namespace slipstream
