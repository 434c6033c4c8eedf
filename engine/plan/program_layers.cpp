// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/program_layers.h"

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/experiment/experiment_check.h"
#include "engine/experiment/network_file.h"
#include "engine/experiment/resolved_form.h"
#include "engine/plan/resolve.h"
#include "engine/probe/dataset_kind.h"
#include "engine/probe/own_program.h"

namespace slipstream {
namespace {

Result<std::vector<LayerSpec>> readLayers(const std::string& text) {
  SLIPSTREAM_TRY(value, parseJson(text, describedTensorsFile));
  NetworkSection section;
  Failures failures;
  readFields(value, "", failures, [&](Fields& fields) { describeNetwork(fields, section); });
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  section.program.emplace(1, "program");
  SLIPSTREAM_TRY(network, networkOf(section));
  return std::move(network.layers);
}

Status fill(Experiment& experiment, const std::string& folder, const ProgramQuestion& ask) {
  NetworkSpec& network = experiment.network;
  network.folder = folder;
  if (network.layers.empty()) {
    SLIPSTREAM_TRY(layers, ask(experiment));
    network.layers = std::move(layers);
  }
  const Failures failures = checkExperiment(experiment);
  if (!failures.empty()) return tl::unexpected(failures);
  return {};
}

}  // namespace

Result<std::vector<LayerSpec>> askProgramLayers(const Experiment& experiment) {
  const NetworkSpec& network = experiment.network;
  SLIPSTREAM_TRY(text, askForTensors({network.program, network.folder}, toJsonText(experiment)));
  return readLayers(text);
}

Result<std::vector<LayerSpec>> RememberedAnswers::operator()(const Experiment& experiment) {
  const Json whole = toJson(experiment);
  const std::string key = whole.at("network").dump() + whole.at("dataset").dump();
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = answers_.find(key);
  if (found != answers_.end()) return found->second;
  return answers_.emplace(key, askProgramLayers(experiment)).first->second;
}

Result<std::vector<LayerSpec>> askOnce(const Experiment& experiment) {
  static RememberedAnswers answers;
  return answers(experiment);
}

Status resolveProgram(LoadedExperiment& loaded, const std::string& folder, const ProgramQuestion& ask) {
  Failures failures;
  const auto resolve = [&](Experiment& experiment) {
    if (!experiment.network.isProgram()) return;
    const Status filled = fill(experiment, folder, ask);
    if (!filled) addOnce(failures, filled.error());
  };
  resolve(loaded.experiment);
  for (LoadedStage& stage : loaded.stages) resolve(stage.experiment);
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

void describeProgram(RunPlan& plan) {
  const Experiment& experiment = plan.experiment;
  if (!experiment.network.isProgram()) return;
  std::size_t tensors = 0;
  for (const LayerSpec& layer : experiment.network.layers) tensors += layer.tensors.size();
  decide(plan,
         adjusted("network.program", experiment.network.program.front(), Reason::written,
                  phrase("a program of your own computes the network and its loss: {} in {}, as it described them; "
                         "activations and evaluations are its own",
                         {countedText(static_cast<std::int64_t>(tensors), "tensor"),
                          countedText(std::ssize(experiment.network.layers), "layer")})));
  if (experiment.ampLevel != "O0") {
    decide(plan, noEffect("precision.amp_level", experiment.ampLevel, Reason::network,
                          phrase("the program owns the network, and the types of its values")));
  }
  const bool cut = shardsGradients(experiment);
  if (cut) {
    decide(plan, adjusted("optimizer_parallel.gradients", "whole", Reason::network,
                          phrase("the program keeps its gradients at one place: each is copied to its shard when it is "
                                 "ready")));
  }
  if (shardsWeights(experiment)) {
    decide(plan, adjusted("optimizer_parallel.weights", "whole", Reason::network,
                          phrase("the program keeps its weights at one place: they are gathered before each step")));
  }
}

}  // namespace slipstream
