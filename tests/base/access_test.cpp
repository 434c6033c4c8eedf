// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/access.h"

#include <gtest/gtest.h>

#include "tests/support/ordinary_user.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

TEST(AccessFailure, AbsenceIsToldFromWhatHidesIt) {
  using std::make_error_code;
  EXPECT_TRUE(saysAbsent(make_error_code(std::errc::no_such_file_or_directory)));
  EXPECT_TRUE(saysAbsent(make_error_code(std::errc::not_a_directory)));
  EXPECT_FALSE(saysAbsent(make_error_code(std::errc::permission_denied)));
  EXPECT_FALSE(saysAbsent(make_error_code(std::errc::io_error)));

  const test::TemporaryFolder folder;
  const Failure denied = accessFailure(folder.path(), make_error_code(std::errc::permission_denied));
  EXPECT_EQ(denied.where, folder.path().string());
  EXPECT_EQ(denied.problem, "cannot be read: permission denied");
  const Failure broken = accessFailure(folder.path(), make_error_code(std::errc::io_error));
  EXPECT_EQ(broken.problem, "cannot be read: Input/output error");
}

TEST(AccessFailure, TheFolderInTheWayIsNamed) {
  const test::TemporaryFolder folder;
  const auto closed = folder.path() / "closed";
  std::filesystem::create_directories(closed / "inner/data");
  std::filesystem::permissions(closed, std::filesystem::perms::none);
  {
    const test::OrdinaryUser user(folder.path());
    const Failure failure = accessFailure(closed / "inner/data", std::make_error_code(std::errc::permission_denied));
    EXPECT_EQ(failure.problem, "cannot be read: permission denied by the folder " + closed.string());
  }
  std::filesystem::permissions(closed, std::filesystem::perms::owner_all);
}

}  // namespace
}  // namespace slipstream
