// SPDX-License-Identifier: GPL-3.0-or-later
// Places in which somebody else has put something before us.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/disk_reserve.h"
#include "engine/base/files.h"
#include "engine/base/private_files.h"

namespace slipstream {
namespace {

using ::testing::HasSubstr;

class HostilePlaces : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string text = (std::filesystem::temp_directory_path() / "slipstream-places-XXXXXX").string();
    ASSERT_NE(::mkdtemp(text.data()), nullptr);
    folder = text;
    std::ofstream(folder / "precious") << "kept";
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string precious() const { return readFile(folder / "precious").value_or(""); }

  std::filesystem::path folder;
};

TEST_F(HostilePlaces, ALinkUnderTheNameThatATemporaryFileOnceHadIsNotFollowed) {
  const auto planted = folder / ("report.html." + std::to_string(::getpid()) + ".tmp");
  std::filesystem::create_symlink(folder / "precious", planted);
  ASSERT_TRUE(writeFile(folder / "report.html", "new"));
  EXPECT_EQ(precious(), "kept");
  EXPECT_EQ(readFile(folder / "report.html").value_or(""), "new");
}

TEST_F(HostilePlaces, NoOutputReplacesADatabase) {
  for (const char* name : {"store.db", "store.db-wal", "1234abcd.db", "1234abcd.db-journal"}) {
    std::ofstream(folder / name) << "kept";
    const Status refused = writeFile(folder / name, "new");
    ASSERT_FALSE(refused) << name;
    EXPECT_THAT(toText(refused.error()), HasSubstr("database"));
    EXPECT_EQ(readFile(folder / name).value_or(""), "kept");
  }
}

TEST_F(HostilePlaces, AnotherUsersLinkInAFolderOfEverybodysIsRefused) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make a link another user's";
  ASSERT_EQ(::chmod(folder.c_str(), 01777), 0);
  std::filesystem::create_symlink(folder / "precious", folder / "report.html");
  ASSERT_TRUE(writeFile(folder / "report.html", "one's own link is followed"));
  std::ofstream(folder / "precious") << "kept";
  constexpr uid_t somebody = 12345;
  ASSERT_EQ(::lchown((folder / "report.html").c_str(), somebody, somebody), 0);
  const Status refused = writeFile(folder / "report.html", "new");
  ASSERT_FALSE(refused);
  EXPECT_THAT(toText(refused.error()), HasSubstr("another user"));
  EXPECT_EQ(precious(), "kept");
}

TEST_F(HostilePlaces, PrivateFoldersStayWhatTheyWere) {
  ASSERT_EQ(::chmod(folder.c_str(), 0755), 0);
  ASSERT_TRUE(makePrivateFolder(folder));
  struct stat status {};
  ASSERT_EQ(::stat(folder.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777U, 0755U) << "who made it said so";
  EXPECT_FALSE(makePrivateFolder(folder / "precious")) << "a file stands there";
  ASSERT_TRUE(makePrivateFile(folder / "precious"));
  EXPECT_EQ(precious(), "kept");
}

TEST_F(HostilePlaces, RoomThatIsNotThereIsNotTaken) {
  constexpr std::int64_t moreThanAnyFile = std::int64_t{1} << 62;  // refused at once: nothing fills up meanwhile
  EXPECT_FALSE(DiskReserve::take(folder, moreThanAnyFile));
  auto room = DiskReserve::take(folder, 1 << 16);
  ASSERT_TRUE(room) << toText(room.error());
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()), 1)
      << "it has no name";
  room->letGo();
}

}  // namespace
}  // namespace slipstream
