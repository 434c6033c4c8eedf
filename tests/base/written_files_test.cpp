// SPDX-License-Identifier: GPL-3.0-or-later
#include <array>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/files.h"

namespace slipstream {
namespace {

class Files : public testing::Test {
 protected:
  Files() {
    std::string text = (std::filesystem::temp_directory_path() / "slipstream_files_XXXXXX").string();
    folder = ::mkdtemp(text.data());
  }
  ~Files() override { std::filesystem::remove_all(folder); }

  std::filesystem::path folder;
};

TEST_F(Files, AreReplacedAsAWhole) {
  ASSERT_TRUE(writeFile(folder / "a", "first and long"));
  ASSERT_TRUE(writeFile(folder / "a", "second"));
  EXPECT_EQ(*readFile(folder / "a"), "second");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1) << "nothing is left beside it";
}

TEST_F(Files, WhatWasClosedToOthersStaysClosed) {
  using std::filesystem::perms;
  const auto file = folder / "private";
  ASSERT_TRUE(writeFile(file, "old"));
  const perms own = perms::owner_read | perms::owner_write;
  std::filesystem::permissions(file, own);
  ASSERT_TRUE(writeFile(file, "new"));
  EXPECT_EQ(std::filesystem::status(file).permissions(), own);
}

TEST_F(Files, BehindALinkItIsTheFileThatIsWritten) {
  ASSERT_TRUE(writeFile(folder / "a", "first"));
  std::filesystem::create_symlink("a", folder / "link");
  ASSERT_TRUE(writeFile(folder / "link", "second"));
  EXPECT_EQ(*readFile(folder / "a"), "second");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
}

TEST_F(Files, APipeIsWrittenToAndStaysAPipe) {
  const auto pipe = folder / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ASSERT_TRUE(writeFile(pipe, "text"));
  std::array<char, 8> buffer{};
  EXPECT_EQ(::read(reader, buffer.data(), buffer.size()), 4);
  ::close(reader);
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST_F(Files, WhatIsNoFileIsRefusedInsteadOfWaitedForOrReadForEver) {
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  std::filesystem::create_symlink("/dev/zero", folder / "endless");
  for (const auto& path : {folder, folder / "pipe", folder / "endless"}) {
    const auto text = readFile(path);
    ASSERT_FALSE(text) << path;
    EXPECT_THAT(toText(text.error()),
                testing::AllOf(testing::HasSubstr(path.string()), testing::HasSubstr("no regular file")));
  }
}

TEST_F(Files, MoreThanACallerTakesIsNotRead) {
  ASSERT_TRUE(writeFile(folder / "a", "12345"));
  EXPECT_EQ(readFile(folder / "a", 5).value(), "12345");
  const auto larger = readFile(folder / "a", 4);
  ASSERT_FALSE(larger);
  EXPECT_THAT(toText(larger.error()), testing::HasSubstr("name one of at most 4 B"));
  ASSERT_TRUE(writeFile(folder / "none", ""));
  EXPECT_EQ(readFile(folder / "none", 0).value(), "");
}

TEST_F(Files, AFolderIsNoFile) {
  const Status written = writeFile(folder, "text");
  ASSERT_FALSE(written);
  EXPECT_THAT(toText(written.error()), testing::HasSubstr("is a folder"));
  EXPECT_FALSE(writeFile(folder / "none/a", "text"));
}

}  // namespace
}  // namespace slipstream
