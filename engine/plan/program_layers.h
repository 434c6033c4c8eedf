// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/experiment_file.h"
#include "engine/spec/stage_plan.h"

namespace slipstream {

/// The layers that the program of an experiment's network has described.
using ProgramQuestion = std::function<Result<std::vector<LayerSpec>>(const Experiment& experiment)>;

/// Starts the program and asks it.
Result<std::vector<LayerSpec>> askProgramLayers(const Experiment& experiment);

/// askProgramLayers that starts a program once for each network and data set that it is asked about, however many
/// variants have them. For many threads.
class CachedDescriptions {
 public:
  Result<std::vector<LayerSpec>> operator()(const Experiment& experiment);

 private:
  std::mutex mutex_;
  std::map<std::string, Result<std::vector<LayerSpec>>> answers_;
};

/// Those of this process.
Result<std::vector<LayerSpec>> askOnce(const Experiment& experiment);

/// What is left open where nobody may ask; nothing where no program has to be asked.
std::optional<Failure> unaskedProgram(const LoadedExperiment& loaded);

/// Puts the layers in, of the experiment and of its stages, where the network is a program's; `folder`: where it runs.
Status resolveProgram(LoadedExperiment& loaded, const std::string& folder, const ProgramQuestion& ask);

/// What a program owns, and settings are therefore without effect.
void describeProgram(RunPlan& plan);

}  // namespace slipstream
