// SPDX-License-Identifier: GPL-3.0-or-later
// Reads every #include of the engine, the window and the programs, and compares it with the table of who may include
// whom.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace slipstream {
namespace {

using Modules = std::set<std::string>;

/// The layers of the engine from the bottom up: a module includes itself and modules of the lines above its own.
/// Those of one line do not know each other.
const std::vector<Modules>& layers() {
  static const std::vector<Modules> table{
      {"base"},
      {"config", "record", "scheduler", "statistics"},
      {"spec"},
      {"rank_table", "interchange", "device"},
      {"probe", "cuda", "npu"},
      {"comm", "devices"},
      {"boost specs"},
      {"experiment"},
      {"plan"},
      {"store", "wire", "hosts"},
      {"runs", "slurm", "hub", "nn", "data"},
      {"analysis", "boost", "remote"},
      {"document", "study"},
      {"latex", "study_results"},
      {"report", "backends", "trackers"},
      {"paper"},
      {"launch", "train"},
      {"program"},
  };
  return table;
}

/// Modules that may not be included although they lie below: who computes does not know the store, and who plans or
/// shows does not know what computes.
const std::map<std::string, Modules>& exceptions() {
  static const Modules computing{"device", "cuda", "npu",   "devices",  "comm",
                                 "nn",     "data", "boost", "backends", "train"};
  static const Modules storing{"store", "runs",     "slurm", "remote", "analysis", "document", "report",
                               "study", "trackers", "paper", "launch", "hub",      "latex",    "study_results"};
  static const std::map<std::string, Modules> table{
      {"probe", computing},      {"boost specs", computing},
      {"experiment", computing}, {"plan", computing},
      {"store", computing},      {"wire", computing},
      {"hosts", computing},      {"runs", computing},
      {"slurm", computing},      {"remote", computing},
      {"analysis", computing},   {"document", computing},
      {"report", computing},     {"launch", computing},
      {"study", computing},      {"trackers", computing},
      {"nn", storing},           {"data", storing},
      {"boost", storing},        {"backends", storing},
      {"train", storing},        {"program", storing},
      {"paper", computing},      {"hub", computing},
      {"latex", computing},      {"study_results", computing},
  };
  return table;
}

std::map<std::string, Modules> includeRules() {
  std::map<std::string, Modules> rules;
  Modules below;
  for (const Modules& layer : layers()) {
    for (const std::string& module : layer) {
      Modules& allowed = rules["engine/" + module];
      for (const std::string& lower : below) {
        const auto without = exceptions().find(module);
        if (without == exceptions().end() || !without->second.contains(lower)) allowed.insert("engine/" + lower);
      }
    }
    below.insert(layer.begin(), layer.end());
  }
  const Modules computing{"device", "cuda",  "npu",      "devices", "comm",   "nn",
                          "data",   "boost", "backends", "train",   "program"};
  Modules reading;
  Modules training;
  for (const std::string& module : below) {
    if (!computing.contains(module)) reading.insert("engine/" + module);
    if (!exceptions().at("train").contains(module)) training.insert("engine/" + module);
  }
  rules["ui"] = rules["app/cli"] = reading;
  rules["ui"].erase("engine/wire");
  rules["app/desktop"] = rules["ui"];
  rules["app/desktop"].insert("ui");
  rules["app/loopback"] = {};
  rules["app/library"] = training;
  training.erase("engine/program");
  rules["app/worker"] = training;
  return rules;
}

/// The folders of the window from the bottom up, by the same rule.
const std::vector<Modules>& windowLayers() {
  static const std::vector<Modules> table{
      {"store", "theme"},
      {"widgets"},
      {"documents", "launch"},
      {"workspace"},
      {"charts", "panel"},
      {"report"},
      {"checkpoints", "compare", "experiment", "layers", "rank_table", "ranks", "runs", "study"},
      {"window"},
  };
  return table;
}

/// The folders of the command line from the bottom up, by the same rule.
const std::vector<Modules>& commandLineLayers() {
  static const std::vector<Modules> table{
      {"streams"},         {"parser"},      {"store"},   {"remotes"},  {"planning"},
      {"running", "runs"}, {"checkpoints"}, {"studies"}, {"trackers"},
  };
  return table;
}

/// What the algorithms are, which lies in the folders of what computes and is a module of its own.
bool isBoostSpec(const std::string& path) {
  static const std::regex pattern(R"(engine/boost/(algorithms|algorithm_spec|metrics|sharding|\w+/spec\w*)\.(h|cpp))");
  return std::regex_match(path, pattern);
}

/// "engine/plan/run_plan.h" -> "engine/plan"
std::string moduleOf(const std::string& path) {
  if (isBoostSpec(path)) return "engine/boost specs";
  if (path.starts_with("ui/")) return "ui";
  const auto second = path.find('/', path.find('/') + 1);
  return path.substr(0, second);
}

bool isSource(const std::filesystem::path& path) {
  static const std::set<std::string> endings{".h", ".cpp", ".cu"};
  return endings.contains(path.extension().string());
}

struct Include {
  std::string file;  ///< relative to the root
  std::string target;
};

/// Of the files of a module.
std::vector<Include> includesOf(const std::string& module) {
  const std::filesystem::path root = SLIPSTREAM_SOURCE;
  const std::string folder = module == "engine/boost specs" ? "engine/boost" : module;
  static const std::regex pattern(R"(^\s*#include\s+\"((?:engine|app|ui|tests)/[^\"]+)\")");
  std::vector<Include> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
    if (!entry.is_regular_file() || !isSource(entry.path())) continue;
    const std::string path = std::filesystem::relative(entry.path(), root).string();
    if (isBoostSpec(path) != (module == "engine/boost specs")) continue;
    std::ifstream file(entry.path());
    std::smatch match;
    for (std::string line; std::getline(file, line);) {
      if (!std::regex_search(line, match, pattern)) continue;
      found.push_back({path, match[1].str()});
    }
  }
  return found;
}

TEST(IncludeRules, NoModuleIncludesOneThatItMayNot) {
  int checked = 0;
  for (const auto& [module, allowed] : includeRules()) {
    for (const Include& include : includesOf(module)) {
      const std::string target = moduleOf(include.target);
      ++checked;
      EXPECT_TRUE(target == module || allowed.contains(target))
          << include.file << " includes " << include.target << ", but " << module << " may not include " << target;
    }
  }
  EXPECT_GT(checked, 1000) << "the includes were not found";
}

/// Files that lie directly in `root` are the mains, which know every folder.
int expectLayers(const std::string& root, const std::vector<Modules>& layers) {
  std::map<std::string, std::size_t> level;
  for (std::size_t index = 0; index < layers.size(); ++index) {
    for (const std::string& folder : layers[index]) level[folder] = index;
  }
  int checked = 0;
  const std::size_t begin = root.size() + 1;
  const auto folderOf = [&](const std::string& path) { return path.substr(begin, path.find('/', begin) - begin); };
  for (const Include& include : includesOf(root)) {
    if (!include.target.starts_with(root + "/") || include.file.find('/', begin) == std::string::npos) continue;
    const std::string from = folderOf(include.file);
    const std::string to = folderOf(include.target);
    ++checked;
    EXPECT_TRUE(level.contains(from) && level.contains(to)) << include.file << " includes " << include.target;
    EXPECT_TRUE(from == to || level[to] < level[from]) << include.file << " includes " << include.target;
  }
  return checked;
}

TEST(IncludeRules, FoldersOfTheWindowIncludeOnlyLowerOnes) {
  EXPECT_GT(expectLayers("ui", windowLayers()), 100) << "the includes were not found";
}

TEST(IncludeRules, FoldersOfTheCommandLineIncludeOnlyLowerOnes) {
  EXPECT_GT(expectLayers("app/cli", commandLineLayers()), 100) << "the includes were not found";
}

TEST(IncludeRules, EveryModuleOfTheEngineIsInTheTable) {
  const auto rules = includeRules();
  for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(SLIPSTREAM_SOURCE) / "engine")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(rules.contains("engine/" + entry.path().filename().string())) << entry.path();
  }
}

/// A header is public where another module includes it. base and spec are vocabularies, and each algorithm brings a
/// spec.
TEST(IncludeRules, ModulesHaveAtMostTenPublicHeaders) {
  constexpr std::size_t most = 10;
  const Modules unlimited{"engine/base", "engine/spec", "engine/boost specs", "ui"};
  std::map<std::string, std::set<std::string>> headers;
  for (const auto& [module, allowed] : includeRules()) {
    for (const Include& include : includesOf(module)) {
      if (moduleOf(include.target) != module) headers[moduleOf(include.target)].insert(include.target);
    }
  }
  EXPECT_GT(headers.size(), 10u);
  for (const auto& [module, names] : headers) {
    std::printf("%3zu public headers  %s\n", names.size(), module.c_str());
    if (unlimited.contains(module)) continue;
    EXPECT_LE(names.size(), most) << module << " has too many public headers: merge some, or keep them inside";
  }
}

/// Of the engine, the window and the programs. What an algorithm is (isBoostSpec) counts as a folder of its own.
std::string folderOf(const std::string& path) {
  return (isBoostSpec(path) ? "specs: " : "") + path.substr(0, path.rfind('/'));
}

bool isInside(const std::string& folder, const std::string& other) {
  return folder == other || folder.starts_with(other + "/");
}

/// A folder may know those inside it and be known by them; two others that include each other have one subject.
TEST(IncludeRules, NoTwoFoldersIncludeEachOther) {
  std::set<std::pair<std::string, std::string>> pairs;
  for (const auto& [module, allowed] : includeRules()) {
    for (const Include& include : includesOf(module)) pairs.emplace(folderOf(include.file), folderOf(include.target));
  }
  EXPECT_GT(pairs.size(), 300u) << "the includes were not found";
  for (const auto& [from, to] : pairs) {
    if (isInside(to, from) || isInside(from, to)) continue;
    EXPECT_FALSE(pairs.contains({to, from})) << from << " and " << to;
  }
}

/// A module is what one person can read in a day. Layers and algorithms are folders of their own inside theirs, as the
/// pages of the window and the commands are.
TEST(IncludeRules, ModulesAreSmall) {
  constexpr int most = 4500;
  const Modules unlimited{"engine/nn", "engine/boost", "engine/boost specs", "ui", "app/cli"};
  for (const auto& [module, allowed] : includeRules()) {
    if (unlimited.contains(module)) continue;
    int lines = 0;
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::filesystem::path(SLIPSTREAM_SOURCE) / module)) {
      if (!entry.is_regular_file() || !isSource(entry.path())) continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) ++lines;
    }
    EXPECT_GT(lines, 0) << module;
    EXPECT_LE(lines, most) << module << " is too large: give one of its subjects a module of its own";
  }
}

TEST(IncludeRules, MpiStaysInOneFile) {
  const std::filesystem::path root = SLIPSTREAM_SOURCE;
  int including = 0;
  for (const char* folder : {"engine", "app"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (!entry.is_regular_file() || !isSource(entry.path())) continue;
      std::ifstream file(entry.path());
      for (std::string line; std::getline(file, line);) including += line.starts_with("#include <mpi.h>") ? 1 : 0;
    }
  }
  EXPECT_EQ(including, 1);
}

}  // namespace
}  // namespace slipstream
