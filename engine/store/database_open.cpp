// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/file.h>
#include <sys/statfs.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/private_files.h"
#include "engine/store/database.h"
#include "engine/store/database_schema.h"

namespace slipstream {
namespace {

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

constexpr const char* journalVariable = "SLIPSTREAM_STORE_JOURNAL";

/// With a rollback journal a store works where machines share its file system, more slowly and as safely as that locks.
Result<bool> usesRollbackJournal() {
  const auto word = environment(journalVariable);
  if (!word || *word == "wal") return false;
  if (*word == "rollback") return true;
  return fail(journalVariable, *word, "is no journal of a store", "set it to rollback, or unset it for wal");
}

/// What a kind asks for, with the journal that this process uses.
std::string pragmasOf(const DatabaseKind& kind) {
  const std::string pragmas(kind.pragmas);
  const std::string ahead = "journal_mode = WAL";
  const auto found = pragmas.find(ahead);
  if (found == std::string::npos || !usesRollbackJournal().value_or(false)) return pragmas;
  return std::string(pragmas).replace(found, ahead.size(), "journal_mode = DELETE") + "; PRAGMA synchronous = FULL";
}

std::string lastProblem() {
  return std::generic_category().message(errno);
}

bool mayWrite(const std::filesystem::path& file) {
  return ::access(file.c_str(), W_OK) == 0 && ::access(file.parent_path().c_str(), W_OK) == 0;
}

tl::unexpected<Failures> foreign(const std::filesystem::path& file, const DatabaseKind& kind) {
  return fail(file.string(), "", fmt::format("is not a {} of slipstream", kind.what),
              "choose another folder with --store");
}

tl::unexpected<Failures> missing(const std::filesystem::path& file, const DatabaseKind& kind) {
  return fail(file.string(), "", fmt::format("there is no {} here", kind.what), kind.ifMissing);
}

tl::unexpected<Failures> unwritable(const std::filesystem::path& file) {
  return fail(file.string(), "", "cannot be written", "check its permissions, or choose another folder with --store");
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

Status checkLength(const std::filesystem::path& folder, std::size_t longest) {
  const std::size_t length = std::filesystem::absolute(folder).string().size();
  if (length <= longest) return {};
  return fail(folder.string(), fmt::format("{} bytes", length), "is too long a path for a database",
              fmt::format("choose a folder whose whole path takes at most {} bytes with --store", longest));
}

Status prepareFolder(const std::filesystem::path& folder, StoreAccess access, std::size_t longest) {
  SLIPSTREAM_CHECK(checkLength(folder, longest));
  std::error_code error;
  if (std::filesystem::exists(folder, error) && !std::filesystem::is_directory(folder, error)) {
    return fail(folder.string(), "", "is a file, but a run store is a folder", "choose a folder with --store");
  }
  if (access == StoreAccess::write) {
    if (!makePrivateFolder(folder)) {
      return fail(folder.string(), "", "cannot be created: " + lastProblem(),
                  "choose a folder that you may write to with --store");
    }
  }
  SLIPSTREAM_TRY(rollback, usesRollbackJournal());
  const char* shared = sharedFileSystem(folder);
  if (shared != nullptr && !rollback) {
    return fail(
        folder.string(), shared, "lies on a file system that several machines share, where a store can break",
        "choose a folder on a disk of this machine with --store, or set SLIPSTREAM_STORE_JOURNAL=rollback on all "
        "machines that open it: slower, and as safe as the file system's locks are");
  }
  return {};
}

/// Every SQLite file that holds anything begins with this; other files are left alone. It is read through SQLite's own
/// handle: closing one of ours would take from this process every lock that its other connections hold on the file
/// (POSIX), and another program that closes the store would then remove the log that they still use.
bool looksLikeDatabase(const std::filesystem::path& file) {
  constexpr std::string_view magic = "SQLite format 3";
  std::error_code error;
  if (std::filesystem::file_size(file, error) == 0) return true;
  sqlite3* handle = nullptr;
  sqlite3_file* opened = nullptr;
  std::string begin(magic.size(), '\0');
  bool same = true;  // where it cannot be opened, the real opening says why
  if (sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READONLY, nullptr) == SQLITE_OK &&
      sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &opened) == SQLITE_OK) {
    opened->pMethods->xRead(opened, begin.data(), static_cast<int>(begin.size()), 0);
    same = begin == magic;
  }
  sqlite3_close(handle);
  return same;
}

/// The file is there (or may be made), may be read, and is a database.
Status prepareFile(const std::filesystem::path& file, StoreAccess access, const DatabaseKind& kind) {
  if (::access(file.c_str(), R_OK) == 0) {
    std::error_code unknown;
    if (!std::filesystem::is_regular_file(file, unknown)) {
      return fail(file.string(), "", "is not a regular file", "move it away, or choose another folder with --store");
    }
    if (!looksLikeDatabase(file)) return foreign(file, kind);
    if (access == StoreAccess::write && !mayWrite(file)) return unwritable(file);
    return {};
  }
  if (errno != ENOENT && errno != ENOTDIR) {
    return fail(file.string(), "", "cannot be read: " + lastProblem(),
                "check its permissions, or choose another folder with --store");
  }
  if (access == StoreAccess::read) return missing(file, kind);
  return {};
}

Status prepareToWrite(Database& database, const std::filesystem::path& file, const DatabaseKind& kind) {
  SLIPSTREAM_TRY(version, versionOf(database, file, kind));
  if (database.readOnly()) return unwritable(file);
  SLIPSTREAM_CHECK(checkSchema(database, file, kind, version));
  if (version == 0) database.executeScript(kind.creationPragmas);
  database.executeScript(pragmasOf(kind));
  migrate(database, file, kind, version);
  return {};
}

/// Held while a file is made or brought up to date: SQLite does not wait where two processes turn the write-ahead log
/// on at once.
class FolderLock {
 public:
  /// Throws StoreBusy where somebody else holds it for longer than `lockTimeout`: whoever may read the folder may lock
  /// it.
  FolderLock(const std::filesystem::path& folder, std::chrono::milliseconds lockTimeout)
      : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    constexpr std::chrono::milliseconds pause{5};
    const Stopwatch watch;
    while (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      if (errno != EINTR && errno != EWOULDBLOCK) return;
      if (watch.seconds() * 1e3 > static_cast<double>(lockTimeout.count())) {
        ::close(descriptor_);
        throw StoreBusy("the folder is locked");
      }
      std::this_thread::sleep_for(pause);
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
  if (version == static_cast<std::int64_t>(kind.scripts.size())) return checkSchema(database, file, kind, version);
  if (version == 0) return missing(file, kind);
  return fail(file.string(), std::to_string(version),
              "was written by an older slipstream and has to be brought up to date",
              "start a run in this store, or open it where you may write to it");
}

using Opened = Result<std::unique_ptr<Database>>;

Opened openToWrite(const std::filesystem::path& file, const DatabaseKind& kind, std::chrono::milliseconds lockTimeout) {
  const FolderLock alone(file.parent_path(), lockTimeout);
  SLIPSTREAM_CHECK(makePrivateFile(file));
  auto database = std::make_unique<Database>(file.string(), SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE, lockTimeout);
  SLIPSTREAM_CHECK(prepareToWrite(*database, file, kind));
  return database;
}

/// A writer that was killed has left changes beside the file.
bool isUnfinished(const std::filesystem::path& file) {
  for (const char* ending : {"-wal", "-journal"}) {
    std::error_code error;
    if (std::filesystem::file_size(file.string() + ending, error) > 0 && !error) return true;
  }
  return false;
}

/// A URI of the path, of which nothing may look like a part of the URI.
std::string uriOf(const std::filesystem::path& file) {
  std::string uri = "file://";
  for (const char letter : std::filesystem::absolute(file).string()) {
    const bool special = letter == '?' || letter == '#' || letter == '%';
    uri += special ? fmt::format("%{:02X}", letter) : std::string(1, letter);
  }
  return uri;
}

/// For a place that may not be written to, where SQLite cannot make the files that readers and writers share: as long
/// as no writer has left anything there, the file is read as it lies.
Opened openAsItLies(const std::filesystem::path& file, const DatabaseKind& kind,
                    std::chrono::milliseconds lockTimeout) {
  if (isUnfinished(file)) {
    return fail(file.string(), "", "holds changes that its last writer did not finish, and you may not finish them",
                "let its owner open it once ('slipstream runs'), or copy the folder to a place of yours");
  }
  auto database =
      std::make_unique<Database>(uriOf(file) + "?immutable=1", SQLite::OPEN_READONLY | SQLite::OPEN_URI, lockTimeout);
  SLIPSTREAM_CHECK(prepareToRead(*database, file, kind));
  return database;
}

/// On a full disk: what a killed writer left is read where it lies.
Opened openWithoutRoom(const std::filesystem::path& file, const DatabaseKind& kind,
                       std::chrono::milliseconds lockTimeout) {
  auto database = std::make_unique<Database>(file.string(), SQLite::OPEN_READWRITE, lockTimeout);
  database->readAlone();
  SLIPSTREAM_CHECK(prepareToRead(*database, file, kind));
  return database;
}

// Readers open for writing too, but may only query: a reader must be able to finish what a killed writer left behind.
Opened openToRead(const std::filesystem::path& file, const DatabaseKind& kind, std::chrono::milliseconds lockTimeout) {
  try {
    auto database = std::make_unique<Database>(file.string(), SQLite::OPEN_READWRITE, lockTimeout);
    SLIPSTREAM_CHECK(prepareToRead(*database, file, kind));
    return database;
  } catch (const StoreDamaged&) {
    throw;
  } catch (const StoreBusy&) {
    throw;
  } catch (const StoreFull&) {
    return openWithoutRoom(file, kind, lockTimeout);
  } catch (const std::exception&) {
    if (mayWrite(file)) throw;
    return openAsItLies(file, kind, lockTimeout);
  }
}

}  // namespace

Result<std::unique_ptr<Database>> Database::open(const std::filesystem::path& file, StoreAccess access,
                                                 const DatabaseKind& kind, std::chrono::milliseconds lockTimeout) {
  SLIPSTREAM_CHECK(prepareFolder(file.parent_path(), access, kind.longestFolder));
  SLIPSTREAM_CHECK(prepareFile(file, access, kind));
  try {
    return access == StoreAccess::write ? openToWrite(file, kind, lockTimeout) : openToRead(file, kind, lockTimeout);
  } catch (const StoreDamaged&) {
    return fail(file.string(), "", fmt::format("is a damaged {}", kind.what), kind.ifDamaged);
  } catch (const StoreBusy&) {
    return fail(file.string(), "", "is locked by another program", "try again when that has ended");
  } catch (const std::exception& error) {
    return fail(file.string(), "", fmt::format("cannot be opened as a {}: {}", kind.what, error.what()),
                "check the folder, its permissions and its room, or choose another one with --store");
  }
}

}  // namespace slipstream
