// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "engine/runs/run_logs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

class LogTail : public testing::Test {
 protected:
  void write(const std::string& text) { ASSERT_TRUE(writeFile(log_.file, text)); }
  /// The new text; "…" before it where lines were left out.
  std::string next(bool ended = false, std::uintmax_t most = 1000) {
    const auto pieces = newLogText({log_}, positions_, ended, most);
    if (pieces.empty()) return "";
    return (pieces.front().skipped ? "…" : "") + pieces.front().text;
  }

  test::TemporaryFolder folder_;
  RankLog log_{1, 0, "stderr", folder_.path() / "stderr"};
  LogPositions positions_;
};

TEST_F(LogTail, GivesEachLineOnce) {
  write("one\n");
  EXPECT_EQ(next(), "one\n");
  EXPECT_EQ(next(), "");
  write("one\ntwo\nthree\n");
  EXPECT_EQ(next(), "two\nthree\n");
}

TEST_F(LogTail, ALineWithoutItsEndWaits) {
  write("one\ntw");
  EXPECT_EQ(next(), "one\n");
  write("one\ntwo\n");
  EXPECT_EQ(next(), "two\n");
  write("one\ntwo\nlast words");
  EXPECT_EQ(next(), "");
  EXPECT_EQ(next(true), "last words\n");
  EXPECT_EQ(next(true), "");
}

TEST_F(LogTail, ReadsOnlyTheEndOfALongOne) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "line " + std::to_string(i) + "\n";
  write(text);
  EXPECT_EQ(next(false, 20), "…line 998\nline 999\n");
  EXPECT_EQ(next(false, 20), "");
}

TEST_F(LogTail, AFileThatBecameShorterIsReadAnew) {
  write("a long first line\n");
  next();
  write("new\n");
  EXPECT_EQ(next(), "new\n");
}

TEST_F(LogTail, AMissingFileHasNothing) {
  EXPECT_EQ(next(), "");
}

TEST(RunLogs, MpirunsOwnWordsStandBeforeTheRanks) {
  const test::TemporaryFolder folder;
  const auto attempt = folder.path() / "logs" / "abc" / "attempt-2";
  ASSERT_TRUE(makeFolder(attempt / "1" / "rank.0"));
  ASSERT_TRUE(writeFile(attempt / "mpirun.log", "m"));
  ASSERT_TRUE(writeFile(attempt / "1" / "rank.0" / "stderr", "r"));
  const auto logs = attemptLogs(folder.path(), "abc");
  ASSERT_EQ(logs.size(), 2);
  EXPECT_EQ(logs[0].rank, -1);
  EXPECT_EQ(logs[0].attempt, 2);
  EXPECT_EQ(logs[1].rank, 0);
  EXPECT_EQ(rankLogs(folder.path(), "abc").size(), 1);
}

}  // namespace
}  // namespace slipstream
