// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/replacing_file.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <random>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

namespace slipstream {
namespace {

bool isFileOrNothing(std::filesystem::file_type kind) {
  using std::filesystem::file_type;
  return kind == file_type::regular || kind == file_type::not_found || kind == file_type::none;
}

/// A file beside `place` that nobody else can have put there: its name is not to be guessed, and it is new.
std::pair<std::string, int> openBeside(const std::filesystem::path& place) {
  constexpr int tries = 100;
  std::random_device random;
  std::string name;
  for (int count = 0; count < tries; ++count) {
    name = fmt::format("{}.{:08x}.tmp", place.string(), random());
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file >= 0 || errno != EEXIST) return {name, file};
  }
  return {name, -1};
}

/// A link that another user has put into a folder where everybody may write (as the kernel's protected_symlinks).
bool isPlantedLink(const std::filesystem::path& path) {
  struct stat link {};
  struct stat folder {};
  if (::lstat(path.c_str(), &link) != 0 || !S_ISLNK(link.st_mode)) return false;
  const auto parent = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
  if (::stat(parent.c_str(), &folder) != 0) return false;
  const bool shared = (folder.st_mode & S_ISVTX) != 0 && (folder.st_mode & S_IWOTH) != 0;
  return shared && link.st_uid != ::geteuid() && link.st_uid != folder.st_uid;
}

/// Also what SQLite keeps beside it. No output is meant to be one: a run store would be gone.
bool isDatabase(const std::filesystem::path& place) {
  const std::string name = place.filename().string();
  return std::ranges::any_of(std::array{".db", ".db-wal", ".db-shm", ".db-journal"},
                             [&](const char* ending) { return name.ends_with(ending); });
}

}  // namespace

ReplacingFile::ReplacingFile(std::filesystem::path place, std::string temporary, int file)
    : place_(std::move(place)), temporary_(std::move(temporary)), file_(file) {}

ReplacingFile::~ReplacingFile() {
  if (file_ < 0) return;
  ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

tl::unexpected<Failures> ReplacingFile::problem() const {
  return fail(place_.string(), "", "cannot be written: " + std::generic_category().message(errno),
              "choose a folder that you may write to and that has room");
}

namespace {

/// A device or a pipe. One that nobody reads is an error and not waited for.
int openInPlace(const std::filesystem::path& place) {
  const int descriptor = ::open(place.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor >= 0) ::fcntl(descriptor, F_SETFL, ::fcntl(descriptor, F_GETFL) & ~O_NONBLOCK);
  return descriptor;
}

}  // namespace

Result<std::unique_ptr<ReplacingFile>> ReplacingFile::create(const std::filesystem::path& path) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::directory) {
    return fail(path.string(), "", "is a folder, not a file", "name the file itself");
  }
  if (isPlantedLink(path)) {
    return fail(path.string(), "", "is a link that another user has put here", "choose another name or folder");
  }
  std::filesystem::path place = path;
  if (kind == std::filesystem::file_type::regular) place = std::filesystem::canonical(path, error);
  if (kind == std::filesystem::file_type::regular && isDatabase(place)) {
    return fail(path.string(), "", "is a database, which no output replaces", "choose another name");
  }
  const auto [temporary, descriptor] =
      isFileOrNothing(kind) ? openBeside(place) : std::pair{std::string(), openInPlace(place)};
  std::unique_ptr<ReplacingFile> file(new ReplacingFile(std::move(place), temporary, descriptor));
  if (file->file_ < 0) return file->problem();
  if (kind == std::filesystem::file_type::regular) file->keepPermissions();
  return file;
}

/// What its owner closed to others stays closed.
void ReplacingFile::keepPermissions() {
  struct stat old {};
  if (::stat(place_.c_str(), &old) == 0) ::fchmod(file_, old.st_mode & 07777);
}

Status ReplacingFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(file_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return problem();
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return {};
}

Status ReplacingFile::commit() {
  // Devices and pipes have nothing to sync.
  if (::fsync(file_) != 0 && errno != EINVAL && errno != EROFS) return problem();
  if (!temporary_.empty() && ::rename(temporary_.c_str(), place_.c_str()) != 0) return problem();
  ::close(file_);
  file_ = -1;
  return {};
}

}  // namespace slipstream
