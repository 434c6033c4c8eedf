// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/support/interplay_pairs.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace slipstream::test {

using nlohmann::json;

namespace {

std::vector<Algorithm> readAlgorithms() {
  const std::filesystem::path folder = std::filesystem::path(SLIPSTREAM_SOURCE) / "tests/train/interplay";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  std::ranges::sort(files);
  std::vector<Algorithm> algorithms;
  for (const std::filesystem::path& file : files) {
    std::ifstream text(file);
    const auto entries = nlohmann::ordered_json::parse(text);
    for (const auto& [name, entry] : entries.items()) {
      algorithms.push_back({name, entry.at("changes").dump(), file.stem().string(),
                            entry.value("refused_with", std::vector<std::string>{})});
    }
  }
  return algorithms;
}

bool refuses(const Algorithm& one, const Algorithm& other) {
  return std::ranges::find(one.refusedWith, other.name) != one.refusedWith.end();
}

}  // namespace

const std::vector<Algorithm>& interplayAlgorithms() {
  static const std::vector<Algorithm> algorithms = readAlgorithms();
  return algorithms;
}

bool isPair(const Algorithm& a, const Algorithm& b) {
  return a.file != b.file;
}

bool mayBeRefused(const Algorithm& a, const Algorithm& b) {
  return refuses(a, b) || refuses(b, a);
}

json inStages(json experiment, const json& snapshots) {
  json& boost = experiment["boost"]["dictionary"]["boost"];
  if (!boost.value("dim_reduce", false)) return experiment;
  const json with = experiment["boost"];
  boost["dim_reduce"] = false;
  experiment["boost"]["dictionary"].erase("dim_reduce");
  experiment["stages"] =
      json::array({{{"name", "before"}, {"train", {{"snapshots", snapshots}}}}, {{"name", "after"}, {"boost", with}}});
  return experiment;
}

}  // namespace slipstream::test
