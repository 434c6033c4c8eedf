// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/files.h"

#include <cstdlib>

#include <gtest/gtest.h>
#include <pwd.h>
#include <unistd.h>

namespace slipstream {
namespace {

/// Sets or (nullptr) removes a variable, and puts it back.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name), before_(environment(name)) { set(value); }
  ~Variable() { set(before_ ? before_->c_str() : nullptr); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  void set(const char* value) { value == nullptr ? ::unsetenv(name_) : ::setenv(name_, value, 1); }
  const char* name_;
  std::optional<std::string> before_;
};

TEST(UserDataFolder, IsWhereTheEnvironmentSays) {
  const Variable home("HOME", "/home/somebody");
  {
    const Variable data("XDG_DATA_HOME", "/data");
    EXPECT_EQ(userDataFolder(), "/data/slipstream");
  }
  const Variable data("XDG_DATA_HOME", nullptr);
  EXPECT_EQ(userDataFolder(), "/home/somebody/.local/share/slipstream");
}

TEST(UserDataFolder, IsTheUsersOwnWhereTheEnvironmentSaysNothing) {
  const Variable data("XDG_DATA_HOME", nullptr);
  const Variable home("HOME", nullptr);
  const passwd* user = ::getpwuid(::geteuid());
  ASSERT_NE(user, nullptr);
  EXPECT_EQ(userDataFolder(), std::filesystem::path(user->pw_dir) / ".local/share/slipstream");
}

}  // namespace
}  // namespace slipstream
