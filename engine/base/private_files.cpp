// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/private_files.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/files.h"

namespace slipstream {

Status makePrivateFolder(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path whole = path.has_filename() ? path : path.parent_path();
  if (std::filesystem::is_directory(whole, error)) return {};
  if (whole.has_parent_path()) SLIPSTREAM_CHECK(makeFolder(whole.parent_path()));
  if (::mkdir(whole.c_str(), 0700) == 0) {
    ::chmod(whole.c_str(), 0700);  // a umask takes away from the owner too
    return {};
  }
  return errno == EEXIST && std::filesystem::is_directory(whole, error) ? Status() : makeFolder(whole);
}

Status makePrivateFile(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (file < 0 && errno == EEXIST) return {};
  if (file < 0) {
    return fail(path.string(), "", "cannot be created: " + std::generic_category().message(errno),
                "choose a folder that you may write to and that has room");
  }
  ::fchmod(file, 0600);
  ::close(file);
  return {};
}

}  // namespace slipstream
