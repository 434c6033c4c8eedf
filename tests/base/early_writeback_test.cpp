// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/early_writeback.h"

#include <cstdlib>
#include <fstream>
#include <string>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace slipstream::test {
namespace {

/// A record lock that this process holds is seen by another one only.
bool isLockedForOthers(const std::string& file) {
  const ::pid_t child = ::fork();
  if (child == 0) {
    const int opened = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    ::_exit(opened >= 0 && ::fcntl(opened, F_SETLK, &lock) == 0 ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status) == 1;
}

TEST(EarlyWriteback, KeepsContentAndLocksOfTheFile) {
  std::string path = testing::TempDir() + "early_writeback_XXXXXX";
  const int file = ::mkstemp(path.data());
  ASSERT_GE(file, 0);
  struct flock lock {};
  lock.l_type = F_WRLCK;
  ASSERT_EQ(::fcntl(file, F_SETLK, &lock), 0);
  {
    EarlyWriteback writeback(path);
    const std::string megabyte(1 << 20, 'x');
    for (int i = 0; i < 9; ++i) {
      ASSERT_EQ(::write(file, megabyte.data(), megabyte.size()), std::ssize(megabyte));
      writeback.wrote(std::ssize(megabyte));
    }
  }
  EXPECT_TRUE(isLockedForOthers(path));
  EXPECT_EQ(std::filesystem::file_size(path), 9U << 20);
  ::close(file);
  EXPECT_FALSE(isLockedForOthers(path));
  ::unlink(path.c_str());
}

TEST(EarlyWriteback, OfAFileThatIsNotOpenBeginsNothing) {
  EarlyWriteback writeback("/no/such/file");
  writeback.wrote(100 << 20);
}

}  // namespace
}  // namespace slipstream::test
