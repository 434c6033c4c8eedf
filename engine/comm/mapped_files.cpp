// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/mapped_files.h"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace slipstream {
namespace {

/// 0, or the cause as errno has it. A file that cannot be opened is none of ours.
int reserveFile(const std::filesystem::path& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (file < 0) return 0;
  struct stat status {};
  struct statfs system {};
  const bool inMemory = ::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && ::fstatfs(file, &system) == 0 &&
                        system.f_type == TMPFS_MAGIC;
  const int problem = inMemory && status.st_size > 0 ? ::posix_fallocate(file, 0, status.st_size) : 0;
  ::close(file);
  return problem;
}

}  // namespace

std::vector<std::filesystem::path> sharedFilesIn(const std::string& maps) {
  std::vector<std::filesystem::path> files;
  std::istringstream lines(maps);
  for (std::string line; std::getline(lines, line);) {
    // ADDRESSES PERMISSIONS OFFSET DEVICE INODE PATH; a path begins with a slash and may hold blanks.
    const auto slash = line.find('/');
    if (line.find(" rw-s ") == std::string::npos || slash == std::string::npos) continue;
    const std::filesystem::path path = line.substr(slash);
    if (std::find(files.begin(), files.end(), path) == files.end()) files.push_back(path);
  }
  return files;
}

std::string reserveSharedFiles() {
  std::ifstream file("/proc/self/maps");
  const std::string maps{std::istreambuf_iterator<char>(file), {}};
  for (const auto& path : sharedFilesIn(maps)) {
    if (const int problem = reserveFile(path); problem != 0) {
      return fmt::format("{} cannot have all of its memory: {}; free some of {}, or enlarge it", path.string(),
                         std::generic_category().message(problem), path.parent_path().parent_path().string());
    }
  }
  return "";
}

}  // namespace slipstream
