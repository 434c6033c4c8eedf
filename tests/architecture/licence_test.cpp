// SPDX-License-Identifier: GPL-3.0-or-later
// Each source file says under which licence it is, in the form that tools read (https://spdx.dev/ids).
#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

namespace fs = std::filesystem;

bool mustNameLicence(const fs::path& file) {
  static const std::array<std::string, 7> endings{".cpp", ".h", ".cu", ".cuh", ".cmake", ".py", ".sh"};
  return std::ranges::find(endings, file.extension().string()) != endings.end() || file.filename() == "CMakeLists.txt";
}

/// Whether one of the first two lines holds the identifier: a script's first line names its interpreter.
bool saysLicence(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  for (int i = 0; i < 2 && std::getline(stream, line); ++i) {
    if (line.ends_with("SPDX-License-Identifier: GPL-3.0-or-later")) return true;
  }
  return false;
}

TEST(Licence, EverySourceFileNamesIt) {
  int files = 0;
  for (const char* folder : {"app", "cmake", "engine", "resources", "tests", "ui"}) {
    for (const auto& entry : fs::recursive_directory_iterator(fs::path(SLIPSTREAM_SOURCE) / folder)) {
      if (!entry.is_regular_file() || !mustNameLicence(entry.path())) continue;
      ++files;
      EXPECT_TRUE(saysLicence(entry.path()))
          << entry.path()
          << ": begin it with // SPDX-License-Identifier: GPL-3.0-or-later (# in CMake, Python and shell)";
    }
  }
  EXPECT_GT(files, 1000);
}

}  // namespace
}  // namespace slipstream
