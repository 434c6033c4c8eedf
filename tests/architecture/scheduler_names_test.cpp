// SPDX-License-Identifier: GPL-3.0-or-later
// What is known of a scheduler is in engine/scheduler: another one shall be an entry there, and not a search for names.
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

namespace fs = std::filesystem;

/// Files that write the name of a variable of a job's into the program, as "SLURM_JOB_ID".
std::set<std::string> filesThatNameVariables() {
  static const std::regex variable(R"re("(SLURM|PBS|LSB|PE)_\w+)re");
  std::set<std::string> files;
  for (const char* folder : {"engine", "app", "ui"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SLIPSTREAM_SOURCE) / folder)) {
      const std::string ending = entry.path().extension().string();
      if (ending != ".cpp" && ending != ".h") continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) {
        if (std::regex_search(line, variable)) files.insert(fs::relative(entry.path(), SLIPSTREAM_SOURCE).string());
      }
    }
  }
  return files;
}

/// The other two take lists of nodes in Slurm's notation from people, and call them as Slurm does.
TEST(SchedulerNames, AreInOnePlace) {
  const std::set<std::string> expected{"engine/rank_table/rank_table_slurm.cpp", "engine/scheduler/scheduler.cpp",
                                       "ui/rank_table/generate_panel.cpp"};
  EXPECT_EQ(filesThatNameVariables(), expected);
}

}  // namespace
}  // namespace slipstream
