// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <iostream>
#include <iterator>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/worker/modes.h"
#include "app/worker/output_file.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/comm/thread_communicator.h"
#include "engine/devices/open_device.h"
#include "engine/experiment/resolved_form.h"
#include "engine/interchange/element_values.h"
#include "engine/interchange/tensor_file.h"
#include "engine/interchange/weight_match.h"
#include "engine/plan/network_memory.h"
#include "engine/plan/planned_files.h"
#include "engine/probe/weight_files.h"
#include "engine/train/evaluate.h"
#include "engine/train/refresh_statistics.h"

namespace slipstream::worker {
namespace {

template <class T>
T valueOf(Result<T> result) {
  if (!result) throw Error(toText(result.error()));
  return std::move(*result);
}

Result<std::shared_ptr<TensorSource>> sourceOf(const std::vector<std::string>& words) {
  if (words.empty() || words.size() > 2) throw Error("--evaluate needs the file of the weights");
  SLIPSTREAM_TRY(file, TensorFile::open(words.front()));
  SLIPSTREAM_CHECK(file->requireCrc());
  return std::shared_ptr<TensorSource>(std::move(file));
}

int refusal(const Failures& failures) {
  std::cerr << toText(failures);
  return 2;
}

/// Weights alone have no running statistics: those of the training set are made, as a stage with refresh_statistics
/// does.
void refresh(NetworkPasses& passes, ParameterStore& weights, const Experiment& experiment, const SampleSource& training,
             std::int64_t samplesAtOnce, Communicator& alone) {
  DatasetSpec dataset = experiment.dataset;
  dataset.batchSize = std::min({dataset.batchSize, samplesAtOnce, training.count()});
  Sampler sampler(dataset, training.count(), experiment.seed, 0, 1);
  Loader loader(
      training, [&](std::int64_t step) { return sampler.selectionOf(step); },
      loaderOptions(dataset, dataset.batchSize, sampler.stepsPerEpoch()));
  refreshStatistics(passes, weights, experiment.network, {loader, 0, sampler.stepsPerEpoch(), samplesAtOnce}, alone);
}

/// JSON knows neither NaN nor infinities.
nlohmann::json jsonNumber(double value) {
  if (std::isfinite(value)) return value;
  return numberText(value);
}

/// Names of the tensors that hold NaN or an infinite value.
Result<std::vector<std::string>> load(const WeightMatch& match, Network& network, ParameterStore& weights) {
  std::vector<std::string> notFinite;
  for (const FlatTensor& tensor : network.layout().tensors()) {
    const std::span<float> values = weights.acquire(tensor.range);
    SLIPSTREAM_CHECK(match.read(tensor.spec.name, values));
    if (!allFinite(values)) notFinite.push_back(tensor.spec.name);
  }
  for (const NetworkState& state : network.states()) {
    if (!match.has(state.name)) continue;
    SLIPSTREAM_CHECK(match.read(state.name, state.values));
    if (!allFinite(state.values)) notFinite.push_back(state.name);
  }
  return notFinite;
}

/// "PLACE: …; remedy" of weights that were trained in a network which computes otherwise; empty where there is none.
std::string warningOf(const WeightMatch& match, const NetworkSpec& network, const NetworkShape& shape) {
  const auto otherwise = conventionsWarning(match.report(), network, shape);
  return otherwise ? fmt::format("{} {}: {}; {}", otherwise->subject, otherwise->state, otherwise->why.in(),
                                 otherwise->remedy)
                   : "";
}

int evaluateMatch(const WeightMatch& match, const Experiment& experiment, const SampleSource& samples,
                  OutputFile* outputs) {
  const NetworkShape shape = valueOf(networkShape(experiment.network, samples.shape()));
  const std::int64_t samplesAtOnce =
      samplesAtOnceIn(planMemory(experiment.network, shape, imageType(experiment), Convolutions::plain));
  MemoryMeter meter;
  const auto device = valueOf(openDevice(cpuKind(), 0, meter));
  const auto network = makeNetwork(experiment.network, samples.shape(), samplesAtOnce, imageType(experiment), *device);
  WholeParameterStore weights(*device, network->layout().size(), MemoryCategory::weights);
  const auto notFinite = load(match, *network, weights);
  if (!notFinite) return refusal(notFinite.error());
  std::optional<PartContent> training;
  if (match.report().lacksStatisticsOnly) {
    auto found = loadPart(experiment.dataset, DataPart::training, experiment.seed);
    if (!found) return refusal(found.error());
    training = std::move(*found);
  }
  Evaluation evaluation;
  NetworkPasses passes(*network, experiment.loss, *device, makeDeviceLoss(*device),
                       makeImageInput(*device, normalizationOf(experiment.dataset, samples.shape().channels)));
  runThreadRanks(1, [&](Communicator& alone) {
    if (training) {
      const auto seen = makeSource(*training, experiment.dataset, DataPart::training, experiment.seed);
      refresh(passes, weights, experiment, *seen, samplesAtOnce, alone);
    }
    evaluation = evaluate(passes, weights, experiment.dataset, samples, samplesAtOnce, alone, outputs);
  });
  if (outputs != nullptr) {
    const Status written = outputs->commit();
    if (!written) return refusal(written.error());
  }
  std::cout << nlohmann::json{{"refreshed", training.has_value()},
                              {"accuracy", evaluation.accuracy},
                              {"loss", jsonNumber(evaluation.loss)},
                              {"samples", evaluation.samples},
                              {"unreadable", evaluation.unreadable},
                              {"skipped", evaluation.skipped},
                              {"weights", match.report().lines()},
                              {"not_finite", *notFinite},
                              {"outputs", shape.outputs.back().elements()},
                              {"warning", warningOf(match, experiment.network, shape)}}
            << "\n";
  return 0;
}

/// A file of the data that cannot be read is the user's input, not a failure of the program.
int evaluateOrRefuse(const WeightMatch& match, const Experiment& experiment, const SampleSource& samples,
                     OutputFile* outputs) {
  try {
    return evaluateMatch(match, experiment, samples, outputs);
  } catch (const UnreadableSample& problem) {
    std::cerr << trim(problem.what()) << "\n";
  }
  return 2;
}

}  // namespace

int evaluateWeights(const std::vector<std::string>& words) {
  const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
  Experiment experiment = valueOf(parseResolved(text));
  experiment.device = cpuKind().name;  // whatever they were trained on, weights are judged here
  auto source = sourceOf(words);
  if (!source) return refusal(source.error());
  const auto images = loadPart(experiment.dataset, DataPart::evaluation, experiment.seed);
  if (!images) return refusal(images.error());
  const auto samples = makeSource(*images, experiment.dataset, DataPart::evaluation, experiment.seed);
  const NetworkShape shape = valueOf(networkShape(experiment.network, samples->shape()));
  const WeightMatch match(std::move(*source), expectedTensors(experiment.network, shape));
  if (!match.report().complete()) {
    return refusal(
        match.report().failures("name weights of the experiment's network, or the experiment of the weights"));
  }
  if (words.size() == 1) return evaluateOrRefuse(match, experiment, *samples, nullptr);
  const auto outputs = OutputFile::create(words.back());
  return outputs ? evaluateOrRefuse(match, experiment, *samples, outputs->get()) : refusal(outputs.error());
}

}  // namespace slipstream::worker
