// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file_state.h"

#include <ctime>

#include <sys/stat.h>

namespace slipstream {

FileState FileState::of(const std::string& path) {
  struct stat about {};
  if (::stat(path.c_str(), &about) != 0) return {};
  return {about.st_size, about.st_mtim.tv_sec, about.st_mtim.tv_nsec, about.st_ino, about.st_dev};
}

bool FileState::isSettled() const {
  return seconds + 2 < std::time(nullptr);
}

}  // namespace slipstream
