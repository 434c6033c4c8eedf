// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/program_layers.h"

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/boost/algorithms.h"
#include "engine/boost/sharding.h"
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

/// A key that the engine's own passes or data read, and a program does not.
struct KeyOfTheEngine {
  const char* path;
  bool ofSamples;  ///< without effect only where the samples are the program's too
  Text (*why)();
  const char* remedy;
};

Text computesLoss() {
  return phrase("the program computes the loss");
}
Text evaluatesItself() {
  return phrase("the program evaluates its network itself");
}
Text readsSamples() {
  return phrase("the program reads its samples itself");
}

constexpr const char* lossRemedy = "remove it, and choose the loss in the program";
constexpr const char* samplesRemedy = "remove it, and read the samples so in the program";

constexpr KeyOfTheEngine keysOfTheEngine[]{
    {"loss.name", false, computesLoss, lossRemedy},
    {"loss.smooth_factor", false, computesLoss, lossRemedy},
    {"loss.sparse", false, computesLoss, lossRemedy},
    {"train.evaluate_every_steps", false, evaluatesItself,
     "remove it, and evaluate in the program (record accuracy, evaluation_loss)"},
    {"dataset.shuffle", true, readsSamples, samplesRemedy},
    {"dataset.mean", true, readsSamples, samplesRemedy},
    {"dataset.deviation", true, readsSamples, samplesRemedy},
    {"dataset.augment", true, readsSamples, samplesRemedy},
    {"dataset.decode_threads", true, readsSamples, samplesRemedy},
    {"dataset.prefetch_batches", true, readsSamples, samplesRemedy},
};

/// Null where the form has no such key.
const Json* valueAt(const Json& form, const std::string& path) {
  const Json* value = &form;
  for (const std::string& key : split(path, '.')) {
    if (!value->is_object() || !value->contains(key)) return nullptr;
    value = &value->at(key);
  }
  return value;
}

void describeKeysOfTheEngine(RunPlan& plan) {
  const DatasetKind& kind = kindOf(plan.experiment.dataset);
  Experiment usual;
  usual.dataset.mean = kind.mean;
  usual.dataset.deviation = kind.deviation;
  const Json written = toJson(plan.experiment);
  const Json unwritten = toJson(usual);
  for (const KeyOfTheEngine& key : keysOfTheEngine) {
    if (key.ofSamples && !kind.ofProgram) continue;
    const Json* value = valueAt(written, key.path);
    const Json* normal = valueAt(unwritten, key.path);
    if (value == nullptr || (normal != nullptr && *value == *normal)) continue;
    const std::string text = value->is_string() ? value->get<std::string>() : value->dump();
    decide(plan, warning(noEffect(key.path, text, Reason::network, key.why()), key.remedy));
  }
}

}  // namespace

Result<std::vector<LayerSpec>> askProgramLayers(const Experiment& experiment) {
  const NetworkSpec& network = experiment.network;
  SLIPSTREAM_TRY(text, askForTensors({network.program, network.folder}, toJsonText(experiment)));
  return readLayers(text);
}

Result<std::vector<LayerSpec>> CachedDescriptions::operator()(const Experiment& experiment) {
  const Json whole = toJson(experiment);
  const std::string key = whole.at("network").dump() + whole.at("dataset").dump();
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = answers_.find(key);
  if (found != answers_.end()) return found->second;
  return answers_.emplace(key, askProgramLayers(experiment)).first->second;
}

Result<std::vector<LayerSpec>> askOnce(const Experiment& experiment) {
  static CachedDescriptions answers;
  return answers(experiment);
}

std::optional<Failure> unaskedProgram(const LoadedExperiment& loaded) {
  const auto ofExperiment = [](const Experiment& experiment) -> std::optional<Failure> {
    const NetworkSpec& network = experiment.network;
    if (!network.isProgram() || !network.layers.empty()) return std::nullopt;
    return Failure{"network.program", join(network.program, " "),
                   "was not started, so what depends on its tensors is not checked",
                   "plan the experiment, which asks the program: slipstream plan FILE"};
  };
  for (const LoadedStage& stage : loaded.stages) {
    if (auto unasked = ofExperiment(stage.experiment)) return unasked;
  }
  return ofExperiment(loaded.experiment);
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
  describeKeysOfTheEngine(plan);
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
