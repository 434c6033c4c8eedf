// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <map>
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

/// What differs from `slipstream` in the environment of this program.
struct ProgramSettings {
  std::int64_t fileLimit = 0;       ///< bytes that no file may exceed (as with ulimit -f); 0: none
  std::string name = "slipstream";  ///< of a program beside this one; empty: what `through` says is all
  std::map<std::string, std::string> environment = {};
  std::vector<std::string> through = {};  ///< words in front: another program, by its path, that starts it
};

/// `slipstream ARGUMENTS` as a process whose output goes to files of its own; killed with this object.
class Program {
 public:
  Program(const std::vector<std::string>& arguments, const std::filesystem::path& folder,
          const ProgramSettings& settings = {});
  ~Program();
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  pid_t pid() const { return pid_; }
  bool hasEnded();
  /// Whether it ends within `seconds`; else it goes on.
  bool endsWithin(double seconds);
  /// What it has written to stdout so far.
  std::string output() const;
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
