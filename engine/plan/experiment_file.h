// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/plan/plan_file.h"
#include "engine/plan/stages_file.h"

namespace slipstream {

/// One experiment of a file, read and found free of contradictions. Of its data the classes were counted,
/// its rank table was not looked at.
struct LoadedExperiment {
  Experiment experiment;            ///< where there are stages, what they share
  std::vector<LoadedStage> stages;  ///< in the file's order
  std::vector<Decision> decisions;  ///< what the environment had to say
  std::string dataSource;           ///< what named the data folder: a key, a flag or DATA_PATH; empty: nothing did
  std::string rankTableSource;      ///< the same of the rank table, where there is one
  bool dataFromFlag = false;
  bool fallBackToDigits = false;  ///< the file says: generated digits where the data is missing
  int deviceNumberHint = 0;       ///< DEVICE_NUM; 0: not set
};

struct LoadedFile {
  std::string text;
  std::vector<LoadedExperiment> experiments;  ///< one a variant, in the file's order
};

/// Reads a file and everything that stands above it. All failures at once.
Result<LoadedFile> loadExperiments(const std::filesystem::path& file, const ExperimentOverrides& overrides,
                                   const EnvironmentLookup& environment);

/// The same of a text that may not be saved yet; `file` is where it will stand, to which its paths are relative.
Result<LoadedFile> loadExperimentText(std::string text, const std::filesystem::path& file,
                                      const ExperimentOverrides& overrides, const EnvironmentLookup& environment);

}  // namespace slipstream
