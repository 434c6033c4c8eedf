#include "engine/base/replacing_file.h"

#include <cerrno>
#include <system_error>

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

}  // namespace

ReplacingFile::ReplacingFile(std::filesystem::path place, std::string temporary)
    : place_(std::move(place)), temporary_(std::move(temporary)) {
  file_ = temporary_.empty() ? ::open(place_.c_str(), O_WRONLY | O_CLOEXEC)
                             : ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

ReplacingFile::~ReplacingFile() {
  if (file_ < 0) return;
  ::close(file_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

tl::unexpected<Failures> ReplacingFile::problem() const {
  return fail(place_.string(), "", "cannot be written: " + std::generic_category().message(errno),
              "choose a folder that you may write to and that has room");
}

Result<std::unique_ptr<ReplacingFile>> ReplacingFile::create(const std::filesystem::path& path) {
  std::error_code error;
  const auto kind = std::filesystem::status(path, error).type();
  if (kind == std::filesystem::file_type::directory) {
    return fail(path.string(), "", "is a folder, not a file", "name the file itself");
  }
  std::filesystem::path place = path;
  if (kind == std::filesystem::file_type::regular) place = std::filesystem::canonical(path, error);
  const std::string temporary = isFileOrNothing(kind) ? fmt::format("{}.{}.tmp", place.string(), ::getpid()) : "";
  std::unique_ptr<ReplacingFile> file(new ReplacingFile(std::move(place), temporary));
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
