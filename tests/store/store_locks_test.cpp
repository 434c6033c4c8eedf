// SPDX-License-Identifier: GPL-3.0-or-later
// Several connections of one process, as the window has them, and another program.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

/// Whether another process finds the lock that every open connection of a write-ahead log holds on the file
/// (SQLite's shared range: 510 bytes from 1 GiB + 2).
bool othersSeeALock(const std::filesystem::path& file) {
  const pid_t child = ::fork();
  if (child == 0) {
    const int descriptor = ::open(file.c_str(), O_RDWR);
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 0x40000002;
    lock.l_len = 510;
    ::fcntl(descriptor, F_GETLK, &lock);
    ::_exit(lock.l_type == F_UNLCK ? 1 : 0);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(StoreLocks, OpeningTheStoreASecondTimeLeavesTheFirstItsLocks) {
  const test::TemporaryFolder folder;
  const auto first = test::openStore(folder.path());
  first->createRun(test::sampleRun());
  ASSERT_TRUE(othersSeeALock(folder.path() / "store.db"));
  { const auto second = test::openStore(folder.path(), StoreAccess::read); }
  EXPECT_TRUE(othersSeeALock(folder.path() / "store.db"));
}

}  // namespace
}  // namespace slipstream
