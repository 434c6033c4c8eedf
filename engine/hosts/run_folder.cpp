// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/run_folder.h"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <optional>
#include <random>
#include <set>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/process_identity.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr const char* socketName = "hub";
/// Of somebody who gives back a folder, in seconds: who has the lock for longer is clearing.
constexpr double longestWaitAtTheEnd = 2;
/// Open MPI appends to it, and sockets are addressed by it.
constexpr std::size_t longestBase = 40;

std::string prefix() {
  return fmt::format("slipstream-{}-", ::getuid());
}

bool isOurs(const fs::path& folder) {
  struct stat status {};
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::getuid();
}

fs::path privateBase() {
  const auto runtime = environment("XDG_RUNTIME_DIR");
  const bool fits = runtime && runtime->size() <= longestBase && ::access(runtime->c_str(), W_OK) == 0;
  if (fits && isOurs(*runtime)) return *runtime;
  return "/tmp";
}

std::optional<fs::path> sharedMemoryBase() {
  if (::access("/dev/shm", W_OK) == 0) return "/dev/shm";
  return std::nullopt;
}

/// Nothing where TMPDIR names no folder.
std::optional<fs::path> temporaryBase() {
  std::error_code absent;
  const fs::path base = fs::temp_directory_path(absent);
  return absent ? std::nullopt : std::optional(base);
}

/// While it lives no other supervisor of this user creates or clears such folders: what one is about to clear may else
/// become a resumed run's. Every folder but the runtime folder is the same for a session and for cron, which has none:
/// so is the lock's.
class FoldersLock {
 public:
  explicit FoldersLock(double longestWait = 10) {
    for (const fs::path& folder : {fs::path("/tmp"), privateBase()}) {
      if (openIn(folder)) break;
    }
    held_ = file_ >= 0 && lockInTime(longestWait);
  }
  ~FoldersLock() {
    if (file_ >= 0) ::close(file_);
  }
  FoldersLock(const FoldersLock&) = delete;
  FoldersLock& operator=(const FoldersLock&) = delete;
  /// False where somebody else holds the name of its file.
  bool held() const { return held_; }
  /// Another supervisor of this user had it all the time.
  bool isContended() const { return file_ >= 0 && !held_; }

 private:
  bool openIn(const fs::path& folder) {
    const fs::path path = folder / fmt::format("slipstream-{}.lock", ::getuid());
    const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
    if (file < 0) return false;
    if (isOwn(file)) {
      file_ = file;
    } else {
      ::close(file);
    }
    return file_ >= 0;
  }

  /// A file that others own or may open is one that others can lock for ever.
  static bool isOwn(int file) {
    struct stat status {};
    const bool own = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == ::getuid();
    return own && (status.st_mode & 077) == 0;
  }

  /// One who is stopped while he holds it keeps nobody waiting.
  bool lockInTime(double longest) const {
    constexpr std::chrono::milliseconds pause{5};
    for (const Stopwatch watch; ::flock(file_, LOCK_EX | LOCK_NB) != 0;) {
      if (errno != EWOULDBLOCK && errno != EINTR) return false;
      if (watch.seconds() > longest) return false;
      std::this_thread::sleep_for(pause);
    }
    return true;
  }

  int file_ = -1;
  bool held_ = false;
};

std::vector<std::string> ownerLines(const fs::path& folder) {
  return split(readFile(folder / ownerFileName).value_or(""), '\n');
}

/// The run whose folder it is: its owner says so, since another name may have been taken.
std::string runOf(const fs::path& folder) {
  const auto lines = ownerLines(folder);
  constexpr std::size_t line = 4;
  if (lines.size() > line && !lines[line].empty()) return lines[line];
  return folder.filename().string().substr(prefix().size());
}

/// Nothing where nobody has written down whose the folder is.
std::optional<ProcessIdentity> ownerOf(const fs::path& folder) {
  const auto lines = ownerLines(folder);
  if (lines.size() < 4) return std::nullopt;
  // The PID namespace is last: who knows nothing of it still reads the boot as it is.
  constexpr std::size_t namespaceLine = 5;
  const std::string place = lines.size() > namespaceLine ? lines[2] + " " + lines[namespaceLine] : lines[2];
  return ProcessIdentity{parseInteger(lines[0]).value_or(0), parseInteger(lines[1]).value_or(0), place, lines[3]};
}

/// Under the lock a folder without a readable owner is one whose maker died over it.
bool isAbandoned(const fs::path& folder) {
  const auto owner = ownerOf(folder);
  return !owner || livenessOf(*owner) == Liveness::gone;
}

/// In a folder that sessions and cron share, as they do not the runtime folder.
constexpr const char* baseOfClaims = "/tmp";

std::string claimName(const std::string& runId) {
  return prefix() + runId + "-supervisor";
}

/// Leaves the owner's file: without it others take the folder for an abandoned one.
void removeContents(const fs::path& folder) {
  std::error_code problem;
  std::vector<fs::path> inside;
  for (fs::directory_iterator entry(folder, problem); entry != fs::directory_iterator(); entry.increment(problem)) {
    inside.push_back(entry->path());
  }
  for (const fs::path& path : inside) {
    if (path.filename() != ownerFileName) fs::remove_all(path, problem);
  }
}

/// Call it under the lock. Again where a dying process that still writes has left something; false where something
/// stays. What is no folder of this user is never touched: the name may be somebody else's by now.
bool removeFolder(const fs::path& folder) {
  constexpr int mostTimes = 10;
  std::error_code problem;
  for (int time = 0; time < mostTimes && isOurs(folder); ++time) {
    removeContents(folder);
    fs::remove_all(folder, problem);
  }
  return !isOurs(folder);
}

/// This user's folders whose names begin so.
std::vector<fs::path> foldersIn(const fs::path& base, const std::string& beginning) {
  std::vector<fs::path> folders;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(base, error)) {
    const bool named = startsWith(entry.path().filename().string(), beginning);
    if (named && isOurs(entry.path())) folders.push_back(entry.path());
  }
  return folders;
}

/// Processes first: they would write on. Those of a run that somebody carries on have other folders, and go on.
bool clear(const fs::path& folder) {
  try {
    const std::string run = runOf(folder);
    if (!otherSupervisorOf(run)) killLeftoverProcesses(run);
  } catch (const Error&) {
    return false;
  }
  return removeFolder(folder);
}

/// Measured: 8.1 MB with two ranks, most of it two segments of 4 MB; where they find no room mpirun hangs.
std::uintmax_t sessionBytes(int ranks) {
  return (std::uintmax_t{9} << 20) + static_cast<std::uintmax_t>(ranks) * (std::uintmax_t{64} << 10);
}

void requireRoom(const fs::path& folder, int ranks) {
  std::error_code unknown;
  const auto space = fs::space(folder, unknown);
  const std::uintmax_t needed = sessionBytes(ranks);
  if (unknown || space.available >= needed) return;
  throw Error(
      fmt::format("{} has {} KB free, a run of {} ranks needs {} KB there; make room, or name another folder "
                  "with XDG_RUNTIME_DIR",
                  folder.parent_path().string(), space.available >> 10, ranks, needed >> 10));
}

/// Makes a folder of the user's own under a name that nobody can have foreseen.
bool takeAnotherName(fs::path& path) {
  std::string pattern = path.string() + "-XXXXXX";
  if (::mkdtemp(pattern.data()) == nullptr) return false;
  path = pattern;
  return true;
}

/// Null where shared memory takes no folder.
std::unique_ptr<OwnFolder> folderInSharedMemory(const std::string& name, const std::string& runId) {
  const auto base = sharedMemoryBase();
  if (!base) return nullptr;
  try {
    return std::make_unique<OwnFolder>(*base / name, runId);
  } catch (const Error&) {
    return nullptr;
  }
}

}  // namespace

OwnFolder::OwnFolder(fs::path path, const std::string& runId) : path_(std::move(path)) {
  std::error_code ignored;
  if (isOurs(path_)) fs::remove_all(path_, ignored);
  // Anybody may have taken the name in a folder of everybody's, and only he could give it back.
  if (::mkdir(path_.c_str(), 0700) != 0 && !(errno == EEXIST && takeAnotherName(path_))) {
    throw Error(fmt::format("{} cannot be created: {}", path_.string(), std::generic_category().message(errno)));
  }
  const ProcessIdentity self = thisProcess();
  const auto blank = self.bootId.find(' ');
  const std::string owner = fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n", self.pid, self.startTicks,
                                        self.bootId.substr(0, blank), self.host, runId, self.bootId.substr(blank + 1));
  if (const Status written = writeFile(path_ / ownerFileName, owner); !written) {
    fs::remove_all(path_, ignored);
    throw Error(trim(toText(written.error())));
  }
}

OwnFolder::~OwnFolder() {
  // What takes long comes first, so that nobody waits for the lock meanwhile.
  removeContents(path_);
  const FoldersLock lock(longestWaitAtTheEnd);
  // Else it is left, empty, to the next one who clears what is abandoned.
  if (!lock.isContended()) removeFolder(path_);
}

RunFolders::RunFolders(const std::string& runId, int ranks, bool onHosts) {
  const fs::path base = onHosts ? fs::path("/tmp") : privateBase();
  const std::string name = prefix() + runId;
  const fs::path socket = base / (name + "-XXXXXX") / socketName;
  if (socket.string().size() >= sizeof(sockaddr_un::sun_path)) {
    throw Error(fmt::format("{} is too long a path for a socket", socket.string()));
  }
  const FoldersLock lock;
  private_ = std::make_unique<OwnFolder>(base / name, runId);
  requireRoom(private_->path(), ranks);
  sharedMemory_ = folderInSharedMemory(name, runId);
}

std::string RunFolders::hubEndpoint() const {
  return "ipc://" + (private_->path() / socketName).string();
}

std::unique_ptr<OwnFolder> makeOwnFolder(const fs::path& path, const std::string& runId) {
  const FoldersLock lock;
  return std::make_unique<OwnFolder>(path, runId);
}

std::unique_ptr<OwnFolder> makeScratchFolder() {
  const auto base = temporaryBase();
  if (!base) throw Error("no temporary folder can be made: TMPDIR names no folder; name another place in it");
  // A number that nobody else has: processes of two containers may share the folder and their ids.
  const std::string name = fmt::format("{}scratch-{:08x}", prefix(), std::random_device{}());
  const FoldersLock lock;
  try {
    return std::make_unique<OwnFolder>(*base / name, "");
  } catch (const Error& error) {
    throw Error(fmt::format("no temporary folder can be made: {}; name another place in TMPDIR", error.what()));
  }
}

int removeAbandonedFolders() {
  const FoldersLock lock;
  if (!lock.held()) return 0;
  std::set<fs::path> bases{"/tmp", privateBase()};
  if (const auto base = sharedMemoryBase()) bases.insert(*base);
  if (const auto base = temporaryBase()) bases.insert(*base);
  int count = 0;
  for (const fs::path& base : bases) {
    for (const fs::path& folder : foldersIn(base, prefix())) count += isAbandoned(folder) && clear(folder) ? 1 : 0;
  }
  return count;
}

std::optional<ProcessIdentity> otherSupervisorOf(const std::string& runId) {
  for (const fs::path& folder : foldersIn(baseOfClaims, claimName(runId))) {
    const auto owner = ownerOf(folder);
    if (owner && owner->pid != ::getpid() && livenessOf(*owner) == Liveness::alive) return owner;
  }
  return std::nullopt;
}

std::unique_ptr<OwnFolder> claimRun(const std::string& runId) {
  const FoldersLock lock;
  if (const auto other = otherSupervisorOf(runId)) {
    throw Error(fmt::format("run {} is being trained on this machine by process {}", runId, other->pid));
  }
  return std::make_unique<OwnFolder>(fs::path(baseOfClaims) / claimName(runId), runId);
}

}  // namespace slipstream
