// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/early_writeback.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "engine/base/text.h"

namespace slipstream {

#if defined(__linux__)

namespace {

constexpr std::int64_t bytesPerStart = 4 << 20;

/// A descriptor by which this process holds the file, or -1.
int heldDescriptor(const std::filesystem::path& file) {
  struct stat wanted {};
  if (::stat(file.c_str(), &wanted) != 0) return -1;
  // All of this is only a hint: not even a folder that stops being readable is an error.
  std::error_code unreadable;
  const std::filesystem::directory_iterator end;
  for (std::filesystem::directory_iterator entry("/proc/self/fd", unreadable); !unreadable && entry != end;
       entry.increment(unreadable)) {
    const auto number = parseInteger(entry->path().filename().string());
    struct stat held {};
    if (!number || ::fstat(static_cast<int>(*number), &held) != 0) continue;
    if (held.st_dev == wanted.st_dev && held.st_ino == wanted.st_ino) return static_cast<int>(*number);
  }
  return -1;
}

}  // namespace

EarlyWriteback::EarlyWriteback(const std::filesystem::path& file) : descriptor_(heldDescriptor(file)) {}

void EarlyWriteback::wrote(std::int64_t bytes) {
  waiting_ += bytes;
  if (descriptor_ < 0 || waiting_ < bytesPerStart) return;
  waiting_ = 0;
  // Only a hint: what cannot be written early is written by the sync, which also reports its errors.
  static_cast<void>(::sync_file_range(descriptor_, 0, 0, SYNC_FILE_RANGE_WRITE));
}

#else

EarlyWriteback::EarlyWriteback(const std::filesystem::path&) {}
void EarlyWriteback::wrote(std::int64_t) {}

#endif

}  // namespace slipstream
