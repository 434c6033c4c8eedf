// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/disk_reserve.h"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

int namelessFile(const std::filesystem::path& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return file;
  // A file system that makes none without a name.
  std::string name = (folder / "room-XXXXXX").string();
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

}  // namespace

Result<DiskReserve> DiskReserve::take(const std::filesystem::path& folder, std::int64_t bytes) {
  const int file = namelessFile(folder);
  const int problem = file < 0 ? errno : ::posix_fallocate(file, 0, bytes);
  DiskReserve reserve(file);
  if (problem == 0) return reserve;
  return fail(folder.string(), "", "has no room for a run: " + std::generic_category().message(problem),
              "make at least " + sizeText(bytes) + " free there, or choose another folder with --store");
}

DiskReserve::~DiskReserve() {
  letGo();
}

DiskReserve::DiskReserve(DiskReserve&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

DiskReserve& DiskReserve::operator=(DiskReserve&& other) noexcept {
  std::swap(file_, other.file_);
  return *this;
}

void DiskReserve::letGo() {
  if (file_ >= 0) ::close(file_);
  file_ = -1;
}

}  // namespace slipstream
