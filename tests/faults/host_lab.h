// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

#include "tests/faults/program.h"

namespace slipstream::test {

/// Hosts h1 to h3 and a head h0 that are namespaces of this machine, each with an sshd (tests/hosts/lab); they go with
/// this object. All see the folder, and have /tmp and /dev/shm of their own.
class HostLab {
 public:
  static constexpr int hosts = 3;

  /// Throws std::runtime_error where they cannot be made; `missing` then says what for, if it is no fault.
  explicit HostLab(std::filesystem::path folder);
  ~HostLab();
  HostLab(const HostLab&) = delete;
  HostLab& operator=(const HostLab&) = delete;

  /// Why no hosts can be made on this machine; empty where they can.
  static std::string missing();

  const std::filesystem::path& folder() const { return folder_; }
  std::string address(int host) const;
  void cut(int host) { call({"cut", folder_.string(), name(host)}); }
  void mend(int host) { call({"mend", folder_.string(), name(host)}); }
  void lose(int host) { call({"lose", folder_.string(), name(host)}); }
  void make(int host) { call({"make", folder_.string(), name(host)}); }

  /// What starts a program of ours on the head.
  ProgramSettings onHead() const;
  /// Processes of the host that are no zombies, by this machine's numbers.
  std::vector<pid_t> processesOf(int host) const;
  /// Folders of runs in its /tmp and /dev/shm.
  std::vector<std::string> foldersOf(int host) const;

 private:
  static std::string name(int host) { return "h" + std::to_string(host); }
  void call(const std::vector<std::string>& words) const;
  std::string init(int host) const;

  std::filesystem::path folder_;
};

}  // namespace slipstream::test
