// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/parser/command.h"

namespace slipstream::cli {

class ArgumentParser;

struct ExportArguments {
  std::vector<std::string> runs;
  std::string filter;
  std::string format;
  std::vector<std::string> metrics;  ///< empty: all
  std::string output;
  bool json = false;
};
struct ImportArguments {
  std::vector<std::string> sources;
  std::string experiment;
  std::vector<std::string> metrics;  ///< --metric TAG=METRIC
  bool partial = false;
  bool json = false;
};

// Each prints its results on stdout and its errors on stderr, and returns the exit code.
int exportRuns(const ExportArguments& arguments, const CommandLine& line);
int importRuns(const ImportArguments& arguments, const CommandLine& line);

void addTrackersCommands(ArgumentParser& parser);

}  // namespace slipstream::cli
