// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/stages_file.h"
#include "engine/rank_table/allocation.h"

namespace slipstream {

/// What overrides the experiment file: the flags of `run` and `plan`. Paths here are relative to the caller's
/// folder, paths in the file to the file.
struct ExperimentOverrides {
  std::optional<int> ranks;              ///< replaces the file's rank table; beside `rankTable`: so many ranks of it
  std::optional<std::string> rankTable;  ///< replaces the file's ranks
  std::optional<std::string> hosts;      ///< "a:4,b:4", in place of a rank table
  std::optional<std::string> device;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> settings;  ///< key.path=value; the value is JSON where it parses, else text
  std::optional<std::string> name;
  bool local = false;  ///< all ranks on this machine; the rank table's servers stay Adasum's groups
  int nodes = 0;       ///< hosts that a scheduler is going to name, an even share of the ranks on each; 0: not so
};

/// Looks a variable up; nothing where it is unset or empty.
using EnvironmentLookup = std::function<std::optional<std::string>(const char*)>;

/// One experiment of a file, read and found free of contradictions. Of its data the classes were counted,
/// its rank table was not looked at.
struct LoadedExperiment {
  Experiment experiment;            ///< where there are stages, what they share
  std::vector<LoadedStage> stages;  ///< in the file's order
  std::vector<Decision> decisions;  ///< what the environment had to say
  std::string dataSource;           ///< what named the data folder: a key, a flag or DATA_PATH; empty: nothing did
  std::string rankTableSource;      ///< the same of the rank table or the hosts, where there are some
  bool dataFromFlag = false;
  bool fallBackToDigits = false;         ///< the file says: generated digits where the data is missing
  int deviceNumberHint = 0;              ///< DEVICE_NUM; 0: not set
  std::optional<Allocation> allocation;  ///< where ranks are to run that no rank table places
};

struct LoadedFile {
  std::string text;
  std::vector<LoadedExperiment> experiments;  ///< one a variant, in the file's order
};

/// Reads the text of an experiment and everything that overrides it. All failures at once. The text may not be saved
/// yet; `file` is where it will be, to which its paths are relative.
Result<LoadedFile> loadExperimentText(std::string text, const std::filesystem::path& file,
                                      const ExperimentOverrides& overrides, const EnvironmentLookup& environment);

}  // namespace slipstream
