// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/store_folder.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

/// $XDG_DATA_HOME for the length of a test.
class UsersData {
 public:
  explicit UsersData(const std::filesystem::path& folder) { ::setenv("XDG_DATA_HOME", folder.c_str(), 1); }
  ~UsersData() {
    if (before_) {
      ::setenv("XDG_DATA_HOME", before_->c_str(), 1);
    } else {
      ::unsetenv("XDG_DATA_HOME");
    }
  }
  UsersData(const UsersData&) = delete;
  UsersData& operator=(const UsersData&) = delete;

 private:
  std::optional<std::string> before_ = environment("XDG_DATA_HOME");
};

TEST(StoreFolder, IsNewOrEmptyOrHoldsAStore) {
  const test::TemporaryFolder folder;
  EXPECT_TRUE(fitForAStore(folder.path() / "new"));
  EXPECT_TRUE(fitForAStore(folder.path()));
  std::ofstream(folder.path() / "letter.txt") << "of somebody";
  const Status other = fitForAStore(folder.path());
  ASSERT_FALSE(other);
  EXPECT_THAT(toText(other.error()), testing::HasSubstr("is a folder of other files"));
  std::ofstream(storeFileIn(folder.path())) << "";
  EXPECT_TRUE(fitForAStore(folder.path()));
}

/// The window keeps drafts there, and launches that wait, and may do so before the first run.
TEST(StoreFolder, MayBeTheUsersOwnWithWhatTheProgramsKeepThere) {
  const test::TemporaryFolder folder;
  const UsersData data(folder.path());
  std::filesystem::create_directories(userDataFolder() / "drafts");
  EXPECT_TRUE(fitForAStore(userDataFolder()));
  EXPECT_FALSE(fitForAStore(folder.path())) << "its parent is not";
}

}  // namespace
}  // namespace slipstream
