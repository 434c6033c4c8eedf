#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <optional>

#include <nlohmann/json.hpp>

#include "app/worker/modes.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/comm/thread_communicator.h"
#include "engine/device/open_device.h"
#include "engine/plan/run_plan.h"
#include "engine/record/checkpoint_store.h"
#include "engine/record/run_store.h"
#include "engine/train/evaluate.h"
#include "engine/train/refresh_statistics.h"

namespace slipstream::worker {
namespace {

constexpr std::int64_t samplesAtOnce = 256;

template <class T>
T valueOf(Result<T> result) {
  if (!result) throw Error(toText(result.error()));
  return std::move(*result);
}

void addTensor(CheckpointStore& store, const TensorRecord& record, double share, std::span<float> values) {
  const std::vector<std::byte> bytes = store.read(record.hash);
  if (bytes.size() != values.size_bytes())
    throw Error("tensor " + record.name + " has another size than the network's");
  std::vector<float> stored(values.size());
  std::memcpy(stored.data(), bytes.data(), bytes.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] += static_cast<float>(share) * stored[i];
  }
}

/// Fills `values` with the mean over the ranks' versions of a tensor (one version where all ranks share it).
void load(CheckpointStore& store, const CheckpointManifest& manifest, const std::string& name,
          std::span<float> values) {
  std::vector<TensorRecord> records;
  std::copy_if(manifest.tensors.begin(), manifest.tensors.end(), std::back_inserter(records),
               [&](const TensorRecord& record) { return record.name == name; });
  if (records.empty()) throw Error("the checkpoint holds no tensor " + name);
  std::fill(values.begin(), values.end(), 0.0F);
  for (const TensorRecord& record : records)
    addTensor(store, record, 1.0 / static_cast<double>(records.size()), values);
}

int refusal(const Failures& failures) {
  std::cerr << toText(failures);
  return 2;
}

/// Snapshots hold no running statistics: those of the training set are made, as a stage with refresh_statistics does.
void refresh(Network& network, ParameterStore& weights, const Experiment& experiment, const Images& training,
             Communicator& alone) {
  DatasetSpec dataset = experiment.dataset;
  dataset.batchSize = std::min({dataset.batchSize, samplesAtOnce, training.count()});
  Sampler sampler(dataset, training.count(), experiment.seed, 0, 1);
  refreshStatistics(network, weights, experiment.network,
                    {dataset, training, sampler, 0, sampler.stepsPerEpoch(), samplesAtOnce}, alone);
}

/// JSON knows neither NaN nor infinities.
nlohmann::json jsonNumber(double value) {
  if (std::isfinite(value)) return value;
  return numberText(value);
}

}  // namespace

int evaluateCheckpoint(const std::vector<std::string>& arguments) {
  if (arguments.size() < 4) throw Error("--evaluate needs STORE RUN STEP checkpoint|snapshot [DATA]");
  const auto runs = valueOf(RunStore::open(arguments[0], StoreAccess::read));
  const RunRecord run = valueOf(runs->find(arguments[1]));
  const RunPlan plan = valueOf(parseRunPlan(run.planText));
  const std::int64_t step = parseInteger(arguments[2]).value_or(-1);
  const std::vector<StagePlan> stages = stagesOf(plan);
  Experiment experiment = stageOfStep(stages, step - 1).experiment;
  if (arguments.size() > 4) experiment.dataset.path = arguments[4];
  const auto images = loadImages(experiment.dataset, Part::evaluation, experiment.seed);
  if (!images) return refusal(images.error());

  const auto checkpoints = valueOf(CheckpointStore::openToRead(arguments[0], run.id));
  const CheckpointManifest manifest =
      valueOf(arguments[3] == "snapshot" ? checkpoints->snapshot(step) : checkpoints->manifest(step));
  const auto meter = makeMemoryMeter();
  const auto device = valueOf(openDevice("cpu", 0, *meter));
  const auto network = makeNetwork(experiment.network, images->shape, samplesAtOnce, *device);
  WholeParameterStore weights(*device, network->layout().size(), MemoryCategory::weights);
  for (const FlatTensor& tensor : network->layout().tensors())
    load(*checkpoints, manifest, tensor.spec.name, weights.acquire(tensor.range));
  const bool refreshes = manifest.snapshot && !network->states().empty();
  std::optional<Images> training;
  if (refreshes) {
    auto loaded = loadImages(experiment.dataset, Part::training, experiment.seed);
    if (!loaded) return refusal(loaded.error());
    training = std::move(*loaded);
  } else {
    for (const NetworkState& state : network->states())
      load(*checkpoints, manifest, "state/" + state.name, state.values);
  }

  Evaluation evaluation;
  runThreadRanks(1, [&](Communicator& alone) {
    if (training) refresh(*network, weights, experiment, *training, alone);
    evaluation = evaluate(*network, weights, experiment.loss, experiment.dataset, *images, samplesAtOnce, alone);
  });
  std::cout << nlohmann::json{{"run", run.id},
                              {"step", manifest.step},
                              {"kind", arguments[3]},
                              {"refreshed", refreshes},
                              {"accuracy", evaluation.accuracy},
                              {"loss", jsonNumber(evaluation.loss)},
                              {"samples", evaluation.samples}}
            << "\n";
  return 0;
}

}  // namespace slipstream::worker
