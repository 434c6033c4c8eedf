// SPDX-License-Identifier: GPL-3.0-or-later
// Reads every #include of the engine and the programs, and holds it against the table of who may include whom.
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

using Rooms = std::set<std::string>;

const std::map<std::string, Rooms>& doors() {
  static const std::map<std::string, Rooms> table{
      {"engine/base", {}},
      {"engine/interchange", {"engine/base"}},
      {"engine/plan", {"engine/base", "engine/interchange"}},
      {"engine/record", {"engine/base", "engine/interchange", "engine/plan"}},
      {"engine/wire", {"engine/base", "engine/plan", "engine/record"}},
      {"engine/launch", {"engine/base", "engine/plan", "engine/record", "engine/wire"}},
      {"engine/device", {"engine/base"}},
      {"engine/comm", {"engine/base", "engine/device"}},
      {"engine/nn", {"engine/base", "engine/plan", "engine/device"}},
      {"engine/data", {"engine/base", "engine/plan", "engine/device"}},
      {"engine/boost", {"engine/base", "engine/plan", "engine/device", "engine/comm", "engine/nn"}},
      {"engine/backends", {"engine/base", "engine/device", "engine/comm", "engine/nn", "engine/boost"}},
      {"engine/train",
       {"engine/base", "engine/interchange", "engine/plan", "engine/device", "engine/comm", "engine/nn", "engine/data",
        "engine/boost", "engine/backends", "engine/wire"}},
      {"ui", {"engine/base", "engine/plan", "engine/record", "engine/launch"}},
      {"app/desktop", {"engine/base", "engine/plan", "engine/record", "engine/launch", "ui"}},
      {"app/cli", {"engine/base", "engine/interchange", "engine/plan", "engine/record", "engine/launch"}},
      {"app/loopback", {}},
      {"app/worker",
       {"engine/base", "engine/interchange", "engine/plan", "engine/record", "engine/wire", "engine/device",
        "engine/comm", "engine/nn", "engine/data", "engine/boost", "engine/backends", "engine/train"}},
  };
  return table;
}

/// "engine/plan/rank_table.h" -> "engine/plan"
std::string roomOf(const std::string& path) {
  if (path.starts_with("ui/")) return "ui";
  const auto second = path.find('/', path.find('/') + 1);
  return path.substr(0, second);
}

bool isSource(const std::filesystem::path& path) {
  static const std::set<std::string> endings{".h", ".cpp", ".cu"};
  return endings.contains(path.extension().string());
}

TEST(Doors, NoRoomIncludesARoomItMayNot) {
  const std::filesystem::path root = SLIPSTREAM_SOURCE;
  const std::regex include(R"(^\s*#include\s+\"((?:engine|app|ui|tests)/[^\"]+)\")");
  int checked = 0;
  for (const auto& [room, mayInclude] : doors()) {
    if (!std::filesystem::exists(root / room)) continue;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / room)) {
      if (!entry.is_regular_file() || !isSource(entry.path())) continue;
      std::ifstream file(entry.path());
      std::smatch match;
      for (std::string line; std::getline(file, line);) {
        if (!std::regex_search(line, match, include)) continue;
        const std::string target = roomOf(match[1].str());
        ++checked;
        EXPECT_TRUE(target == room || mayInclude.contains(target))
            << entry.path().string() << " includes " << match[1] << ", but " << room << " may not include " << target;
      }
    }
  }
  EXPECT_GT(checked, 50) << "the includes were not found";
}

TEST(Doors, EveryRoomOfTheEngineStandsInTheTable) {
  const std::filesystem::path root = std::filesystem::path(SLIPSTREAM_SOURCE) / "engine";
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(doors().contains("engine/" + entry.path().filename().string())) << entry.path();
  }
}

TEST(Doors, MpiStaysInOneFile) {
  const std::filesystem::path root = SLIPSTREAM_SOURCE;
  int including = 0;
  for (const char* room : {"engine", "app"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / room)) {
      if (!entry.is_regular_file() || !isSource(entry.path())) continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) including += line.starts_with("#include <mpi.h>") ? 1 : 0;
    }
  }
  EXPECT_EQ(including, 1);
}

}  // namespace
}  // namespace slipstream
