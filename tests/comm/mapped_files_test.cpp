// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/mapped_files.h"

#include <cstdlib>
#include <string>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

namespace slipstream {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* sharedMemory = "/dev/shm";

/// A file with a hole of `bytes`, of which this process shares the first page.
class MappedHole {
 public:
  explicit MappedHole(off_t bytes) {
    file_ = ::mkstemp(name_.data());
    EXPECT_GE(file_, 0) << name_;
    EXPECT_EQ(::ftruncate(file_, bytes), 0);
    page_ = ::mmap(nullptr, pageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    EXPECT_NE(page_, MAP_FAILED);
  }
  ~MappedHole() {
    ::munmap(page_, pageBytes);
    ::close(file_);
    ::unlink(name_.c_str());
  }
  MappedHole(const MappedHole&) = delete;
  MappedHole& operator=(const MappedHole&) = delete;

  const std::string& name() const { return name_; }
  off_t takenBytes() const {
    struct stat status {};
    EXPECT_EQ(::fstat(file_, &status), 0);
    constexpr off_t blockBytes = 512;
    return status.st_blocks * blockBytes;
  }

 private:
  static constexpr std::size_t pageBytes = 4096;
  std::string name_ = std::string(sharedMemory) + "/slipstream-hole-XXXXXX";
  int file_ = -1;
  void* page_ = nullptr;
};

class SharedMemory : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::statfs(sharedMemory, &system_) != 0 || system_.f_type != TMPFS_MAGIC || ::access(sharedMemory, W_OK) != 0) {
      GTEST_SKIP() << sharedMemory << " is no file system in memory that this user may write to";
    }
  }
  /// More than the whole file system has: it is refused at once, and nobody's room is taken meanwhile.
  off_t tooMuch() const { return static_cast<off_t>(system_.f_blocks + 1) * static_cast<off_t>(system_.f_bsize); }

  struct statfs system_ {};
};

TEST(MappedFiles, AreThoseThatAreSharedAndWritable) {
  EXPECT_THAT(sharedFilesIn("7f00-7f01 rw-s 00000000 00:19 5   /dev/shm/one with blanks\n"
                            "7f01-7f02 rw-s 00001000 00:19 5   /dev/shm/one with blanks\n"
                            "7f02-7f03 rw-p 00000000 00:19 6   /usr/lib/private.so\n"
                            "7f03-7f04 r--s 00000000 00:19 7   /usr/share/read_only\n"
                            "7f04-7f05 rw-s 00000000 00:01 8\n"),
              ElementsAre("/dev/shm/one with blanks"));
}

TEST_F(SharedMemory, IsTakenBeforeItIsTouched) {
  constexpr off_t bytes = 1 << 20;
  const MappedHole hole(bytes);
  ASSERT_EQ(hole.takenBytes(), 0);
  EXPECT_EQ(reserveSharedFiles(), "");
  EXPECT_GE(hole.takenBytes(), bytes);
}

TEST_F(SharedMemory, WithoutRoomIsAnErrorInsteadOfADeadlySignal) {
  if (system_.f_blocks == 0) GTEST_SKIP() << sharedMemory << " has no limit";
  const MappedHole hole(tooMuch());
  const std::string problem = reserveSharedFiles();
  EXPECT_THAT(problem, HasSubstr(hole.name() + " cannot have all of its memory"));
  EXPECT_THAT(problem, HasSubstr("free some of"));
}

}  // namespace
}  // namespace slipstream
