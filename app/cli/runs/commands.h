// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/parser/command.h"

namespace slipstream::cli {

class ArgumentParser;

struct RunsArguments {
  std::vector<std::string> runs;  ///< words of a selection (run_selection.h); empty: all
  std::string filter;
  std::vector<std::string> tags;
  bool archived = false;
  bool json = false;
};
struct ShowArguments {
  std::string run;
  bool json = false;
};
struct MetricsArguments {
  std::string run;
  std::vector<std::string> metrics;
  std::string format = "csv";
};
struct LogsArguments {
  std::string run;
  std::optional<int> rank;
  bool json = false;
};
struct CompareArguments {
  std::vector<std::string> runs;
  std::string filter;
  std::string language = "en";
  bool json = false;
};
struct ReportArguments {
  std::vector<std::string> runs;
  std::string filter;
  std::string output;
  std::string language = "en";
  std::string paperSize = "a4";
  bool json = false;
};
/// `tag` and `untag`.
struct TagArguments {
  std::string tag;
  std::vector<std::string> runs;
  bool removes = false;
  bool json = false;
};
struct RenameArguments {
  std::string run;
  std::string name;  ///< empty: the one that it was started under
  bool json = false;
};
/// `archive` and `unarchive`.
struct ArchiveArguments {
  std::vector<std::string> runs;
  bool restores = false;
  bool json = false;
};
struct DeleteArguments {
  std::vector<std::string> runs;
  bool confirmed = false;
  bool dryRun = false;
  bool json = false;
};
struct PruneArguments {
  std::vector<std::string> runs;  ///< empty: all that are not archived
  bool failed = false;
  std::optional<std::int64_t> keepCheckpoints;
  bool confirmed = false;
  bool dryRun = false;
  bool json = false;
};

// Each prints its results on stdout and its errors on stderr, and returns the exit code.
int runs(const RunsArguments& arguments, const CommandLine& line);
int show(const ShowArguments& arguments, const CommandLine& line);
int metrics(const MetricsArguments& arguments, const CommandLine& line);
int logs(const LogsArguments& arguments, const CommandLine& line);
int compare(const CompareArguments& arguments, const CommandLine& line);
int reportRuns(const ReportArguments& arguments, const CommandLine& line);
int tag(const TagArguments& arguments, const CommandLine& line);
int rename(const RenameArguments& arguments, const CommandLine& line);
int archive(const ArchiveArguments& arguments, const CommandLine& line);
int deleteRuns(const DeleteArguments& arguments, const CommandLine& line);
int pruneRuns(const PruneArguments& arguments, const CommandLine& line);

void addRunsCommands(ArgumentParser& parser);

}  // namespace slipstream::cli
