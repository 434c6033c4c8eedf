// SPDX-License-Identifier: GPL-3.0-or-later
// The programs that only plan and read must start on a machine without MPI, CUDA or oneDNN; and how long each file
// takes to compile is worth a look.
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

std::string outputOf(const std::string& command) {
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  std::array<char, 4096> part{};
  while (std::fgets(part.data(), part.size(), pipe) != nullptr) output += part.data();
  pclose(pipe);
  return output;
}

void expectWithout(const std::string& name, const std::vector<std::string>& unwanted) {
  const std::filesystem::path program = std::filesystem::path(SLIPSTREAM_BUILD) / "bin" / name;
  ASSERT_TRUE(std::filesystem::exists(program)) << program << " is not built";
  const std::string libraries = outputOf("ldd '" + program.string() + "'");
  ASSERT_NE(libraries.find("libc.so"), std::string::npos) << libraries;
  for (const std::string& library : unwanted) EXPECT_EQ(libraries.find(library), std::string::npos) << libraries;
}

TEST(Programs, TheCommandLineNeedsNoMpiCudaOrOneDnn) {
  expectWithout("slipstream", {"libmpi", "libopen-rte", "libcuda", "libcudart", "libdnnl", "libQt"});
}

/// A rank sends what it has to the supervisor, which alone writes the store.
TEST(Programs, ARankNeedsNoDatabase) {
  expectWithout("slipstream-worker", {"libsqlite3", "libQt"});
}

/// CANN's functions are found when a device is opened: a program that wants them from the loader would not start
/// without.
TEST(Programs, WantNothingOfCannFromTheLoader) {
  for (const std::string name : {"slipstream", "slipstream-worker", "slipstream-desktop"}) {
    const std::filesystem::path program = std::filesystem::path(SLIPSTREAM_BUILD) / "bin" / name;
    if (!std::filesystem::exists(program)) continue;
    const std::string symbols = outputOf("nm -D --undefined-only '" + program.string() + "'");
    ASSERT_NE(symbols.find("malloc"), std::string::npos) << symbols;
    for (const char* prefix : {" acl", " Hccl", " hccl"}) EXPECT_EQ(symbols.find(prefix), std::string::npos) << name;
  }
}

TEST(Programs, TheTenSlowestFilesToCompile) {
  std::ifstream log(std::filesystem::path(SLIPSTREAM_BUILD) / ".ninja_log");
  std::map<std::string, long> milliseconds;
  for (std::string line; std::getline(log, line);) {
    std::istringstream fields(line);
    long start = 0;
    long end = 0;
    std::string stamp;
    std::string output;
    if (fields >> start >> end >> stamp >> output && output.ends_with(".o")) milliseconds[output] = end - start;
  }
  std::vector<std::pair<std::string, long>> files(milliseconds.begin(), milliseconds.end());
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
  for (std::size_t i = 0; i < std::min<std::size_t>(10, files.size()); ++i) {
    std::printf("%6.1f s  %s\n", static_cast<double>(files[i].second) / 1000.0, files[i].first.c_str());
  }
  EXPECT_FALSE(files.empty()) << "no build log: build with Ninja";
}

}  // namespace
}  // namespace slipstream
