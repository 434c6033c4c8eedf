// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/database_schema.h"

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

/// What SQLite makes for itself (sqlite_sequence, automatic indexes) is named so; nothing else may be.
constexpr std::string_view ownPrefix = "sqlite_";

/// Columns of a table in their order; "!" marks one that is computed.
std::string columnsOf(Database& database, const std::string& table) {
  std::string columns;
  Query rows = database.query("SELECT name, hidden FROM pragma_table_xinfo(?)", table);
  while (rows.next()) columns += rows.text(0) + (rows.integer(1) == 0 ? "," : "!,");
  return columns;
}

struct Schema {
  std::map<std::string, std::string> tables;              ///< name -> columns
  std::set<std::pair<std::string, std::string>> indexes;  ///< name and table
  std::set<std::pair<std::string, std::string>> views;    ///< name and statement: any other could hide or invent runs
};

/// What the scripts make of an empty file.
Schema schemaAfter(const DatabaseKind& kind, std::int64_t version) {
  Database database(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, std::chrono::milliseconds{0});
  for (std::int64_t next = 0; next < version; ++next) {
    database.executeScript(std::string(kind.scripts[static_cast<std::size_t>(next)]));
  }
  Schema schema;
  std::vector<std::string> tables;
  Query rows = database.query("SELECT type, name, tbl_name, ifnull(sql, '') FROM sqlite_master");
  while (rows.next()) {
    if (startsWith(rows.text(1), ownPrefix)) continue;
    if (rows.text(0) == "table") tables.push_back(rows.text(1));
    if (rows.text(0) == "index") schema.indexes.emplace(rows.text(1), rows.text(2));
    if (rows.text(0) == "view") schema.views.emplace(rows.text(1), rows.text(3));
  }
  for (const std::string& table : tables) schema.tables[table] = columnsOf(database, table);
  return schema;
}

const Schema& expectedSchema(const DatabaseKind& kind, std::int64_t version) {
  static std::mutex mutex;
  static std::map<std::pair<std::int32_t, std::int64_t>, Schema> known;
  const std::lock_guard lock(mutex);
  const auto key = std::pair{kind.applicationId, version};
  const auto found = known.find(key);
  return found != known.end() ? found->second : known.emplace(key, schemaAfter(kind, version)).first->second;
}

Failure foreignPart(const std::filesystem::path& file, const std::string& type, const std::string& name) {
  return {file.string(), name, fmt::format("holds a {} that no slipstream makes, and is not read", type),
          "choose another folder with --store, or ask whom the store is from"};
}

/// What is in the file and may not, each once.
Failures foreignParts(Database& database, const std::filesystem::path& file, const Schema& expected) {
  Failures failures;
  Query rows = database.query("SELECT type, name, tbl_name, ifnull(rootpage, 0), ifnull(sql, '') FROM sqlite_master");
  while (rows.next()) {
    const std::string type = rows.text(0);
    const std::string name = rows.text(1);
    const bool own = startsWith(name, ownPrefix);
    if (type == "table" && rows.integer(3) > 0) continue;
    if (type == "index" && (own || expected.indexes.contains({name, rows.text(2)}))) continue;
    if (type == "view" && expected.views.contains({name, rows.text(4)})) continue;
    failures.push_back(foreignPart(file, type == "table" ? "virtual table" : type, name));
  }
  return failures;
}

}  // namespace

Status checkSchema(Database& database, const std::filesystem::path& file, const DatabaseKind& kind,
                   std::int64_t version) {
  const Schema& expected = expectedSchema(kind, version);
  if (Failures foreign = foreignParts(database, file, expected); !foreign.empty()) {
    return tl::unexpected(std::move(foreign));
  }
  for (const auto& [table, columns] : expected.tables) {
    if (columnsOf(database, table) == columns) continue;
    return fail(file.string(), table,
                fmt::format("is a damaged {}: this table is not as slipstream makes it", kind.what), kind.ifDamaged);
  }
  return {};
}

}  // namespace slipstream
