#include "engine/launch/run_folder.h"

#include <cerrno>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/process_identity.h"
#include "engine/base/text.h"
#include "engine/launch/sweep.h"

namespace slipstream {
namespace {

namespace fs = std::filesystem;

constexpr const char* socketName = "hub";
/// Names the supervisor, so that later ones know whether the folder is abandoned.
constexpr const char* ownerName = "owner";
/// Open MPI appends to it, and sockets are addressed by it.
constexpr std::size_t longestBase = 40;

std::string prefix() {
  return fmt::format("slipstream-{}-", ::getuid());
}

fs::path privateBase() {
  const auto runtime = environment("XDG_RUNTIME_DIR");
  if (runtime && runtime->size() <= longestBase && ::access(runtime->c_str(), W_OK) == 0) return *runtime;
  return "/tmp";
}

std::optional<fs::path> sharedMemoryBase() {
  if (::access("/dev/shm", W_OK) == 0) return "/dev/shm";
  return std::nullopt;
}

bool isOurs(const fs::path& folder) {
  struct stat status {};
  return ::lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == ::getuid();
}

void makePrivate(const fs::path& folder) {
  std::error_code ignored;
  if (isOurs(folder)) fs::remove_all(folder, ignored);
  if (::mkdir(folder.c_str(), 0700) != 0) {
    throw Error(fmt::format("{} cannot be created: {}", folder.string(), std::generic_category().message(errno)));
  }
  const ProcessIdentity self = thisProcess();
  const std::string owner = fmt::format("{}\n{}\n{}\n{}\n", self.pid, self.startTicks, self.bootId, self.host);
  if (const Status written = writeFile(folder / ownerName, owner); !written) throw Error(toText(written.error()));
}

/// A folder without a readable owner is one that is just being made, or no run's.
bool isAbandoned(const fs::path& folder) {
  const auto text = readFile(folder / ownerName);
  if (!text) return false;
  const auto lines = split(*text, '\n');
  if (lines.size() < 4) return false;
  const ProcessIdentity owner{parseInteger(lines[0]).value_or(0), parseInteger(lines[1]).value_or(0), lines[2],
                              lines[3]};
  return livenessOf(owner) == Liveness::gone;
}

std::vector<fs::path> abandonedIn(const fs::path& base) {
  std::vector<fs::path> abandoned;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(base, error)) {
    const bool named = startsWith(entry.path().filename().string(), prefix());
    if (named && isOurs(entry.path()) && isAbandoned(entry.path())) abandoned.push_back(entry.path());
  }
  return abandoned;
}

}  // namespace

RunFolders::RunFolders(const std::string& runId)
    : private_(privateBase() / (prefix() + runId)), sharedMemory_(private_) {
  if ((private_ / socketName).string().size() >= sizeof(sockaddr_un::sun_path)) {
    throw Error(fmt::format("{} is too long a path for a socket", (private_ / socketName).string()));
  }
  makePrivate(private_);
  const auto base = sharedMemoryBase();
  if (!base) return;
  sharedMemory_ = *base / (prefix() + runId);
  makePrivate(sharedMemory_);
}

RunFolders::~RunFolders() {
  std::error_code ignored;
  fs::remove_all(sharedMemory_, ignored);
  fs::remove_all(private_, ignored);
}

std::string RunFolders::hubEndpoint() const {
  return "ipc://" + (private_ / socketName).string();
}

int removeAbandonedFolders() {
  std::set<fs::path> bases{"/tmp", privateBase()};
  if (const auto base = sharedMemoryBase()) bases.insert(*base);
  int count = 0;
  for (const fs::path& base : bases) {
    for (const fs::path& folder : abandonedIn(base)) {
      sweepRun(folder.filename().string().substr(prefix().size()));
      std::error_code ignored;
      fs::remove_all(folder, ignored);
      ++count;
    }
  }
  return count;
}

}  // namespace slipstream
