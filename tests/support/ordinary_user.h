// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <exception>
#include <filesystem>
#include <stdexcept>

#include <unistd.h>

namespace slipstream::test {

/// As long as it lives, files are opened and looked at by a user whom permissions bind, who may enter `folder`: root
/// may do everything, and tests often run as root. The whole process is that user meanwhile.
class OrdinaryUser {
 public:
  explicit OrdinaryUser(const std::filesystem::path& folder) {
    constexpr uid_t nobody = 65534;
    if (::geteuid() != 0) return;
    using std::filesystem::perms;
    std::filesystem::permissions(folder,
                                 perms::group_read | perms::group_exec | perms::others_read | perms::others_exec,
                                 std::filesystem::perm_options::add);
    if (::seteuid(nobody) != 0) throw std::runtime_error("this process cannot become another user");
    changed_ = true;
  }
  ~OrdinaryUser() {
    if (changed_ && ::seteuid(0) != 0) std::terminate();
  }
  OrdinaryUser(const OrdinaryUser&) = delete;
  OrdinaryUser& operator=(const OrdinaryUser&) = delete;

 private:
  bool changed_ = false;
};

}  // namespace slipstream::test
