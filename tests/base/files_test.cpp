// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files.h"

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

#include "tests/support/environment_variable.h"

namespace slipstream {
namespace {

using test::EnvironmentVariable;

TEST(UserDataFolder, IsWhereTheEnvironmentSays) {
  const EnvironmentVariable home("HOME", "/home/somebody");
  {
    const EnvironmentVariable data("XDG_DATA_HOME", "/data");
    EXPECT_EQ(userDataFolder(), "/data/slipstream");
  }
  const EnvironmentVariable data("XDG_DATA_HOME", std::nullopt);
  EXPECT_EQ(userDataFolder(), "/home/somebody/.local/share/slipstream");
}

TEST(UserDataFolder, IsTheUsersOwnWhereTheEnvironmentSaysNothing) {
  const EnvironmentVariable data("XDG_DATA_HOME", std::nullopt);
  const EnvironmentVariable home("HOME", std::nullopt);
  const passwd* user = ::getpwuid(::geteuid());
  ASSERT_NE(user, nullptr);
  EXPECT_EQ(userDataFolder(), std::filesystem::path(user->pw_dir) / ".local/share/slipstream");
}

}  // namespace
}  // namespace slipstream
