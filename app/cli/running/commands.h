// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/parser/command.h"
#include "app/cli/planning/overrides.h"
#include "engine/slurm/batch_script.h"

namespace slipstream::cli {

class ArgumentParser;

struct RunArguments {
  std::string file;
  bool fromInput = false;  ///< the text comes through standard input; `file` is where it would be
  Overrides overrides;
  bool stage = false;  ///< hosts are sent the worker program where they lack it
  bool detach = false;
  bool quiet = false;
  bool json = false;
};
struct ResumeArguments {
  std::string run;
  std::optional<std::int64_t> fromStep;
  bool stage = false;
  bool detach = false;
  bool quiet = false;
  bool allowDifferentBits = false;
  bool abandonHost = false;
  bool json = false;
};
struct StopArguments {
  std::string run;
  std::string when = "step";
  bool json = false;
};
struct SubmitArguments {
  std::string file;
  bool fromInput = false;  ///< the text comes through standard input; `file` is where it would be
  std::string resumed;     ///< a run instead of a file
  Overrides overrides;
  SlurmRequest request;
  bool json = false;
};
struct VerifyArguments {
  std::string run;
  std::int64_t steps = 1;
  std::optional<std::uint64_t> seed;  ///< of the choice; else by the clock
  bool json = false;
};

// Each prints its results on stdout and its errors on stderr, and returns the exit code.
int run(const RunArguments& arguments, const CommandLine& line);
int resume(const ResumeArguments& arguments, const CommandLine& line);
int stop(const StopArguments& arguments, const CommandLine& line);
int submit(const SubmitArguments& arguments, const CommandLine& line);
int verifyRun(const VerifyArguments& arguments, const CommandLine& line);

/// For --on. A file is sent along; what it and the flags name by a path is there.
Result<RemoteTask> launchOnRemote(const RunArguments& arguments, const CommandLine& line, const Remote& remote);
Result<RemoteTask> submitOnRemote(const SubmitArguments& arguments, const CommandLine& line, const Remote& remote);

void addRunningCommands(ArgumentParser& parser);

}  // namespace slipstream::cli
