// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/base/files.h"
#include "tests/faults/damaged.h"

namespace slipstream::test {
namespace {

std::vector<std::string> textsUnder(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<std::string> texts;
  for (const auto& file : files) texts.push_back(readFile(file).value_or(""));
  return texts;
}

}  // namespace

void tryTexts(Tally& tally, const TrialSettings& settings, int count) {
  const auto tables = textsUnder(SLIPSTREAM_SOURCE "/tests/cases/rank_tables");
  std::vector<std::string> experiments = textsUnder(SLIPSTREAM_SOURCE "/experiments");
  for (const auto& more : {textsUnder(SLIPSTREAM_SOURCE "/tests/cases/experiments"), tables})
    experiments.insert(experiments.end(), more.begin(), more.end());
  if (experiments.empty()) {
    tally.skipped = "the experiments of the source are not there";
    return;
  }
  const auto file = settings.folder / "damaged.json";
  const std::vector<DamagedKind> kinds{{"check", experiments, file, {"check", file.string()}, true},
                                       {"plan", experiments, file, {"plan", file.string()}, true},
                                       {"rank-table", tables, file, {"rank-table", "fix", file.string()}, true}};
  const int each = (count + static_cast<int>(kinds.size()) - 1) / static_cast<int>(kinds.size());
  for (const DamagedKind& kind : kinds) tryDamaged(tally, settings, kind, each);
}

}  // namespace slipstream::test
