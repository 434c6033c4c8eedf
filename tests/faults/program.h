// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

namespace slipstream::test {

/// How a program ended.
struct ProgramResult {
  int exitCode = 0;  ///< 128 + signal where one ended it
  bool inTime = true;
  std::string output;
  std::string errors;
};

/// `slipstream ARGUMENTS` as a process whose output goes to files of its own; killed with this object.
class Program {
 public:
  /// `fileLimit`: bytes that no file may exceed (as with ulimit -f); 0: none.
  Program(const std::vector<std::string>& arguments, const std::filesystem::path& folder, std::int64_t fileLimit = 0);
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  bool hasEnded();
  /// Whether it ends within `seconds`; else it goes on.
  bool endsWithin(double seconds);
  /// Waits for its end; kills it after `seconds`.
  ProgramResult end(double seconds);

 private:
  std::filesystem::path output_;
  std::filesystem::path errors_;
  pid_t pid_ = 0;
  std::optional<int> status_;
};

ProgramResult runProgram(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
                         double seconds);

}  // namespace slipstream::test
