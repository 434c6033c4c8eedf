// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/cli/parser/command.h"

namespace slipstream::cli {

class ArgumentParser;

/// A study is named by its name in the store, or by its file.
struct StudyCheckArguments {
  std::string file;
  std::optional<int> control;
  bool json = false;
};
struct StudyRunArguments {
  std::string study;
  std::optional<int> control;  ///< copies of the reference to compare with it
  std::optional<int> cell;     ///< this one alone, as the queue starts it
  bool detach = false;
  bool quiet = false;
  bool json = false;
};
struct StudyPauseArguments {
  std::string study;
  bool json = false;
};
struct StudyStatusArguments {
  std::string study;  ///< empty: all of the store
  bool json = false;
};
struct StudyVerdictArguments {
  std::string study;
  std::string language = "en";
  bool json = false;
};
struct StudyAddSeedsArguments {
  std::string study;
  std::int64_t count = 0;
  bool json = false;
};
struct StudyReportArguments {
  std::string study;
  std::string output;
  std::string language = "en";
  std::string paperSize = "a4";
  bool json = false;
};

// Each prints its results on stdout and its errors on stderr, and returns the exit code.
int studyCheck(const StudyCheckArguments& arguments, const CommandLine& line);
int studyRun(const StudyRunArguments& arguments, const CommandLine& line);
int studyPause(const StudyPauseArguments& arguments, const CommandLine& line);
int studyStatus(const StudyStatusArguments& arguments, const CommandLine& line);
int studyVerdict(const StudyVerdictArguments& arguments, const CommandLine& line);
int studyAddSeeds(const StudyAddSeedsArguments& arguments, const CommandLine& line);
int studyReport(const StudyReportArguments& arguments, const CommandLine& line);

void addStudiesCommands(ArgumentParser& parser);

}  // namespace slipstream::cli
