// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/parser/command.h"
#include "app/cli/planning/overrides.h"
#include "engine/slurm/batch_script.h"

namespace slipstream::cli {

class ArgumentParser;

struct PlanArguments {
  std::string file;
  Overrides overrides;
  bool slurm = false;  ///< the batch scripts of `submit` alone
  SlurmRequest request;
  bool json = false;
};
struct CheckArguments {
  std::vector<std::string> files;
  bool rankTablesOnly = false;
  bool json = false;
};
struct DevicesArguments {
  std::optional<std::string> device;  ///< a name, or check:ONE,OTHER
  bool json = false;
};
struct RankTableNewArguments {
  std::string devices;
  std::vector<std::string> visibleDevices;
  std::string server;
  std::vector<std::string> addresses;
  std::vector<std::string> hosts;
  std::string output;
  bool json = false;
};
struct RankTableMergeArguments {
  std::vector<std::string> files;
  std::string output;
  bool json = false;
};
struct RankTableConvertArguments {
  std::string file;
  std::string to;
  std::string output;
  bool json = false;
};
struct RankTableFixArguments {
  std::string file;
  std::string output;
  bool json = false;
};
struct RankTableDryRunArguments {
  std::string file;
  bool local = false;
  bool json = false;
};
struct HostsCheckArguments {
  std::string file;
  std::string hosts;  ///< a:4,b:4, in place of a file
  bool stage = false;
  bool fromInput = false;  ///< the text comes through standard input
  bool json = false;
};
struct SchemaArguments {
  std::string of = "experiment";  ///< or "study": the files that are described
  bool json = false;              ///< as every command has it: what is printed is JSON in any case
};

// Each prints its results on stdout and its errors on stderr, and returns the exit code.
int plan(const PlanArguments& arguments, const CommandLine& line);
int check(const CheckArguments& arguments, const CommandLine& line);
int devices(const DevicesArguments& arguments, const CommandLine& line);
int rankTableNew(const RankTableNewArguments& arguments, const CommandLine& line);
int rankTableMerge(const RankTableMergeArguments& arguments, const CommandLine& line);
int rankTableConvert(const RankTableConvertArguments& arguments, const CommandLine& line);
int rankTableFix(const RankTableFixArguments& arguments, const CommandLine& line);
int rankTableDryRun(const RankTableDryRunArguments& arguments, const CommandLine& line);
int hostsCheck(const HostsCheckArguments& arguments, const CommandLine& line);
int schema(const SchemaArguments& arguments, const CommandLine& line);

/// For --on: a file is sent along.
Result<RemoteTask> hostsCheckOnRemote(const HostsCheckArguments& arguments, const CommandLine& line,
                                      const Remote& remote);

void addPlanningCommands(ArgumentParser& parser);

}  // namespace slipstream::cli
