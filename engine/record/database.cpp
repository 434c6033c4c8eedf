#include "engine/record/database.h"

#include <array>
#include <cerrno>
#include <fstream>
#include <optional>

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "engine/base/error.h"

namespace slipstream {
namespace {

constexpr int busyMilliseconds = 5000;

bool meansFull(const SQLite::Exception& error, sqlite3* handle) {
  return error.getErrorCode() == SQLITE_FULL ||
         (error.getErrorCode() == SQLITE_IOERR && handle != nullptr && sqlite3_system_errno(handle) == ENOSPC);
}

/// Runs `action`; what SQLite reports becomes an error of ours.
template <class Action>
auto guarded(sqlite3* handle, Action action) {
  try {
    return action();
  } catch (const SQLite::Exception& error) {
    const char* path = handle == nullptr ? nullptr : sqlite3_db_filename(handle, "main");
    const std::string text = fmt::format("{}: {}", path == nullptr ? "database" : path, error.what());
    if (meansFull(error, handle)) throw StoreFull(text);
    throw Error(text);
  }
}

/// The name of a file system that several machines share, where `folder` lies on one: SQLite's write-ahead log needs
/// memory shared by all who open it.
const char* sharedFileSystem(const std::filesystem::path& folder) {
  struct Kind {
    std::uint32_t magic;
    const char* name;
  };
  constexpr std::array<Kind, 9> kinds{{{0x6969, "NFS"},
                                       {0x517B, "SMB"},
                                       {0xFE534D42, "SMB"},
                                       {0xFF534D42, "CIFS"},
                                       {0x0BD00BD0, "Lustre"},
                                       {0x65735546, "FUSE"},
                                       {0x47504653, "GPFS"},
                                       {0x00C36400, "Ceph"},
                                       {0x5346414F, "AFS"}}};
  struct statfs status {};
  if (::statfs(folder.c_str(), &status) != 0) return nullptr;
  for (const Kind& kind : kinds) {
    if (static_cast<std::uint32_t>(status.f_type) == kind.magic) return kind.name;
  }
  return nullptr;
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

Database::Database(const std::filesystem::path& file, int flags) : database_(file.string(), flags, busyMilliseconds) {}

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

namespace {

tl::unexpected<Failures> foreign(const std::filesystem::path& file, const DatabaseKind& kind) {
  return fail(file.string(), "", fmt::format("is not a {} of slipstream", kind.what),
              "choose another folder with --store");
}

tl::unexpected<Failures> missing(const std::filesystem::path& file, const DatabaseKind& kind) {
  return fail(file.string(), "", fmt::format("there is no {} here", kind.what),
              "name the folder of one with --store or SLIPSTREAM_STORE");
}

/// Version of the file's tables; 0: it holds nothing yet.
Result<std::int64_t> versionOf(Database& database, const std::filesystem::path& file, const DatabaseKind& kind) {
  const std::int64_t application = database.number("PRAGMA application_id");
  const std::int64_t version = database.number("PRAGMA user_version");
  const bool empty = database.number("SELECT count(*) FROM sqlite_master") == 0;
  if (application == 0 && version == 0 && empty) return 0;
  if (application != kind.applicationId) return foreign(file, kind);
  const auto known = static_cast<std::int64_t>(kind.scripts.size());
  if (version > known) {
    return fail(file.string(), std::to_string(version),
                fmt::format("was written by a newer slipstream (this one knows versions up to {})", known),
                "use that slipstream, or choose another folder with --store");
  }
  return version;
}

/// Brings the tables to the newest version in one transaction, an old file after a copy of it was put aside.
void migrate(Database& database, const std::filesystem::path& file, const DatabaseKind& kind, std::int64_t version) {
  const auto newest = static_cast<std::int64_t>(kind.scripts.size());
  if (version == newest) return;
  if (version > 0) {
    const std::string copy = fmt::format("{}.before-version-{}", file.string(), newest);
    std::filesystem::remove(copy);
    database.execute("VACUUM INTO ?", copy);
  }
  Transaction transaction(database);
  // Another process may have been first.
  for (std::int64_t next = database.number("PRAGMA user_version"); next < newest; ++next) {
    database.executeScript(std::string(kind.scripts[static_cast<std::size_t>(next)]));
  }
  database.executeScript(
      fmt::format("PRAGMA application_id = {}; PRAGMA user_version = {};", kind.applicationId, newest));
  transaction.commit();
}

Status prepareFolder(const std::filesystem::path& folder, StoreAccess access) {
  std::error_code error;
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_directory(folder, error)) {
    return fail(folder.string(), "", "is a file, but a run store is a folder", "choose a folder with --store");
  }
  if (access == StoreAccess::write) {
    std::filesystem::create_directories(folder, error);
    if (error) {
      return fail(folder.string(), "", "cannot be created: " + error.message(),
                  "choose a folder that you may write to with --store");
    }
  }
  if (const char* shared = sharedFileSystem(folder)) {
    return fail(folder.string(), shared, "lies on a file system that several machines share, where a store can break",
                "choose a folder on a disk of this machine with --store");
  }
  return {};
}

/// Every SQLite file that holds anything begins with this; other files are left alone.
bool looksLikeDatabase(const std::filesystem::path& file) {
  std::string begin(15, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  return stream.gcount() == 0 || begin == "SQLite format 3";
}

Status prepareToWrite(Database& database, const std::filesystem::path& file, const DatabaseKind& kind) {
  SLIPSTREAM_TRY(version, versionOf(database, file, kind));
  if (database.readOnly()) {
    return fail(file.string(), "", "cannot be written", "check its permissions, or choose another folder with --store");
  }
  if (version == 0) database.executeScript(kind.creationPragmas);
  database.executeScript(kind.pragmas);
  migrate(database, file, kind, version);
  return {};
}

/// Held while a file is made or brought up to date: SQLite does not wait where two processes turn the write-ahead log
/// on at once.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  ~FolderLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

 private:
  int descriptor_;
};

Status prepareToRead(Database& database, const std::filesystem::path& file, const DatabaseKind& kind) {
  database.executeScript("PRAGMA query_only = ON");
  SLIPSTREAM_TRY(version, versionOf(database, file, kind));
  if (version == static_cast<std::int64_t>(kind.scripts.size())) return {};
  if (version == 0) return missing(file, kind);
  return fail(file.string(), std::to_string(version),
              "was written by an older slipstream and has to be brought up to date",
              "start a run in this store, or open it where you may write to it");
}

}  // namespace

// Readers open for writing too, but may only query: a reader must be able to finish what a killed writer left behind.
Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, StoreAccess access,
                                                 const DatabaseKind& kind) {
  SLIPSTREAM_CHECK(prepareFolder(file.parent_path(), access));
  if (access == StoreAccess::read && !std::filesystem::exists(file)) {
    return missing(file, kind);
  }
  if (!looksLikeDatabase(file)) return foreign(file, kind);
  try {
    std::optional<FolderLock> alone;
    if (access == StoreAccess::write) alone.emplace(file.parent_path());
    const int create = access == StoreAccess::write ? SQLite::OPEN_CREATE : 0;
    auto database = std::make_unique<Database>(file, SQLite::OPEN_READWRITE | create);
    SLIPSTREAM_CHECK(access == StoreAccess::write ? prepareToWrite(*database, file, kind)
                                                  : prepareToRead(*database, file, kind));
    return database;
  } catch (const std::exception& error) {
    return fail(file.string(), "", fmt::format("cannot be opened as a {}: {}", kind.what, error.what()),
                "check the folder, its permissions and its room, or choose another one with --store");
  }
}

}  // namespace slipstream
