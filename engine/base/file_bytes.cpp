// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file_bytes.h"

#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace slipstream {
namespace {

tl::unexpected<Failures> unreadable(const std::filesystem::path& path) {
  return fail(path.string(), "", "cannot be read: " + std::generic_category().message(errno),
              "check the path and its permissions");
}

}  // namespace

FileBytes::FileBytes(std::filesystem::path path, int file, std::int64_t size)
    : path_(std::move(path)), file_(file), size_(size) {}

FileBytes::FileBytes(FileBytes&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)), size_(other.size_) {}

FileBytes& FileBytes::operator=(FileBytes&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(file_, other.file_);
  std::swap(size_, other.size_);
  return *this;
}

FileBytes::~FileBytes() {
  if (file_ >= 0) ::close(file_);
}

Result<FileBytes> FileBytes::open(const std::filesystem::path& path) {
  // A pipe without a writer is opened at once, to be refused.
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return unreadable(path);
  FileBytes bytes(path, file, 0);
  struct stat status {};
  if (::fstat(file, &status) != 0) return unreadable(path);
  if (S_ISDIR(status.st_mode)) return fail(path.string(), "", "is a folder, no regular file", "name the file itself");
  if (!S_ISREG(status.st_mode)) return fail(path.string(), "", "is no regular file", "name the file itself");
  bytes.size_ = status.st_size;
  return bytes;
}

Status FileBytes::read(std::int64_t offset, std::span<std::byte> bytes) const {
  while (!bytes.empty()) {
    const ssize_t count = ::pread(file_, bytes.data(), bytes.size(), offset);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return unreadable(path_);
    if (count == 0)
      return fail(path_.string(), "", "ends before byte " + std::to_string(offset), "copy the file again");
    offset += count;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  return {};
}

}  // namespace slipstream
